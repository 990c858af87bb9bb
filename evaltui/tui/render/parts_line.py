"""A line of parts that give way by importance when space is short."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style

from evaltui.tui.render.clip import clip, fit, width_of

SHORTEST = 10
"""Cells below which a clipped part says nothing."""
LATE = 60
"""Importance from which parts go only after all that stay have their shortest form."""
FIRM = 90
"""Importance from which a part stays until everything below has gone or was clipped."""
SPARE = 12
"""Importance below which a part is shown only where all others are whole."""
FAINT = 15
"""Importance below which a part goes before anything else is shortened."""


class Part(Struct):
    """One piece of the line; the least important goes first when there is no room."""

    segments: list[Segment]
    keep: int
    """How important it is; no two parts of a line are equally so."""
    short: list[Segment] | None = None
    """What is shown in its place before it goes altogether."""
    shortest: list[Segment] | None = None
    """What is shown in its place before anything that is as important as `LATE` goes."""
    can_shrink: bool = False
    """Whether it may be clipped: before it goes, when firm once all that is not has gone."""
    grow: Callable[[int], list[Segment]] | None = None
    """What it is with so many cells more, where all parts leave room."""
    command: str = ""
    """Id of the command that a click on it runs; empty for none."""
    middle: list[Segment] | None = None
    """What is shown in place of the short form where there is room for it, and for no more."""

    @property
    def width(self) -> int:
        return sum(width_of(segment.text) for segment in self.segments)


class Spot(Struct, frozen=True):
    """The cells from `start` up to `end` belong to a command."""

    start: int
    end: int
    command: str


def fit_parts(
    parts: Sequence[Part], width: int, plain: Style, cut: str
) -> tuple[list[Segment], list[Spot]]:
    """Exactly `width` cells, two between parts, and where those stand that a click is for. What
    does not fit is left out whole."""
    kept = _fitted(parts, width, cut)
    line: list[Segment] = [Segment(" ", plain)]
    spots: list[Spot] = []
    used = 1
    for index, part in enumerate(kept):
        line += ([Segment("  ", plain)] if index else []) + part.segments
        start = used + (2 if index else 0)
        used = start + part.width
        if part.command:
            spots.append(Spot(start, used, part.command))
    if used > width:
        return [Segment(fit("".join(s.text for s in line), width, cut), plain)], spots
    return [*line, Segment(" " * (width - used), plain)], spots


def _fitted(parts: Sequence[Part], width: int, cut: str) -> list[Part]:
    """Those that there is room for, shortened or lengthened to it."""
    there = [part for part in parts if part.segments]
    forms = {part.keep: [part.segments, part.middle, part.short, part.shortest] for part in there}
    kept = [*there]
    for part in sorted(kept, key=lambda part: part.keep):
        if _width(kept) <= width:
            break
        if part.short is not None:
            part.segments = part.short
        if part.keep < FAINT and _width(kept) > width:
            kept.remove(part)
    kept = [part for part in kept if part.segments]
    for part in sorted(kept, key=lambda part: part.keep):
        for late in sorted(kept, key=lambda part: part.keep) if part.keep >= LATE else ():
            if _width(kept) > width and late.shortest is not None:
                late.segments = late.shortest
        for soft in kept if part.keep >= FIRM else [part]:
            _shrink(soft, kept, width, cut)
        if _width(kept) <= width or len(kept) == 1:
            break
        kept.remove(part)
    kept = _given_back(there, kept, forms, width)
    for part in kept:
        if part.grow is not None and (spare := width - _width(kept) - 1) > 0:
            part.segments = part.grow(spare)
    return kept


def _given_back(
    there: Sequence[Part],
    kept: list[Part],
    forms: dict[int, list[list[Segment] | None]],
    width: int,
) -> list[Part]:
    """With the room that others left by going: each part as long as it can be, those that went
    too, the most important first."""
    for part in sorted(there, key=lambda part: -part.keep):
        standing, short = {one.keep for one in kept}, part.segments
        if part.keep not in standing and part.keep < SPARE:
            continue
        with_it = [one for one in there if one is part or one.keep in standing]
        for longer in forms[part.keep]:
            if part.keep in standing and longer == short:
                break
            part.segments = longer or []
            if part.segments and _width(with_it) <= width:
                kept = with_it
                break
            part.segments = short
    return kept


def _shrink(part: Part, parts: list[Part], width: int, cut: str) -> None:
    room = part.width - (_width(parts) - width)
    if part.can_shrink and SHORTEST <= room < part.width:
        (segment,) = part.segments
        part.segments = [Segment(clip(segment.text, room, cut), segment.style)]


def _width(parts: list[Part]) -> int:
    return 1 + sum(part.width for part in parts) + 2 * (len(parts) - 1)
