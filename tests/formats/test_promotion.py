"""From a message of a trace to a case: what was called becomes what is expected."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase, TraceCase
from evaltui.core.errors import UserError
from evaltui.core.trace import Event
from evaltui.disk.file_edits import apply_edit, revert_edit
from evaltui.formats import read_suite
from evaltui.formats.naming import suite_tools
from evaltui.formats.promotion import promote

FILE = Path("evals/support.labeled.json")


def said(idx: int, text: Any) -> Event:
    return Event(idx, actor="user", type="message", input=text)


def call(idx: int, tool: str, params: Any) -> Event:
    return Event(idx, actor="agent", type="tool_call", tool=tool, input=params)


def result(idx: int, tool: str, output: Any = None, error: str | None = None) -> Event:
    return Event(idx, actor="tool", type="tool_result", tool=tool, output=output, error=error)


TWO = (
    said(0, "Where is SO-1?"),
    call(1, "find_order", {"id": "SO-1", "deep": {"a": 1}, "token": "{{seed:x}}"}),
    result(2, "find_order", {"state": "sent"}),
    Event(3, actor="assistant", type="message", output="Sent"),
    said(4, "Refund it"),
    call(5, "refund", {"id": "SO-1"}),
    result(6, "refund", error="busy"),
    call(7, "refund", {"id": "SO-1"}),
    result(8, "refund", {"paid": 5}),
)


def trace(events: tuple[Event, ...] = TWO, id_: str = "tr-1") -> Case:
    return Case(CaseKey("evals/s.trace.json", id_), TraceCase("", trace=events))


def entry(case: Case, event: int | None = None, content: bytes | None = None) -> dict[str, Any]:
    """The case that the file holds afterwards, as its last."""
    edit = promote(FILE, content, case, event)
    read = read_suite(FILE.absolute(), FILE.absolute().parent.parent, edit.after)
    assert read.suite is not None
    assert not [one for one in read.problems if one.severity == "error"]
    last: dict[str, Any] = json.loads(edit.after)["cases"][-1]
    return last


def test_the_first_message_with_its_calls_and_their_results() -> None:
    found = entry(trace())
    assert found["input"] == {"message": "Where is SO-1?"}
    assert found["expect"]["toolsCalled"] == ["find_order"]
    assert found["expect"]["noToolErrors"] is True
    assert found["stubs"] == {"find_order": {"state": "sent"}}


def test_values_that_no_text_can_equal_have_to_be_there() -> None:
    params = entry(trace())["expect"]["toolParams"]
    assert [(one["paramName"], one["assertion"], one.get("value")) for one in params] == [
        ("id", "equals", "SO-1"),
        ("deep", "exists", None),
        ("token", "exists", None),
    ]


@pytest.mark.parametrize("event", [None, 4])
def test_a_case_that_the_file_has_is_not_written_again(event: int | None) -> None:
    once = promote(FILE, None, trace(), event).after
    name = "tr-1" if event is None else "tr-1-4"
    with pytest.raises(UserError, match=f"`{FILE.name}` has this case already, as `{name}`"):
        promote(FILE, once, trace(), event)
    assert promote(FILE, once, trace(), event, "other").after != once
    edited = once.replace(b"SO-1?", b"SO-2?").replace(b"Refund it", b"Refund all")
    assert promote(FILE, edited, trace(), event).after != edited


@pytest.mark.parametrize("event", [4, 6, 8])
def test_an_event_stands_for_the_message_before_it_and_a_call_made_again_for_both(
    event: int,
) -> None:
    found = entry(trace(), event)
    assert (found["id"], found["input"]["message"]) == ("tr-1-4", "Refund it")
    assert found["expect"]["toolsCalled"] == ["refund"]
    assert found["stubs"] == {"refund": {"paid": 5}}


def test_a_call_whose_result_is_not_known_has_no_stub() -> None:
    found = entry(trace((said(0, "hi"), call(1, "find_order", {}))))
    assert "stubs" not in found
    assert found["expect"] == {"toolsCalled": ["find_order"]}


def test_calls_of_one_tool_keep_their_parameters_and_results_that_have_no_place_are_told() -> None:
    asked = (
        said(0, "Bern and Rome?"),
        call(1, "get_weather", {"city": "Bern"}),
        call(2, "get_weather", {"city": "Rome", "where": {"$any": 1}}),
        call(3, "get_weather", {"city": "Bern"}),
        result(4, "get_weather", {"deg": 12}),
        result(5, "get_weather", {"deg": 24}),
        result(6, "get_weather", {"deg": 12}),
    )
    found = entry(trace(asked))
    assert found["expect"]["toolsCalled"] == ["get_weather"] * 3
    assert [one["value"] for one in found["expect"]["toolParams"]] == ["Bern"]
    wanted = {"city": "Rome", "where": {"$equals": {"$any": 1}}}
    second = {"tool": "get_weather", "arguments": wanted}
    assert found["evaluators"] == [{"type": "tool-arguments", "config": second}]
    assert found["stubs"] == {"get_weather": {"deg": 12}}
    content = promote(FILE, None, trace(), None).after
    for before in (None, content):
        (told,) = promote(FILE, before, trace(asked), None, "new").left_out
        assert 'call 2 of `get_weather`, {"deg": 24}' in told
    assert promote(FILE, None, trace(), 0).left_out == ()


def test_that_the_first_of_several_messages_is_taken_is_told_where_none_was_chosen() -> None:
    told = (
        "Left out: all but the first of 2 messages of a user (events 0, 4). "
        "`--event` takes another.",
    )
    assert promote(FILE, None, trace()).left_out == told
    assert promote(FILE, None, trace(), 4).left_out == ()
    assert promote(FILE, None, trace(TWO[:4])).left_out == ()


def test_a_new_file_is_about_the_tool_called_first_and_values_are_texts() -> None:
    params = {"people": 2, "outside": True, "share": 0.5, "time": "20:00"}
    asked = (said(0, "A table?"), call(1, "book", params), call(2, "book", params))
    one = json.loads(promote(FILE, None, trace(asked), None).after)
    assert one["metadata"] == {"toolName": "book"}
    values = {each["paramName"]: each["value"] for each in one["cases"][0]["expect"]["toolParams"]}
    assert values == {"people": "2", "outside": "true", "share": "0.5", "time": "20:00"}
    several = json.loads(promote(FILE, None, trace((*asked, call(3, "pay", {}))), None).after)
    assert several["metadata"] == {"toolName": "book"}


def test_a_new_file_of_a_case_that_calls_no_tool_is_not_about_the_one_it_is_called_after() -> None:
    edit = promote(FILE, None, trace(TWO[:1]))
    read = read_suite(FILE.absolute(), FILE.absolute().parent.parent, edit.after)
    assert (read.suite is not None, read.problems) == (True, ())
    assert read.suite is not None and suite_tools(read.suite) == ()
    again = promote(FILE, edit.after, trace(TWO[4:]))
    assert json.loads(again.after)["metadata"] == {"toolName": ""}


def test_what_stands_in_the_file_stays_as_it_is_and_ids_are_taken_once() -> None:
    first = promote(FILE, None, trace(), None).after
    both = promote(FILE, first, trace(TWO[4:]), None).after
    assert [one["id"] for one in json.loads(both)["cases"]] == ["tr-1", "tr-1-2"]
    assert both.startswith(first.rstrip().removesuffix(b"]\n}").rstrip())


def test_an_id_like_a_path_becomes_a_plain_one() -> None:
    found = entry(trace(id_="../../etc/\x1bpasswd" + "x" * 500))
    assert found["id"].isascii()
    assert found["id"].startswith("etc-passwd")
    assert len(found["id"]) <= 60


@pytest.mark.parametrize(
    ("name", "content", "event", "says"),
    [
        ("a.trace.json", None, None, "not a file for cases"),
        ("a.scenario.json", None, None, "not a file for cases"),
        ("a.toml", None, None, "not a file for cases"),
        ("a.json", b'{"dataset_id": "w", "cases": []}', None, "no list of cases"),
        ("a.json", b'{"a": 1}', None, "no list of cases"),
        ("a.json", b"{", None, "not valid JSON"),
        ("a.json", None, 99, "no event 99"),
    ],
)
def test_what_makes_no_sense_is_refused(
    name: str, content: bytes | None, event: int | None, says: str
) -> None:
    with pytest.raises(UserError, match=says):
        promote(Path(name), content, trace(), event)


def test_only_a_trace_in_which_somebody_speaks_can_become_a_case() -> None:
    with pytest.raises(UserError, match="is not a trace"):
        promote(FILE, None, Case(CaseKey("s", "c"), ContractCase("hi")), None)
    with pytest.raises(UserError, match="no user says"):
        promote(FILE, None, trace((call(0, "a", {}),)), None)
    with pytest.raises(UserError, match="Before event 0"):
        promote(FILE, None, trace((call(0, "a", {}), said(1, "hi"))), 0)


def test_it_is_taken_back_as_other_edits_are(tmp_path: Path) -> None:
    file = tmp_path / "new" / "a.json"
    edit = promote(file, None, trace(), None)
    assert any(line.startswith("+") and "Where is SO-1?" in line for line in edit.diff)
    apply_edit(edit)
    assert json.loads(file.read_text())["cases"]
    revert_edit(edit)
    assert not file.exists()
