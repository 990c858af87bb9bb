"""Which edits of a tool can change a decision: those of tools that are shown for it, no others."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.agents.embedded.explanation import as_json
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.model import EmbeddedModel
from evaltui.agents.embedded.route import SHOWN, entering
from evaltui.core.response import AgentResponse
from evaltui.core.tool import ToolDefinition
from tests.agents.embedded.tools import MESSAGES, OFFICE, VOCABULARY, decide, registries, spoken

Registry = list[ToolDefinition]


def shown(tools: Registry, message: str) -> list[str]:
    return [candidate.tool for candidate in decide(tools, message).candidates]


@given(registries, spoken, st.data())
def test_a_tool_enters_exactly_when_it_is_shown_after_the_edit(
    tools: Registry, message: str, data: st.DataObject
) -> None:
    crowd = [replace(t, name=f"{t.name}_{i}") for i in range(4) for t in tools]
    edited = data.draw(st.sampled_from(crowd))
    words = data.draw(st.lists(st.sampled_from([*VOCABULARY, *message.split()]), max_size=8))
    changed = [replace(t, description=" ".join(words)) if t is edited else t for t in crowd]
    before, after = shown(crowd, message), shown(changed, message)
    if edited.name not in before:
        found = entering(build_index(changed), message, before, [edited.name])
        assert found == ({edited.name} & {*after})
        if not found:
            assert as_json(decide(crowd, message)) == as_json(decide(changed, message))


def test_both_happen() -> None:
    """Else the property above would say nothing."""
    crowd = [replace(t, name=f"{t.name}_{i}") for i in range(9) for t in OFFICE]
    random, entered, stayed_out = Random(11), 0, 0
    for message in MESSAGES[:5]:
        before = shown(crowd, message)
        assert len(before) == SHOWN
        for tool in crowd:
            if tool.name in before:
                continue
            text = f"{tool.description} {message}" if random.random() < 0.5 else "Else."
            index = build_index([replace(t, description=text) if t is tool else t for t in crowd])
            found = entering(index, message, before, [tool.name])
            entered += bool(found)
            stayed_out += not found
    assert entered > 20
    assert stayed_out > 20


def test_the_tools_that_were_weighed_are_told_of_an_answer() -> None:
    model, decision = EmbeddedModel(), decide(OFFICE, MESSAGES[0])
    response = AgentResponse("", (), 1.0, explanation=as_json(decision))
    assert model.considered(response) == tuple(c.tool for c in decision.candidates)
    assert model.considered(AgentResponse("", (), 1.0)) is None
