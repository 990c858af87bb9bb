"""Profiles as they are written, held against the model of their type."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from evaltui.agents import AGENTS, imported, type_hint
from evaltui.agents.profiles.options import AgentOptions
from evaltui.core.permit import Grant
from evaltui.settings.mistakes import check, keep_valid
from evaltui.settings.sentences import Mistake, Wording

P = TypeVar("P", bound=AgentOptions)

UNKNOWN_TYPE = "unknown-type"
"""Code of the mistake in a profile that makes all the others unknowable."""


def read_profile(model: type[P], type_: str, options: Mapping[str, Any]) -> P:
    """The options of an agent of that type. Raises UserError with the first mistake."""
    return check(model, options, _wording(type_))


def profile_mistakes(type_: str, options: Mapping[str, Any]) -> list[Mistake]:
    """All that is wrong with a profile; paths begin at its table."""
    if type_ not in AGENTS:
        what = f"There is no agent type `{type_}`"
        return [Mistake(("type",), what, type_hint(type_), UNKNOWN_TYPE)]
    return keep_valid(profile_of(type_), options, _wording(type_))[1]


def profile_of(type_: str) -> type[AgentOptions]:
    """What a profile of a type that there is may say."""
    found: type[AgentOptions] = imported(AGENTS[type_].profile)
    return found


def grants_of(type_: str, options: Mapping[str, Any], root: Path, by: str) -> tuple[Grant, ...]:
    """What an agent would run, send or read outside; nothing of one that cannot be made."""
    if type_ not in AGENTS:
        return ()
    written, _ = keep_valid(profile_of(type_), options, _wording(type_))
    return () if written is None else tuple(written.grants(root, by))


def _wording(type_: str) -> Wording:
    return Wording(noun=f"option of `{type_}` agents")
