"""What a profile may say of an agent, whatever its type."""

import pytest

from evaltui.agents import AGENTS
from evaltui.agents.profiles.http import HttpProfile
from evaltui.agents.profiles.models import OpenAiProfile
from evaltui.agents.profiles.programs import CommandProfile
from evaltui.agents.profiles.reading import profile_of, read_profile
from evaltui.core.errors import UserError
from tests.test_schemas import accepts

LEAST = {
    "embedded": {},
    "http": {"url": "http://localhost:1/"},
    "openai": {"model": "m"},
    "anthropic": {"model": "m"},
    "langgraph": {"base_url": "http://localhost:1"},
    "command": {"command": "node agent.js"},
    "python": {"function": "agent:answer"},
}


@pytest.mark.parametrize("type_", AGENTS)
def test_the_schema_for_editors_knows_each_type(type_: str) -> None:
    table = {"type": type_, **LEAST[type_], "is_free": True, "max_cost_usd": 1}
    assert accepts("agent", table)
    assert not accepts("agent", {**table, "nonsense": 1})
    assert read_profile(profile_of(type_), type_, LEAST[type_]).given() == LEAST[type_]


def test_options_may_be_spelled_as_in_json_and_null_is_absent() -> None:
    options = {"model": "m", "maxTokens": 5.0, "seed": None}
    assert read_profile(OpenAiProfile, "openai", options).given() == {
        "model": "m", "max_tokens": 5,
    }  # fmt: skip


def test_methods_may_be_written_small() -> None:
    assert read_profile(HttpProfile, "http", {"url": "x", "method": "put"}).method == "PUT"


def test_a_command_is_text_or_words() -> None:
    for command in ("a b", ["a", "b"]):
        assert read_profile(CommandProfile, "command", {"command": command}).command == command
    with pytest.raises(UserError, match="`command` is a list"):
        read_profile(CommandProfile, "command", {"command": []})


def test_what_may_be_a_secret_is_not_repeated() -> None:
    for options in ({"model": "m", "api_key": ["s3cret"]}, {"model": "m", "api_key": "s3cret\0"}):
        with pytest.raises(UserError) as caught:
            read_profile(OpenAiProfile, "openai", options)
        assert "s3cret" not in str(caught.value)
