"""The smallest and largest height of a list that stands above the detail."""

from textual.widget import Widget

LEAST_ROWS = 8
"""Enough for what an empty pane teaches."""
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

    def fit(self, lines: int) -> None:
        """For so many lines. It is no news where it is as before: then nothing is laid out."""
        most = least = None
        if self.has_detail_below:
            most = max(LEAST_ROWS, lines + _BORDER)
            height = self._pane.screen.size.height - _AROUND if self._pane.is_attached else 0
            least = most if most + DETAIL_ROWS <= height else None
        if (most, least) != self._rows:
            self._rows = most, least
            self._pane.styles.max_height, self._pane.styles.min_height = most, least
