"""The context that evaluators get, in the shape of their contract."""

from collections.abc import Iterator

from evaltui.core.case import ScenarioCase
from evaltui.core.chat_format import message_json
from evaltui.core.check import CheckContext
from evaltui.core.json_value import Json
from evaltui.core.made_messages import made_messages
from evaltui.core.response import AgentResponse
from evaltui.evaluators.kit.evaltui.evaluator_context import last_turn


def context_json(context: CheckContext) -> dict[str, Json]:
    """All but the settings of the evaluator: conversation, scenario, last turn.

    Of a case its id is the name of the scenario. What an agent did not report is left out, and
    where it reported no messages they are made of its answer and its calls.
    """
    response = context.response
    messages = context.messages or response.messages
    conversation = [*map(message_json, messages)]
    if not any(message["role"] == "assistant" for message in conversation):
        conversation = [{"role": "user", "content": context.case.message}, *_made(response)]
    first = last_turn(conversation)
    if 0 < len(response.messages) < len(context.messages):
        # A turn of a conversation has its own: a seed may stand behind the user's line too.
        first = len(conversation) - len(response.messages)
    last: dict[str, Json] = {"latencyMs": response.duration_ms, "messages": [*conversation[first:]]}
    if response.usage is not None:
        if told := response.usage.told_tokens:
            last["tokensUsage"] = dict(told)
        if response.usage.cost_usd is not None:
            last["costUsd"] = response.usage.cost_usd
    if not response.tells_calls:
        last["toolCallsReported"] = False
    seen: dict[str, Json] = {"messages": [*conversation], "scenario": {"name": context.case.id}}
    if isinstance(context.case.body, ScenarioCase):
        seen |= _played(context.case.body)
    return seen | {
        "lastInvocation": last,
        "turn": context.turn,
        "isFinal": context.is_final,
    }


def _played(body: ScenarioCase) -> dict[str, Json]:
    scenario: dict[str, Json] = {"name": body.name}
    if not body.is_default_limit:
        scenario["maxMessages"] = body.max_messages
    if body.instructions:
        scenario["instructions"] = body.instructions
    persona: dict[str, Json] = {"name": body.persona.name}
    if body.persona.description:
        persona["description"] = body.persona.description
    seen: dict[str, Json] = {"scenario": scenario}
    if body.persona.name:
        seen["persona"] = persona
    return seen


def _made(response: AgentResponse) -> Iterator[dict[str, Json]]:
    """As OpenAI's format has them: a message that only calls has no content."""
    for message in made_messages(response):
        said = message_json(message)
        if message.tool_calls:
            said["content"] = None
        yield said
