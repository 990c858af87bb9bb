"""The profile of a LangGraph server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from evaltui.agents.profiles.grants import sending_to
from evaltui.agents.profiles.options import OutsideOptions, PersonaHeaders, Retries, all_values
from evaltui.core.permit import Grant
from evaltui.core.variable import texts_in
from evaltui.settings.written import SecretText, Text


class LangGraphProfile(OutsideOptions):
    base_url: SecretText | None = Field(
        None, examples=["http://localhost:2024"], description="address of the server"
    )
    url: SecretText | None = Field(None, description="another name for `base_url`")
    assistant_id: Text = Field("default", description="assistant or graph, or `${NAME}`")
    headers: dict[str, str] = Field({}, description="`${NAME}` is filled in")
    persona_headers: PersonaHeaders = Field(
        {}, description="further headers for each persona of a scenario, by its name"
    )
    configurable: dict[str, Any] = Field({}, description="`configurable` of the run's config")
    thread: bool = Field(False, description="whether each conversation gets its own thread")
    input: dict[str, Any] = Field({}, description="further keys of the graph's input")
    messages_key: Text = "messages"
    retries: Retries = 0

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        texts = (*texts_in(self.configurable), *all_values(self.persona_headers))
        filled = (self.assistant_id, *self.headers.values(), *texts)
        yield sending_to(self.base_url or self.url or "", filled, root, by)
