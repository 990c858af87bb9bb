"""A screen is laid out for the size that the terminal has now.

Textual tells a screen each size that there was, and the screen tells itself the one it was laid out
for. With two of them on their way it would turn from one to the other for good.
"""

from textual.geometry import Size
from textual.screen import Screen


class Fitting:
    """To be named before Textual's screen, whose style sheet is that of the next base."""

    def _screen_resized(self: "Screen[object]", _: Size) -> None:  # type: ignore[misc]
        Screen._screen_resized(self, self.app.size)
