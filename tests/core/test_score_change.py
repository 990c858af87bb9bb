"""Which words a tool's score lost or won; the figures are the embedded router's on the samples."""

import pytest
from msgspec.structs import replace

from evaltui.agents.embedded.explanation import as_json
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.route import route
from evaltui.core.json_value import JsonObject
from evaltui.core.score_change import ScoreChange, score_changes
from evaltui.core.tool import ToolRegistry
from evaltui.registries.reader import read_registry
from evaltui.settings.load import load_config
from tests.sample_project import SAMPLES

MESSAGE = "Postpone the meeting EV-17 to 2026-10-06"


@pytest.fixture(scope="module")
def registry() -> ToolRegistry:
    return read_registry(SAMPLES, load_config(SAMPLES).config.registries).registry


def weighed(registry: ToolRegistry, before: str = "", after: str = "") -> JsonObject:
    """What the router says of the message once move_event's description was edited."""
    tools = dict(registry.tools)
    tool = tools["move_event"]
    assert tool.description is not None
    assert before in tool.description
    tools["move_event"] = replace(tool, description=tool.description.replace(before, after))
    return as_json(route(build_index(ToolRegistry(tools)), MESSAGE))


def test_a_word_taken_out_is_lost_and_put_back_is_won(registry: ToolRegistry) -> None:
    whole, without = weighed(registry), weighed(registry, ", postpone", "")
    (lost,) = score_changes(whole, without)
    assert lost == ScoreChange("move_event", 0.7509, 0.5039, -1.0875, ("postpone",))
    (won,) = score_changes(without, whole)
    assert won == ScoreChange("move_event", 0.5039, 0.7509, 1.0875, (), ("postpone",))


def test_words_of_both_kinds_and_those_it_is_not_for(registry: ToolRegistry) -> None:
    whole = weighed(registry)
    (both,) = score_changes(whole, weighed(registry, "a meeting", "EV events"))
    assert (both.lost, both.won, both.moved) == (("meeting",), ("ev",), 0.1792)
    refusing = weighed(registry, "bring forward a meeting.", "bring forward. Not for a meeting.")
    (against,) = score_changes(whole, refusing)
    assert against == ScoreChange("move_event", 0.7509, 0.627, -0.5842, refused=("meeting",))
    (again,) = score_changes(refusing, whole)
    assert again == ScoreChange("move_event", 0.627, 0.7509, 0.5842, allowed=("meeting",))


def test_what_did_not_move_or_cannot_be_read_says_nothing(registry: ToolRegistry) -> None:
    whole = weighed(registry)
    assert score_changes(whole, whole) == ()
    assert score_changes({}, whole) == score_changes(whole, {}) == ()
    odd: JsonObject = {"tools": [{"name": "move_event", "matched": 3, "terms": None}, 7]}
    assert score_changes(odd, odd) == ()


def test_evidence_of_another_shape_says_nothing() -> None:
    odd: list[JsonObject] = [{}, {"tools": "move_event"}, {"tools": ["move_event"]}]
    assert [score_changes(one, one) for one in odd] == [()] * 3
    bare: JsonObject = {
        "tools": [{"name": "a", "matched": [], "against": "b", "terms": 3, "p": "high"}]
    }
    full: JsonObject = {
        "tools": [{"name": "a", "matched": {"b": ["name"]}, "terms": {"b": 1, "c": "x"}}]
    }
    assert score_changes(bare, full) == (ScoreChange("a", 0.0, 0.0, 1.0, (), ("b",)),)


def test_a_word_that_a_tool_only_says_it_is_not_for_is_refused_and_then_allowed() -> None:
    plain: JsonObject = {"tools": [{"name": "a", "against": ["x"]}, {"name": "new"}]}
    more: JsonObject = {"tools": [{"name": "a", "against": ["x", "y"]}]}
    (refused,), (allowed,) = score_changes(plain, more), score_changes(more, plain)
    assert (refused.refused, refused.allowed) == (("y",), ())
    assert (allowed.refused, allowed.allowed) == ((), ("y",))
