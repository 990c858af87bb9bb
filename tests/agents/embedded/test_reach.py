"""What a message can reach: editing any other tool changes nothing of the decision."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.agents.embedded.model import EmbeddedModel
from evaltui.core.tool import ToolDefinition, ToolRegistry
from tests.agents.embedded.tools import OFFICE, VOCABULARY, decide, registries, spoken

Registry = list[ToolDefinition]


def reach(tools: Iterable[ToolDefinition], message: str) -> frozenset[str]:
    return EmbeddedModel().reach(message, ToolRegistry({t.name: t for t in tools}))


@given(registries, spoken, st.data())
def test_a_tool_out_of_reach_before_and_after_decides_nothing(
    tools: Registry, message: str, data: st.DataObject
) -> None:
    edited = data.draw(st.sampled_from(tools))
    words = data.draw(st.lists(st.sampled_from(VOCABULARY), max_size=8))
    changed = [replace(t, description=" ".join(words)) if t is edited else t for t in tools]
    if edited.name in reach(tools, message) | reach(changed, message):
        return
    assert decide(tools, message) == decide(changed, message)


@given(registries, spoken)
def test_a_tool_out_of_reach_may_as_well_be_absent(tools: Registry, message: str) -> None:
    near = reach(tools, message)
    assert decide(tools, message) == decide([t for t in tools if t.name in near], message)


@given(registries, spoken)
def test_what_is_called_is_in_reach(tools: Registry, message: str) -> None:
    assert set(decide(tools, message).tools) <= reach(tools, message)


def test_a_shared_word_is_enough_and_none_is_not() -> None:
    assert reach(OFFICE, "a flight") == {"find_flights"}
    assert reach(OFFICE, "how does a sextant work") == frozenset()


def test_an_edit_can_bring_a_tool_into_reach() -> None:
    model, message = EmbeddedModel(), "how does a sextant work"
    changed = [replace(OFFICE[0], description="Explains a sextant."), *OFFICE[1:]]
    assert model.reach(message, ToolRegistry({t.name: t for t in OFFICE})) == frozenset()
    registry = ToolRegistry({t.name: t for t in changed})
    assert model.reach(message, registry) == {OFFICE[0].name}
