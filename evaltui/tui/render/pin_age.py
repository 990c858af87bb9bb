"""How long ago a baseline was pinned, in a few words."""

from collections.abc import Mapping

from evaltui.tui.render.words import ago


def pin_age(moments: Mapping[float, int], now: float) -> str:
    """`3h ago`; `41 3h ago, 1 4s ago`; from three ages on `3d ago to 4s ago`; empty when unknown.

    `moments` are those of `pin_moments`: a single case pinned anew makes the others no younger.
    """
    counts: dict[str, int] = {}
    for at, number in sorted(moments.items()):
        said = ago(now - at) if at else "at an unknown time"
        counts[said] = counts.get(said, 0) + number
    known = [ago(now - at) for at in sorted(moments) if at]
    if not known:
        return ""
    if len(counts) == 1:
        return known[0]
    if len(counts) == 2:
        return ", ".join(f"{number:,} {said}" for said, number in counts.items())
    return f"{known[0]} to {known[-1]}"
