"""How things look now: theme variables as terminal styles, and which glyphs may be used."""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from rich.color import Color
from rich.style import Style

from evaltui.tui.render.glyphs import Mark, Symbols, symbols

_KEY = re.compile("`([a-zA-Z])`")


class Look(Struct):
    """Made once for each theme; renderers ask it and never name a colour."""

    variables: Mapping[str, str]
    """Colour by theme variable, as `App.theme_variables` has them."""
    is_ascii: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys in force by the key that a command has by default, where they differ."""
    has_color: bool = False
    _styles: dict[tuple[str, str, bool], Style] = field(default_factory=dict)

    @property
    def symbols(self) -> Symbols:
        return symbols(self.is_ascii)

    def style(self, variable: str = "", on: str = "", *, bold: bool = False) -> Style:
        """Foreground `variable` on background `on`; an unknown or empty name leaves it open."""
        key = (variable, on, bold)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = Style(
                color=self._color(variable),
                bgcolor=self._color(on),
                bold=bold or None,
            )
        return style

    def hint(self, text: str) -> str:
        """A sentence with the keys in force for those it names between backticks."""
        if not self.keys:
            return text
        return _KEY.sub(lambda match: f"`{self.keys.get(match[1], match[1])}`", text)

    def spans(self, text: str, variable: str = "foreground") -> list[tuple[str, str | Style]]:
        """A `hint` in pieces, keys and code in a style of their own in place of the backticks;
        those stay where there is no colour. For our own sentences: values may hold backticks."""
        text = self.hint(text)
        if not self.has_color:
            return [(text, variable)]
        code = self.style("strong", bold=True)
        pieces = [(piece, code if place % 2 else variable) for place, piece in _pieces(text)]
        return [(piece, style) for piece, style in pieces if piece]

    def symbol(self, mark: Mark) -> str:
        return mark.symbol(self.is_ascii)

    def mark(self, mark: Mark, on: str = "") -> tuple[str, Style]:
        """The mark's glyph with its style."""
        return mark.symbol(self.is_ascii), self.style(mark.variable, on)

    def _color(self, variable: str) -> Color | None:
        if not variable:
            return None
        value = self.variables.get(variable)
        if not value:
            return None
        from textual.color import Color as ThemeColor

        return ThemeColor.parse(value).rich_color


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Numbered; those with odd numbers stood between backticks. A single backtick is one."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        pieces[-2:] = ["`".join(pieces[-2:])]
    return enumerate(pieces)
