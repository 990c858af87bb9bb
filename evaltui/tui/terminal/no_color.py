"""`NO_COLOR`: the terminal's own colours only; weight and reversal replace colour."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_REVERSED = ("cursor", "chosen", "found-on", "chip-on", "chip-alert-on", "input-cursor-background")
"""Backgrounds that say where one is, or what was found."""
_UNDERLINED = ("cursor-blurred",)
_DIM = ("quiet", "aged", "line")


class WithoutColors(LineFilter):
    """Takes the colours out of every line; `variables` are those of the theme in force."""

    def __init__(self, variables: Callable[[], Mapping[str, str]]) -> None:
        super().__init__()
        self._variables = variables
        self._roles: tuple[Mapping[str, str], _Roles] | None = None

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        variables = self._variables()
        if self._roles is None or self._roles[0] is not variables:
            self._roles = variables, _Roles(variables)
        plain = self._roles[1].plain
        return [
            Segment(text, None if style is None else plain(style), control)
            for text, style, control in segments
        ]


class _Roles:
    """What the colours of one theme stand for."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        def named(names: tuple[str, ...]) -> frozenset[str]:
            found = (variables.get(name) for name in names)
            return frozenset(Color.parse(color).hex6.lower() for color in found if color)

        self._reversed, self._dim = named(_REVERSED), named(_DIM)
        self._underlined = named(_UNDERLINED) - named(("panel", "surface", "background"))
        self.plain = lru_cache(1024)(self._plain)

    def _plain(self, style: Style) -> Style:
        on, color = _hex(style.bgcolor), _hex(style.color)
        return (
            style.without_color
            + Style.from_meta(style.meta)
            + Style(
                reverse=True if on in self._reversed else None,
                underline=True if on in self._underlined else None,
                dim=True if color in self._dim and on not in self._reversed else None,
            )
        )


def _hex(color: object) -> str:
    from rich.color import Color as RichColor

    if not isinstance(color, RichColor) or color.is_default:
        return ""
    return color.get_truecolor().hex.lower()
