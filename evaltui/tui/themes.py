"""Themes: one TOML file each, the only place where a colour is written."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

from msgspec import Struct

from evaltui.core.errors import Problem
from evaltui.files import is_file, read_text
from evaltui.settings.themes import theme_folders
from evaltui.tui.render.look import Look

if TYPE_CHECKING:
    from textual.app import App
    from textual.theme import Theme

DEFAULT = "dark"
COLORS = (
    *("primary", "secondary", "accent", "foreground", "background", "surface", "panel"),
    *("success", "warning", "error"),
)
"""Keys of `[colors]`; a user's theme may leave any out and then has the default theme's."""


class ThemeFile(Struct, frozen=True):
    """One theme as read; `name` is the file's name without `.toml`."""

    name: str
    title: str
    is_dark: bool
    colors: Mapping[str, str]
    variables: Mapping[str, str]

    def theme(self) -> "Theme":
        from textual.theme import Theme

        return Theme(
            name=self.name,
            dark=self.is_dark,
            variables=dict(self.variables),
            **cast("dict[str, Any]", dict(self.colors)),
        )


def load_theme(path: Path, base: ThemeFile | None = None) -> ThemeFile:
    """Read one theme; what it leaves out comes from `base`. Raises ValueError or OSError."""
    import tomli

    data: dict[str, Any] = tomli.loads(read_text(path))
    colors = {**(base.colors if base else {}), **data.get("colors", {})}
    variables = {**(base.variables if base else {}), **data.get("variables", {})}
    for name, value in (*colors.items(), *variables.items()):
        _demand_color(name, value)
    unknown = sorted(set(colors) - set(COLORS))
    if unknown:
        raise ValueError(f"`colors.{unknown[0]}` is not a colour of a theme")
    return ThemeFile(
        path.stem,
        str(data.get("title") or path.stem),
        bool(data.get("dark", base.is_dark if base else True)),
        colors,
        variables,
    )


def load_themes() -> tuple[dict[str, ThemeFile], list[Problem]]:
    """All themes by name, the default first; a broken file is a problem and nothing more."""
    shipped, own = theme_folders()
    default = load_theme(shipped / f"{DEFAULT}.toml")
    themes = {default.name: default}
    problems: list[Problem] = []
    for path in (*_files(shipped), *_files(own)):
        try:
            themes[path.stem] = load_theme(path, default)
        except (ValueError, OSError, AttributeError, TypeError) as error:
            problems.append(
                Problem(str(path), f"Theme `{path.stem}` cannot be read: {error}", _HINT)
            )
    return themes, problems


def load_theme_named(name: str) -> ThemeFile:
    """One theme, read alone because a start has no time for all; the default when it is broken."""
    shipped, own = theme_folders()
    default = load_theme(shipped / f"{DEFAULT}.toml")
    for folder in (own, shipped):
        path = folder / f"{name}.toml"
        if name != DEFAULT and path.parent == folder and is_file(path):  # a name, and no path
            try:
                return load_theme(path, default)
            except (ValueError, OSError, AttributeError, TypeError):
                return default
    return default


def look_of(app: "App[Any]", is_ascii: bool | None = None) -> Look:
    """The look of the theme in force; made again when the theme changes."""
    look = _LOOKS.get(app)
    if look is None or look.variables is not app.theme_variables:
        before, keys = (look.is_ascii, look.keys) if look else (False, {})
        look = _LOOKS[app] = Look(
            app.theme_variables,
            before if is_ascii is None else is_ascii,
            keys,
            has_color=not app.no_color,
        )
    return look


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.toml"))


def _demand_color(name: str, value: object) -> None:
    digits = value[1:] if isinstance(value, str) and value.startswith("#") else ""
    if len(digits) != 6 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise ValueError(f"`{name}` must be a colour like `#1e2630`, not `{value}`")


_HINT = "Correct the file, then choose the theme again."
_LOOKS: WeakKeyDictionary["App[Any]", Look] = WeakKeyDictionary()
