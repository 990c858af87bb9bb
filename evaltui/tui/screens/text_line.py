"""A line to type in."""

from textual.reactive import reactive
from textual.widgets import Input


class TextLine(Input):
    """Its cursor does not blink: what moves on the screen is news."""

    cursor_blink = reactive(False, init=False)
