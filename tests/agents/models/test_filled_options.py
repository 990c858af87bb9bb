"""What `${NAME}` stands for in a model's options is sent to the API; texts are sent as written."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.profiles.reading import grants_of
from evaltui.core.errors import MissingSecretError
from tests.agents.model_agents import ask, model_agent
from tests.agents.servers import always, answer, serving

ENV = {"THE_KEY": "k3y-planted-4711-secret", "MODEL": "gpt-4o-mini", "TEAM": "blue"}
BODIES: dict[str, dict[str, Any]] = {
    "openai": {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]},
    "anthropic": {"content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn"},
}
NOWHERE: list[dict[str, Any]] = [{"model": "${NOWHERE}"}, {"extra": {"a": {"b": "${NOWHERE}"}}}]


@pytest.mark.parametrize("type_", BODIES)
async def test_model_and_extra_are_filled_in_and_the_prompt_is_not(type_: str) -> None:
    extra = {"metadata": {"team": ["${TEAM}", 3]}, "user": "${WHO:-me}"}
    async with serving(always(answer(BODIES[type_]))) as server:
        agent = model_agent(
            type_, server.url, env=ENV, model="${MODEL}", extra=extra, system="Say ${TEAM}."
        )
        await ask(agent)
    sent = server.asked[0].json
    assert (sent["model"], sent["metadata"], sent["user"]) == (
        "gpt-4o-mini",
        {"team": ["blue", 3]},
        "me",
    )
    assert "Say ${TEAM}." in str(sent)
    assert agent.name == f"{type_}/${{MODEL}}", "no value of a variable is shown"
    assert agent.model.parameters["model"] == "${MODEL}"
    assert agent.hide("gpt-4o-mini") == "***"


@pytest.mark.parametrize("options", NOWHERE)
def test_a_variable_that_is_not_set_is_told_with_its_place(options: dict[str, Any]) -> None:
    with pytest.raises(MissingSecretError, match=r"`NOWHERE` in `(model|extra\.a\.b)`"):
        model_agent("openai", "http://localhost:1", **options)


def test_what_is_filled_in_is_agreed_to() -> None:
    options = {"model": "${MODEL}", "extra": {"a": ["${TEAM}"]}, "system": "${NONE}"}
    (grant,) = grants_of("openai", options, Path(), "agents.mine")
    assert grant.variables == ("MODEL", "OPENAI_API_KEY", "TEAM")
    graph = {
        "url": "http://a.example",
        "assistant_id": "${GRAPH}",
        "configurable": {"a": {"b": "${C}"}},
        "input": {"c": "${NONE}"},
    }
    (grant,) = grants_of("langgraph", graph, Path(), "agents.mine")
    assert grant.variables == ("C", "GRAPH")
