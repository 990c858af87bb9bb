"""A number for each run as one character, oldest first."""

from collections.abc import Sequence

GAP, PLAIN_GAP = "·", " "
"""Where a run has no value."""


def sparkline(values: Sequence[float | None], is_ascii: bool = False) -> str:
    """One character a value, scaled from nothing to the largest."""
    levels = _levels(is_ascii)
    top = max((value for value in values if value is not None), default=0)

    def level(value: float) -> str:
        return levels[min(7, int(8 * max(0, value) / top))] if top > 0 else levels[0]

    return "".join(_gap(is_ascii) if value is None else level(value) for value in values)


def trend_line(values: Sequence[float | None], is_ascii: bool = False) -> str:
    """One character a run, from the least value to the greatest; equal ones are in between."""
    levels = _levels(is_ascii)
    known = [value for value in values if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    top = len(levels) - 1

    def level(value: float) -> str:
        if high == low:
            return levels[top // 2]
        share = (value / 2 - low / 2) / (high / 2 - low / 2)  # the whole may be beyond a double
        return levels[round(top * share)]

    return "".join(_gap(is_ascii) if value is None else level(value) for value in values)


def _gap(is_ascii: bool) -> str:
    return PLAIN_GAP if is_ascii else GAP


def _levels(is_ascii: bool) -> str:
    return "._-=+*#@" if is_ascii else "▁▂▃▄▅▆▇█"
