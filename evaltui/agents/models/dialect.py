"""What differs between model APIs: addresses, headers, bodies, answers."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from evaltui.agents.models.model_options import ModelOptions
from evaltui.agents.models.offered_tools import OfferedTools
from evaltui.agents.models.reply_draft import Draft
from evaltui.agents.profiles.models import AnthropicProfile
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelRequest

_Profile: TypeAlias = type[AnthropicProfile]


class Dialect(Protocol):
    """One kind of API. The methods that read raise AgentError for what breaks its protocol."""

    @property
    def type(self) -> str: ...

    @property
    def profile(self) -> _Profile:
        """What its agents may be told."""
        ...

    @property
    def default_url(self) -> str: ...

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key when no `api_key` is given."""
        ...

    def path(self, base_path: str) -> str:
        """Where to post, below the path of `base_url`."""
        ...

    def headers(self, key: str) -> Mapping[str, str]: ...

    def spell_tool(
        self, name: str, description: str | None, schema: dict[str, Json]
    ) -> dict[str, Any]: ...

    def body(
        self, options: ModelOptions, request: ModelRequest, tools: OfferedTools
    ) -> dict[str, Any]:
        """The request's body, without the options' `extra`."""
        ...

    def read_whole(self, answer: JsonObject, draft: Draft) -> None:
        """Take over an answer that came at once."""
        ...

    def read_event(self, event: JsonObject, draft: Draft) -> None:
        """Take over one event of a stream; `draft.is_complete` is set by the last one."""
        ...
