"""Keeps secrets in a run's commands and judge settings out of what is stored.

Who repeats the run gives them again.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.secret_name import is_secret_name
from evaltui.core.shown_secret import HIDDEN, literal_secrets, shown_command, shown_setting
from evaltui.net.secret_mask import SecretMask

COMMAND = "command"
"""The setting of a judge that is a list of words."""
SHORTEST = 6
"""What is shorter is likely to be an ordinary word."""


def mask_of(values: Iterable[str]) -> SecretMask:
    """Hides them in what programs say."""
    mask = SecretMask()
    for value in values:
        if len(value) >= SHORTEST:
            mask.add(value)
    return mask


def secrets_in(settings: Any) -> Sequence[str]:
    """All below secret names, in a `command`, and what looks like one in any text."""
    found: list[str] = []
    _shown(settings, found)
    return found


def without_secrets(settings: Any) -> Any:
    """The same settings with `***` in the place of each."""
    return _shown(settings, [])


def given_again(kept: Any, given: Any, what: str) -> Any:
    """What was kept, with its secrets: `given`, which must be the same but for those.

    Raises UserError where a secret is missing, or something else was given.
    """
    if not _holds_hidden(kept):
        return kept
    if given is None:
        raise UserError(f"{what} was kept without its secret.", "Give it again, as it was typed.")
    shown = shown_command(given) if isinstance(given, str) else without_secrets(given)
    if shown != kept:
        raise UserError(f"{what} is not that of the run.", "Give it as it was typed.")
    return given


def _shown(value: Any, found: list[str], *, is_secret: bool = False) -> Any:
    """`is_secret`: it stands below a name of secrets. What is hidden is added to `found`."""
    if isinstance(value, Mapping):
        names = (value.get(key) for key in ("name", "key", "header"))
        is_pair = any(isinstance(name, str) and is_secret_name(name) for name in names)
        return {
            key: _shown_command(one, found)
            if _is_command(key, one)
            else _shown(
                one,
                found,
                is_secret=is_secret or is_secret_name(key) or (is_pair and key == "value"),
            )
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_shown(one, found, is_secret=is_secret) for one in value]
    if not isinstance(value, str) or not value:
        return value
    shown = shown_setting(value, found)
    if not is_secret:
        return shown
    found.append(value)
    return HIDDEN


def _shown_command(words: list[str], found: list[str]) -> list[str]:
    found += literal_secrets(words)
    return shlex.split(shown_command(shlex.join(words)))


def _is_command(key: str, value: Any) -> bool:
    is_list = key == COMMAND and isinstance(value, list)
    return is_list and all(isinstance(word, str) for word in value)


def _holds_hidden(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_hidden, value.values()))
    if isinstance(value, list):
        return any(map(_holds_hidden, value))
    return isinstance(value, str) and HIDDEN in value
