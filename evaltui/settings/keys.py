"""What is wrong with `[keys]`: unknown commands and keys, and keys assigned twice."""

import unicodedata
from collections.abc import Mapping

from evaltui.core.did_you_mean import did_you_mean
from evaltui.settings.default_keys import DEFAULT_KEYS
from evaltui.settings.sentences import OUT_OF_RANGE, UNKNOWN, Mistake

MODIFIERS = ("alt", "ctrl", "hyper", "meta", "shift", "super")
NAMED = (
    *("enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end"),
    *("pageup", "pagedown", "up", "down", "left", "right"),
    *(f"f{number}" for number in range(1, 25)),
)
"""Keys that print nothing; any other key is called by the character that it prints."""
_BEHIND_CTRL = ("backslash", "circumflex_accent", "right_square_bracket", "underscore", "@")
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "control": "ctrl",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
    "option": "alt",
    "cmd": "super",
    "command": "super",
    "↑": "up",
    "↓": "down",
}


def keep_valid_keys(keys: Mapping[str, str]) -> tuple[dict[str, str], list[Mistake]]:
    """The keys by command that can be used, and what is wrong with the others.

    Paths begin at the table. Of two commands with one key the first keeps it.
    """
    kept: dict[str, str] = {}
    found: list[Mistake] = []
    owners: dict[str, str] = {}
    for command, text in keys.items():
        if command not in DEFAULT_KEYS:
            near = did_you_mean(command, DEFAULT_KEYS)
            hint = near or "The key table of the guide to the dashboard has the ids."
            found.append(Mistake((command,), f"There is no command `{command}`", hint, UNKNOWN))
            continue
        for key in text.split():
            if not is_key(key):
                what = f"There is no key `{key}`"
                found.append(Mistake((command,), what, _meant(key), OUT_OF_RANGE))
            elif owners.setdefault(key, command) != command:
                what = f"`{key}` is the key of `{owners[key]}` already"
                hint = "Give one of the two another key."
                found.append(Mistake((command,), what, hint, OUT_OF_RANGE))
        good = [key for key in text.split() if owners.get(key) == command]
        if good:
            kept[command] = " ".join(good)
    return kept, found


def is_key(text: str) -> bool:
    """Whether a press of a key can come under this name: `a`, `?`, `f5`, `ctrl+shift+left`."""
    if len(text) == 1:
        return text.isprintable()
    *modifiers, name = text.split("+")
    if modifiers != sorted(set(modifiers).intersection(MODIFIERS)):
        return False
    prints = name in _BEHIND_CTRL or (len(name) == 1 and name.isascii() and name.isalnum())
    # Shift alone makes another character of one that prints.
    changes = modifiers not in ([], ["shift"])
    return name in NAMED or (changes and prints and name == name.lower())


def _meant(key: str) -> str:
    """The hint for a name under which no key comes."""
    *modifiers, name = (
        _ALIASES.get(part, part) for part in key.lower().replace("-", "+").split("+")
    )
    whole = "+".join((*sorted(set(modifiers)), name))
    if modifiers == ["shift"] and len(name) == 1:
        whole = name.upper()
    if not is_key(whole):
        whole = _character(key)
    if is_key(whole):
        return f"Did you mean `{whole}`?"
    shown = ", ".join(f"`{name}`" for name in NAMED[:-24])
    return did_you_mean(key, NAMED) or (
        f"Write a character, {shown} or `f1` to `f24`; before them `ctrl+`, `alt+` or `shift+`."
    )


def _character(name: str) -> str:
    """`question_mark` → `?`; empty when it is the name of no character."""
    try:
        return unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
