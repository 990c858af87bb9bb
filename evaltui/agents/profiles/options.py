"""What all profiles of agents share."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field

from evaltui.core.permit import Grant
from evaltui.settings.written import WHOLE, Written

Retries: TypeAlias = Annotated[int, Field(ge=0), WHOLE]
PersonaHeaders: TypeAlias = dict[str, dict[str, str]]
"""By a persona of a scenario: headers of its own."""


class AgentOptions(Written):
    """What every type of agent knows."""

    is_free: bool | None = Field(
        None,
        description="whether it is free, so that possibly affected cases rerun without asking",
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        """All that the agent would run, send or read outside of the project; `by` names it."""
        raise NotImplementedError


class OutsideOptions(AgentOptions):
    """What agents share that choose among tools which they may have from anywhere."""

    reads_registry: bool | None = Field(
        None,
        description="`false`: the agent does not use the tool definitions that evaltui reads, so "
        "editing them cannot affect its cases",
    )


def all_values(tables: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Of all personas."""
    return (value for table in tables.values() for value in table.values())
