"""What must hold for every decision of the router."""

import json
import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.agents.embedded.explanation import as_json, explain
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.route import SHOWN, route
from evaltui.core.tool import ToolDefinition, ToolStatus
from tests.agents.embedded.tools import (
    DELETE_INVOICE,
    MESSAGES,
    OFFICE,
    SEND_EMAIL,
    VOCABULARY,
    decide,
    p_of,
    registries,
    schema,
    spoken,
)

Registry = list[ToolDefinition]


@given(registries, spoken, st.randoms())
def test_the_order_of_tools_in_a_file_does_not_matter(
    tools: Registry,
    message: str,
    random: Random,
) -> None:
    shuffled = list(tools)
    random.shuffle(shuffled)
    assert decide(tools, message) == decide(shuffled, message)


PROBE = """
import json
from evaltui.agents.embedded.explanation import as_json
from tests.agents.embedded.tools import MESSAGES, OFFICE, decide
print(json.dumps([as_json(decide(OFFICE, message)) for message in MESSAGES]))
"""


@pytest.mark.slow
def test_the_hash_seed_does_not_matter() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", PROBE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(said) == 1
    assert json.loads(said.pop()) == json.loads(
        json.dumps([as_json(decide(OFFICE, message)) for message in MESSAGES])
    )


@given(registries, spoken, st.data())
def test_editing_one_tool_never_moves_the_score_of_another(
    tools: Registry, message: str, data: st.DataObject
) -> None:
    edited = data.draw(st.sampled_from(tools))
    words = data.draw(st.lists(st.sampled_from(VOCABULARY), max_size=8))
    changed = [replace(t, description=" ".join(words)) if t is edited else t for t in tools]
    before, after = decide(tools, message), decide(changed, message)
    for tool in tools:
        if tool is not edited:
            assert p_of(before, tool.name) == p_of(after, tool.name)


@given(registries, spoken)
def test_a_tool_scores_alone_as_it_does_among_others(tools: Registry, message: str) -> None:
    together = decide(tools, message)
    for tool in tools:
        assert p_of(decide([tool], message), tool.name) == p_of(together, tool.name)


@given(registries, spoken, st.data())
def test_describing_more_of_the_message_never_lowers_a_tool(
    tools: Registry, message: str, data: st.DataObject
) -> None:
    tool = data.draw(st.sampled_from(tools))
    said = message.split()
    # "not for ..." added as words of the message is a restriction, not a description.
    plain = [word for word in said if word.strip(".,").lower() not in {"not", "no"}]
    added = data.draw(st.lists(st.sampled_from(plain), max_size=6)) if plain else []
    richer = replace(tool, description=f"{tool.description}. {' '.join(added)}")
    before = p_of(decide([tool], message), tool.name) or 0.0
    after = p_of(decide([richer], message), tool.name) or 0.0
    assert after >= before - 1e-12


def test_an_empty_description_is_no_advantage() -> None:
    for message in MESSAGES:
        for tool in OFFICE:
            bare = p_of(decide([replace(tool, description="")], message), tool.name) or 0.0
            said = replace(tool, description=message)
            assert bare <= (p_of(decide([said], message), tool.name) or 0.0)


@given(registries, spoken)
def test_taking_a_description_away_never_raises_a_tool(tools: Registry, message: str) -> None:
    for tool in tools:
        bare = p_of(decide([replace(tool, description=None)], message), tool.name) or 0.0
        described = p_of(decide([tool], message), tool.name) or 0.0
        # What it is not for counts against it: without these words it may well be wanted.
        if not {"not", "no"} & set((tool.description or "").split()):
            assert bare <= described or bare < 0.1, (tool, message)


def test_a_name_alone_is_still_called() -> None:
    bare = [replace(tool, description=None) for tool in OFFICE]
    assert decide(bare, MESSAGES[0]).tools == ("create_invoice",)


@given(registries, spoken)
def test_probabilities_margin_and_calls_agree(tools: Registry, message: str) -> None:
    decision = decide(tools, message)
    found = [candidate.p for candidate in decision.candidates]
    assert found == sorted(found, reverse=True)
    assert all(0 < p < 1 for p in found)
    assert len(set(decision.tools)) == len(decision.tools)
    if not found or found[0] < 0.4:
        assert decision.calls == ()
    else:
        assert decision.candidates[0].tool in decision.tools
    second = found[1] if len(found) > 1 else 0.0
    assert decision.margin == (found[0] - second if found else 0.0)


@given(registries, spoken)
def test_what_is_left_out_could_not_have_been_among_the_best(tools: Registry, message: str) -> None:
    crowd = [replace(t, name=f"{t.name}_{i}") for i in range(3) for t in tools]
    shown = {c.tool: c.p for c in decide(crowd, message).candidates}
    alone = {t.name: p for t in crowd if (p := p_of(decide([t], message), t.name)) is not None}
    best = sorted(alone.values(), reverse=True)[:SHOWN]
    assert sorted(shown.values(), reverse=True) == best


def test_removed_tools_are_never_called() -> None:
    gone = replace(SEND_EMAIL, status=ToolStatus.REMOVED)
    message = "Send an email to ann@example.com that says 'hello'"
    assert decide([SEND_EMAIL], message).tools == ("send_email",)
    assert decide([gone], message).candidates == ()


def test_verbs_tell_sibling_tools_apart() -> None:
    assert decide(OFFICE, MESSAGES[0]).tools == ("create_invoice",)
    assert decide(OFFICE, MESSAGES[1]).tools == ("delete_invoice",)


def test_several_tools_come_in_the_order_of_the_message() -> None:
    forward = "Delete invoice INV-204. Then send an email to bob@example.com with the body 'gone'"
    backward = "Send an email to bob@example.com with the body 'gone'. Then delete invoice INV-204"
    assert decide(OFFICE, forward).tools == ("delete_invoice", "send_email")
    assert decide(OFFICE, backward).tools == ("send_email", "delete_invoice")


@pytest.mark.parametrize(
    "message", ["", "   ", "?!", "the of and", "请问北京的天气", "\ud800", "x" * 9000]
)
def test_odd_messages_call_nothing(message: str) -> None:
    assert decide(OFFICE, message).tools == ()


def test_the_threshold_decides() -> None:
    message = "Please delete the invoice with number INV-204"
    p = p_of(decide([DELETE_INVOICE], message), "delete_invoice") or 0.0
    assert decide([DELETE_INVOICE], message, p - 0.01).tools == ("delete_invoice",)
    assert decide([DELETE_INVOICE], message, p + 0.01).tools == ()


def test_one_edit_prepares_one_document() -> None:
    before = build_index(OFFICE)
    again = build_index([replace(tool) for tool in OFFICE], before)
    assert all(again.documents[n] is before.documents[n] for n in before.documents)
    edited = build_index(
        [replace(t, description="Else") if t is SEND_EMAIL else t for t in OFFICE], before
    )
    moved = [n for n in before.documents if edited.documents[n] is not before.documents[n]]
    assert moved == ["send_email"]


def test_two_tools_that_say_the_same_tie_by_name() -> None:
    twins = [
        ToolDefinition(name, "Looks up a parcel", parameters=schema("parcel_id"))
        for name in ("zzzz_tracking", "qqqq_tracking")
    ]
    decision = decide(twins, "Look up the parcel AB-1234")
    assert decision.tools == ("qqqq_tracking",)
    (warning,) = decision.warnings
    for part in ("`qqqq_tracking`", "`zzzz_tracking`", "tie", "`parcel`"):
        assert part in warning


def test_every_reason_is_shown() -> None:
    decision = decide(OFFICE, MESSAGES[1])
    text = "\n".join(explain(decision))
    for part in ("delete_invoice", "cover", "fill", "description: ", "invoice_number = 'INV-204'"):
        assert part in text
    said: Any = as_json(decision)
    assert said["tools"][0]["params"]["invoice_number"]["from"] == "INV-204"
    json.dumps(as_json(decision))


def test_thirty_tools_decide_quickly() -> None:
    """A generous bound; `benchmarks/bfcl.py` measures."""
    from time import thread_time

    tools = [replace(t, name=f"{t.name}_{i}") for i in range(8) for t in OFFICE]
    index = build_index(tools)
    began = thread_time()
    for _ in range(20):
        for message in MESSAGES:
            route(index, message)
    assert (thread_time() - began) / (20 * len(MESSAGES)) < 0.02


def test_two_tools_that_are_both_called_do_not_overlap() -> None:
    message = "Delete invoice INV-204. Then send an email to bob@example.com with the body 'gone'"
    decision = decide(OFFICE, message)
    assert len(decision.tools) == 2
    assert decision.margin < 0.1
    assert decision.warnings == ()


@pytest.mark.parametrize(
    ("message", "script"),
    [
        ("请问北京的天气", "Chinese"),
        ("Погода в Москве", "Cyrillic"),
        ("오늘 날씨 알려줘", "Korean"),
        ("ما هو الطقس", "Arabic"),
        ("Which flights go from Oslo to Lisbon?", ""),
        ("Äpfel für Jürgen", ""),
        ("Create an invoice of 250 for the customer 王伟", ""),
    ],
)
def test_a_message_in_a_script_that_is_not_read_is_said_to_be(message: str, script: str) -> None:
    notes = decide(OFFICE, message).notes
    assert [script in note for note in notes] == ([True] if script else [])
