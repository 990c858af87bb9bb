"""The painted lines of a list, so that only those that differ are painted again."""

from collections.abc import Callable, Iterator

from textual.geometry import Offset, Size
from textual.strip import Strip


class PaintCache:
    """Lines by their place in sight. Laying one line on the screen costs Textual several times
    what drawing it costs, so drawing all again to compare them pays."""

    def __init__(self) -> None:
        self._place: tuple[Offset, Size] | None = None
        self._strips: dict[int, Strip] = {}

    def keep(self, offset: Offset, size: Size, y: int, strip: Strip) -> Strip:
        """Note the strip as drawn in line `y` of the pane."""
        if self._place != (offset, size):
            self._place = (offset, size)
            self._strips = {}
        self._strips[y] = strip
        return strip

    def differing(
        self, offset: Offset, size: Size, draw: Callable[[int], Strip]
    ) -> Iterator[int] | None:
        """Lines in sight that would be drawn otherwise now; `None` when all must be painted."""
        known = self._strips
        if self._place != (offset, size) or len(known) < size.height:
            return None
        return (y for y in range(size.height) if known.get(y) != draw(y))
