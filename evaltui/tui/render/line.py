"""One line of a sheet, and what is folded in a sheet."""

from collections.abc import Callable

from msgspec import Struct, field
from rich.cells import cell_len
from rich.segment import Segment

SEARCHED_PAGES = 10
"""Pages of each long value that a search looks through."""


class Folds(Struct):
    """What the reader opened or closed, by the ids that renderers give; survives redrawing."""

    state: dict[str, int] = field(default_factory=dict)
    is_all_open: bool = False
    """While something is searched for, which may be in what is folded."""

    def pages(self, name: str, default: int = 0) -> int:
        """0 for folded, else how much is open."""
        return max(self.state.get(name, default), SEARCHED_PAGES * self.is_all_open)

    def is_open(self, name: str, default: bool = False) -> bool:
        return self.is_all_open or bool(self.state.get(name, int(default)))


class Line(Struct, frozen=True):
    """One line, no wider than the sheet."""

    segments: tuple[Segment, ...] = ()
    fold: str = ""
    """What Enter folds or unfolds here; empty for nothing."""
    pages: int = 0
    """How much of it is open now."""
    is_more: bool = False
    """Enter here opens another page rather than folding."""
    copy: Callable[[], str] | None = None
    """What copying on this line yields; `None` for the text of the line."""
    anchor: str = ""
    """A place to begin reading at, e.g. `first-difference`."""

    @property
    def plain(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @property
    def width(self) -> int:
        return cell_len(self.plain)
