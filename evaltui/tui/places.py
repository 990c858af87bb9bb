"""Which panes are in sight: decided from the width, the focus, the drawer and the zoom."""

from enum import StrEnum

from msgspec import Struct

WIDE = 120
MEDIUM = 80


class Place(StrEnum):
    """The panes a person can stand in, by the digit that leads there."""

    SUITES = "suites"
    CASES = "cases"
    DETAIL = "detail"
    PROBLEMS = "problems"
    TOOLS = "tools"


DRAWERS = (Place.PROBLEMS, Place.TOOLS)


class Places(Struct):
    """Where somebody stands, and what that shows at this width."""

    width: int = WIDE
    place: Place = Place.CASES
    drawer: Place | None = None
    is_zoomed: bool = False

    @property
    def size(self) -> str:
        return "wide" if self.width >= WIDE else "medium" if self.width >= MEDIUM else "narrow"

    @property
    def is_grouped(self) -> bool:
        """Suites are grouping rows of the cases where they have no pane beside them."""
        return self.width < WIDE

    @property
    def in_sight(self) -> tuple[Place, ...]:
        """In the order in which Tab walks them."""
        if self.is_zoomed or self.size == "narrow":
            return (self.place,)
        drawer = (self.drawer,) if self.drawer else ()
        if self.size == "wide":
            return (Place.SUITES, Place.CASES, Place.DETAIL, *drawer)
        if self.place is Place.SUITES:
            return (Place.SUITES,)
        return (Place.CASES, *(drawer or (Place.DETAIL,)))

    def go(self, place: Place) -> None:
        """Stand in a pane; a drawer opens, and another pane stops the zoom."""
        if place is not self.place:
            self.is_zoomed = False
        if place in DRAWERS:
            self.drawer = place
        elif place is Place.DETAIL and self.size == "medium":
            self.drawer = None
        self.place = place

    def next(self, step: int = 1) -> Place:
        """The pane that Tab leads to."""
        ring = self.in_sight if len(self.in_sight) > 1 else tuple(Place)[:3]
        here = ring.index(self.place) if self.place in ring else 0
        return ring[(here + step) % len(ring)]

    def back(self) -> bool:
        """One step out: zoom, drawer, detail, suites; False when there is nothing to leave."""
        if self.is_zoomed:
            self.is_zoomed = False
            return True
        if self.place in DRAWERS:
            self.drawer = None
            self.place = Place.CASES
            return True
        if self.place is not Place.CASES:
            self.place = Place.CASES
            return True
        if self.drawer is not None:
            self.drawer = None
            return True
        return False

    def resize(self, width: int) -> None:
        self.width = width

    def crumb(self, case: str) -> str:
        """What the header says where panes stand alone."""
        if self.size != "narrow":
            return ""
        if self.place is Place.DETAIL:
            return f"{Place.CASES.title()} › {case}" if case else Place.DETAIL.title()
        return self.place.title()
