"""The smallest and largest height of a list that stands above the detail."""

from textual.widget import Widget

TAUGHT_ROWS = 8
"""Enough for what a pane without a case teaches."""
DETAIL_ROWS = 14
"""With its border: enough for the head of a case, and for what differs."""
_BORDER = 1
_AROUND = 2
"""Header and footer."""


class ListHeight:
    """What the lines do not fill is the detail's; a list that fits whole beside one of
    `DETAIL_ROWS` is not cut either. All that both want is shared as the style sheet says."""

    def __init__(self, pane: Widget) -> None:
        self._pane = pane
        self._rows: tuple[int | None, int | None] = None, None
        self.has_detail_below = False
        """Whether the detail stands below."""

    def fit(self, lines: int, *, teaches: bool) -> None:
        """For so many lines, and what is taught below them. It is no news where it is as before:
        then nothing is laid out."""
        most = least = None
        if self.has_detail_below:
            most = max(TAUGHT_ROWS if teaches else 0, lines + _BORDER)
            height = self._pane.screen.size.height - _AROUND if self._pane.is_attached else 0
            least = most if most + DETAIL_ROWS <= height else None
        if (most, least) != self._rows:
            self._rows = most, least
            self._pane.styles.max_height, self._pane.styles.min_height = most, least
