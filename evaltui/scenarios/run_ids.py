"""Conversation ids as people give them: whole, or a prefix."""

from collections.abc import Collection

from evaltui.core.errors import UserError


def the_id(every: Collection[str], wanted: str) -> str:
    """The one of these that is `wanted`, else the only one that begins so; empty for none.

    Raises UserError for several.
    """
    if wanted in every:
        return wanted
    found = [one for one in every if wanted and one.startswith(wanted)]
    if len(found) > 1:
        raise UserError(f"{len(found)} runs begin with `{wanted}`.", "Give more of the id.")
    return found[0] if found else ""
