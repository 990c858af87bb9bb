"""Entries that installed packages offer, and that the settings do not name."""

from collections.abc import Collection
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from evaltui.child.interpreter import own_python

GROUP = "evaltui.evaluators"
"""Of entry points; the child finds them by the same."""


class Available(Struct, frozen=True):
    """One entry point."""

    name: str
    """What the settings are to name."""
    package: str


def available(root: Path, named: Collection[str]) -> list[Available]:
    """Those of the Python that runs the project's evaluators, by name, without `named`. Nothing is
    run: the packages' descriptions are read."""
    if own := own_python(root):
        folders = (root / own).parent.parent.glob("lib/python*/site-packages")
        found = metadata.distributions(path=[str(one) for one in folders])
    else:
        found = metadata.distributions()
    points = {
        point.name: Available(point.name, distribution.name)
        for distribution in found
        for point in distribution.entry_points
        if point.group == GROUP and point.name not in named
    }
    return [points[name] for name in sorted(points)]
