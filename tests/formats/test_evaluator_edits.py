"""Evaluators of a case are added, changed and removed with as little of the file as possible."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import ContractCase, ScenarioCase, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit
from evaltui.formats.evaluator_edits import EvaluatorPlaces

TEXT = """\
{
  "metadata": {"toolName": "w"},
  "cases": [
    {
      "id": "gs-w-001",
      "input": {"message": "hi"},
      "expect": {"toolsCalled": ["w"]}
    },
    {
      "id": "gs-w-002",
      "input": {"message": "ho"},
      "expect": {},
      "evaluators": [
        {"type": "regex", "config": {"pattern": "a", "absent": true}},
        {"type": "response-length", "config": {"max": 40}}
      ]
    },
    {"id": "gs-w-003", "input": {"message": "x"}, "evaluators": [{"type": "tool-call-count"}]}
  ]
}
"""
LENGTH = EvaluatorUse("response-length", {"max": 40})
REGEX = EvaluatorUse("regex", {"absent": True, "pattern": "a"})
COUNT = EvaluatorUse("tool-call-count")


def places(case: str = "", text: str = TEXT, file: str = "w.golden.json") -> EvaluatorPlaces:
    kind = ScenarioCase if file.endswith(".scenario.json") else ContractCase
    return EvaluatorPlaces(Path(file), text.encode(), kind, (case,) if case else ())


def lines(edit: FileEdit) -> tuple[set[str], set[str]]:
    """Lines that went, and lines that came."""
    before, after = (text.decode().splitlines() for text in (edit.before, edit.after))
    return {one for one in before if one not in after}, {one for one in after if one not in before}


def case_of(edit: FileEdit, number: int) -> dict[str, Any]:
    return json.loads(edit.after)["cases"][number - 1]  # type: ignore[no-any-return]


def test_some_of_a_file_are_edited_and_the_others_left() -> None:
    some = EvaluatorPlaces(
        Path("w.golden.json"), TEXT.encode(), ContractCase, ("gs-w-001", "gs-w-003")
    )
    assert (some.name, some.case_count, some.is_of_one) == ("w.golden.json", 2, False)
    assert [one.use.type for one in some.placed()] == ["tool-call-count"]
    edit = some.added(COUNT)
    assert case_of(edit, 1)["evaluators"] == [{"type": "tool-call-count"}]
    assert case_of(edit, 2) == json.loads(TEXT)["cases"][1]


def test_all_of_a_file_say_which_cases_they_judge() -> None:
    found = {one.use.type: one.cases for one in places().placed()}
    assert found == {
        "regex": ("gs-w-002",),
        "response-length": ("gs-w-002",),
        "tool-call-count": ("gs-w-003",),
    }
    assert [one.use for one in places("gs-w-002").placed()] == [REGEX, LENGTH]


def test_one_more_is_one_more_line() -> None:
    gone, come = lines(places("gs-w-002").added(COUNT))
    assert gone == {'        {"type": "response-length", "config": {"max": 40}}'}
    assert come == {
        '        {"type": "response-length", "config": {"max": 40}},',
        '        {"type": "tool-call-count"}',
    }


def test_the_first_of_a_case_comes_behind_its_other_keys() -> None:
    edit = places("gs-w-001").added(LENGTH)
    gone, _ = lines(edit)
    assert len(gone) == 1
    case = case_of(edit, 1)
    assert list(case) == ["id", "input", "expect", "evaluators"]
    assert case["evaluators"] == [{"type": "response-length", "config": {"max": 40}}]


def test_for_a_file_it_is_added_where_it_is_missing() -> None:
    edit = places().added(LENGTH)
    types = [
        [one["type"] for one in case["evaluators"]] for case in json.loads(edit.after)["cases"]
    ]
    assert types == [
        ["response-length"],
        ["regex", "response-length"],
        ["tool-call-count", "response-length"],
    ]


def test_other_settings_change_their_line_only() -> None:
    edit = places("gs-w-002").changed(LENGTH, EvaluatorUse("response-length", {"max": 50}))
    assert lines(edit)[1] == {'        {"type": "response-length", "config": {"max": 50}}'}
    edit = places("gs-w-002").changed(LENGTH, EvaluatorUse("response-length"))
    assert lines(edit)[1] == {'        {"type": "response-length"}'}
    edit = places("gs-w-002").changed(REGEX, EvaluatorUse("regex", {"pattern": "a"}))
    assert lines(edit)[1] == {'        {"type": "regex", "config": {"pattern": "a"}},'}


@pytest.mark.parametrize(("old", "new"), [(True, 1), (1, True), (0, False)])
def test_a_number_is_not_what_says_yes_or_no(old: object, new: object) -> None:
    """Python takes one for the other."""
    text = TEXT.replace('"absent": true', f'"absent": {json.dumps(old)}')
    before = EvaluatorUse("regex", {"pattern": "a", "absent": old})  # type: ignore[dict-item]
    after = EvaluatorUse("regex", {"pattern": "a", "absent": new})  # type: ignore[dict-item]
    (come,) = lines(places("gs-w-002", text).changed(before, after))[1]
    assert f'"absent": {json.dumps(new)}' in come


def test_what_is_removed_leaves_the_lines_of_the_others() -> None:
    gone, come = lines(places("gs-w-002").removed(REGEX))
    assert len(gone) == 1
    assert not come
    assert [
        one["type"] for one in case_of(places("gs-w-002").removed(LENGTH), 2)["evaluators"]
    ] == ["regex"]


def test_with_the_last_one_the_key_goes() -> None:
    one = TEXT.replace('{"type": "regex", "config": {"pattern": "a", "absent": true}},', "")
    edit = places("gs-w-002", one).removed(LENGTH)
    assert case_of(edit, 2) == {"id": "gs-w-002", "input": {"message": "ho"}, "expect": {}}
    assert edit.after.count(b"\n") == one.count("\n") - 4


def test_a_case_that_nothing_else_judges_keeps_its_last() -> None:
    with pytest.raises(UserError, match="Nothing else judges `gs-w-003`"):
        places("gs-w-003").removed(COUNT)


@pytest.mark.parametrize("shape", ["{}", "[{}]", '{{"scenarios": [{}]}}'])
def test_scenarios_in_every_shape_go_by_id_or_name(shape: str) -> None:
    written = '{"name": "A coat", "evaluators": [{"type": "tool-call-count"}]}'
    text = shape.replace("{{", "{").replace("}}", "}").replace("{}", written)
    here = places("A coat", text, "a.scenario.json")
    assert b"response-length" in here.added(LENGTH).after
    with pytest.raises(UserError, match="Nothing else judges `A coat`"):
        here.removed(COUNT)
    judged = places("A coat", text.replace('"evaluators"', '"successCriteria": "x", "evaluators"'),
                    "a.scenario.json")  # fmt: skip
    assert b"evaluators" not in judged.removed(COUNT).after


def test_what_makes_no_sense_is_said() -> None:
    with pytest.raises(UserError, match="no longer in the file"):
        places("gs-w-009").placed()
    with pytest.raises(UserError, match="says so already"):
        places("gs-w-002").added(LENGTH)
    with pytest.raises(UserError, match="is not a list"):
        places("", '[{"id": "a", "evaluators": {}}]').placed()


def test_those_of_a_trace_are_edited_by_the_id_of_its_case_and_its_judges_remain() -> None:
    first = '{"case_id": "t-1", "evaluators": [{"type": "tool-call-count"}]}'
    text = f'{{"dataset_id": "d", "cases": [{first}, {{"case_id": "t-2"}}]}}'.encode()
    both = EvaluatorPlaces(Path("a.trace.json"), text, TraceCase)
    (known,) = both.placed()
    assert (known.use, known.cases, both.case_count) == (COUNT, ("t-1",), 2)
    one = EvaluatorPlaces(Path("a.trace.json"), text, TraceCase, ("t-2",))
    added = json.loads(one.added(LENGTH).after)["cases"]
    assert added[1] == {
        "case_id": "t-2",
        "evaluators": [{"type": LENGTH.type, "config": {"max": 40}}],
    }
    assert json.loads(both.removed(COUNT).after)["cases"][0] == {"case_id": "t-1"}
