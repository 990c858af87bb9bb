"""Secrets in commands and judge settings of a run: what is kept of it holds none of them.

Who repeats the run gives them again.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.secret_name import is_secret_name
from evaltui.core.shown_secret import HIDDEN, literal_secrets, shown_command
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


def secrets_in(settings: Any) -> Iterator[str]:
    """Values under secret names, and what is secret in a `command`."""
    for key, value in settings.items() if isinstance(settings, Mapping) else ():
        if _is_command(key, value):
            yield from literal_secrets(value)
        elif isinstance(value, str) and is_secret_name(key):
            yield value
        else:
            yield from secrets_in(value)


def without_secrets(settings: Any) -> Any:
    """The same settings with `***` in the place of each."""
    if not isinstance(settings, Mapping):
        return settings
    return {key: _shown(key, value) for key, value in settings.items()}


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
        raise UserError(f"{what} is another one than that of the run.", "Give it as it was typed.")
    return given


def _shown(key: str, value: Any) -> Any:
    if _is_command(key, value):
        return shlex.split(shown_command(shlex.join(value)))
    if isinstance(value, str) and value and is_secret_name(key):
        return HIDDEN
    return without_secrets(value)


def _is_command(key: str, value: Any) -> bool:
    is_list = key == COMMAND and isinstance(value, list)
    return is_list and all(isinstance(word, str) for word in value)


def _holds_hidden(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_hidden, value.values()))
    if isinstance(value, list):
        return any(map(_holds_hidden, value))
    return isinstance(value, str) and HIDDEN in value
