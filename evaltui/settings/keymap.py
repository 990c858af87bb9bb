"""Which key does what: the command table, a preset over it, the user's own keys over that."""

from collections.abc import Mapping

from msgspec import Struct

from evaltui.settings.default_keys import DEFAULT_KEYS

PRESETS: Mapping[str, Mapping[str, str]] = {
    "default": {},
    "vitest": {
        "run.due": "enter",
        "move.open": "o",
        "edit.case": "e",
        "cases.filter": "t /",
        "baseline.pin": "u",
        "accept": "U",
        "app.help": "h ?",
        "move.out": "left",
    },
    "arrows": {
        "move.down": "down",
        "move.up": "up",
        "move.out": "left",
        "move.in": "right",
        "move.top": "home",
        "move.bottom": "end",
        "detail.down": "ctrl+down",
        "detail.up": "ctrl+up",
        "tab.previous": "ctrl+left",
        "tab.next": "ctrl+right",
    },
}
"""Keys by command id, blanks between several; what is not named keeps its own."""


class Keymap(Struct, frozen=True):
    """Keys in force: command id by key, and keys by command id."""

    commands: Mapping[str, str]
    keys: Mapping[str, tuple[str, ...]]

    def shown(self, command: str, *, is_ascii: bool = False) -> str:
        """The first key as people write it; empty when the command has none."""
        keys = self.keys.get(command)
        return spelled(keys[0], is_ascii=is_ascii) if keys else ""


def make_keymap(preset: str = "default", own: Mapping[str, str] | None = None) -> Keymap:
    """The user's own keys win over the preset, the preset over the defaults.

    A key given to one command is taken from any other; of two commands that are given one key the
    first has it. Unknown ids and presets change nothing.
    """
    keys = dict(DEFAULT_KEYS)
    for layer in (PRESETS.get(preset, {}), own or {}):
        wanted = {name: tuple(text.split()) for name, text in layer.items() if name in keys}
        taken = {key for given in wanted.values() for key in given}
        keys = {
            name: wanted.get(name, tuple(key for key in given if key not in taken))
            for name, given in keys.items()
        }
    commands: dict[str, str] = {}
    for name, given in keys.items():
        for key in given:
            commands.setdefault(key, name)
    return Keymap(commands, keys)


def key_of(key: str, character: str | None) -> str:
    """How the table names a key that was pressed: the character itself, else Textual's name."""
    is_plain = character is not None and len(character) == 1 and character.isprintable()
    if is_plain and character not in (None, " "):
        return str(character)
    return key


def spelled(key: str, *, is_ascii: bool = False) -> str:
    """A key as people write it."""
    text = _SPELLED.get(key, key)
    if text.startswith("ctrl+"):
        text = f"Ctrl+{text[5:].capitalize()}"
    return text.translate(_ARROWS) if is_ascii else text


_ARROWS = str.maketrans({"↑": "Up", "↓": "Down", "←": "Left", "→": "Right"})
_SPELLED = {
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "space": "Space",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "shift+up": "Shift+↑",
    "shift+down": "Shift+↓",
    "ctrl+up": "Ctrl+↑",
    "ctrl+down": "Ctrl+↓",
    "ctrl+left": "Ctrl+←",
    "ctrl+right": "Ctrl+→",
}
