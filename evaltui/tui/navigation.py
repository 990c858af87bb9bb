"""Which panes are visible: decided from the width, the focus, the drawer and the zoom."""

from enum import StrEnum

from msgspec import Struct

WIDE = 130
MEDIUM = 80


class PaneId(StrEnum):
    """The panes that can have the focus, by the digit that leads there."""

    SUITES = "suites"
    CASES = "cases"
    DETAIL = "detail"
    PROBLEMS = "problems"
    TOOLS = "tools"


DRAWERS = (PaneId.PROBLEMS, PaneId.TOOLS)


class Navigation(Struct):
    """Which pane has the focus, and which are visible then at this width."""

    width: int = WIDE
    pane: PaneId = PaneId.CASES
    drawer: PaneId | None = None
    is_zoomed: bool = False

    @property
    def size(self) -> str:
        return "wide" if self.width >= WIDE else "medium" if self.width >= MEDIUM else "narrow"

    @property
    def is_grouped(self) -> bool:
        """Whether suites are headings among the cases, since they have no pane beside them."""
        return self.width < WIDE

    @property
    def visible(self) -> tuple[PaneId, ...]:
        """In the order in which Tab walks them."""
        if self.is_zoomed or self.size == "narrow":
            return (self.pane,)
        drawer = (self.drawer,) if self.drawer else ()
        if self.size == "wide":
            return (PaneId.SUITES, PaneId.CASES, PaneId.DETAIL, *drawer)
        if self.pane is PaneId.SUITES:
            return (PaneId.SUITES,)
        return (PaneId.CASES, *(drawer or (PaneId.DETAIL,)))

    def go(self, pane: PaneId) -> None:
        """Give a pane the focus; a drawer opens, and another pane ends the zoom."""
        if pane is not self.pane:
            self.is_zoomed = False
        if pane in DRAWERS:
            self.drawer = pane
        elif pane is PaneId.DETAIL and self.size == "medium":
            self.drawer = None
        self.pane = pane

    def next(self, step: int = 1) -> PaneId:
        """The pane that Tab leads to."""
        ring = self.visible if len(self.visible) > 1 else tuple(PaneId)[:3]
        here = ring.index(self.pane) if self.pane in ring else 0
        return ring[(here + step) % len(ring)]

    def back(self) -> bool:
        """One step out: zoom, drawer, detail, suites; False when there is nothing to leave."""
        if self.is_zoomed:
            self.is_zoomed = False
            return True
        if self.pane in DRAWERS:
            self.drawer = None
            self.pane = PaneId.CASES
            return True
        if self.pane is not PaneId.CASES:
            self.pane = PaneId.CASES
            return True
        if self.drawer is not None:
            self.drawer = None
            return True
        return False

    def resize(self, width: int) -> None:
        self.width = width

    def crumb(self, shown: str, of: PaneId | None = None) -> str:
        """What the header says where only one pane is visible: `shown` is the case or tool of the
        detail, `of` the list that it is of, or that the side pane shows, where that is another."""
        if self.size != "narrow":
            return ""
        if self.pane is PaneId.DETAIL:
            return f"{(of or PaneId.CASES).title()} › {shown}" if shown else PaneId.DETAIL.title()
        return (of or self.pane).title()
