"""Checks the options of an agent's profile by name."""

from collections.abc import Iterable

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError


def check_options(type_: str, options: Iterable[str], known: Iterable[str]) -> None:
    """Raise UserError for the first option that agents of this type do not know."""
    allowed = tuple(known)
    for option in options:
        if option not in allowed:
            raise UserError(
                f"Agents of type `{type_}` have no option `{option}`.", hint_for(option, allowed)
            )


def hint_for(word: str, known: Iterable[str]) -> str:
    """`Did you mean ...?` for a near miss, else the list of what there is."""
    names = sorted(known)
    return did_you_mean(word, names) or f"Known: {', '.join(f'`{name}`' for name in names)}."
