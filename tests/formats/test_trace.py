"""Suites of traces among the eval files: recognized, and every mistake at its place."""

import json
from pathlib import Path
from typing import Any

from evaltui.core.case import Tier, TraceCase
from evaltui.core.errors import Severity
from evaltui.formats import ReadSuite, read_suite

EVENT = {"idx": 0, "actor": "agent", "type": "message", "output": "hello"}


def read(value: Any, name: str = "evals/weather.json") -> ReadSuite:
    text = json.dumps(value, indent=1).encode()
    return read_suite(Path("/p") / name, Path("/p"), text)


def case(id_: str = "bern", **fields: Any) -> dict[str, Any]:
    return {"case_id": id_, "trace": [EVENT], **fields}


def test_a_suite_is_known_by_its_data_set_by_a_case_or_by_its_name() -> None:
    for value, name in (
        ({"dataset_id": "w", "cases": []}, "evals/a.json"),
        ({"cases": [case()]}, "evals/a.json"),
        ({"cases": []}, "a.trace.json"),
    ):
        found = read(value, name).suite
        assert found is not None
        assert found.tier is Tier.TRACE
    other = read({"cases": [{"id": "gs-a-1", "input": {"message": "hi"}, "expect": {}}]})
    assert other.suite is not None
    assert other.suite.tier is Tier.GOLDEN


def test_a_case_says_what_happened_and_where_it_stands() -> None:
    suite = read({"dataset_id": "weather", "cases": [case(input="Bern?")]}).suite
    assert suite is not None
    (one,) = suite.cases
    assert isinstance(one.body, TraceCase)
    assert (one.key.suite, one.id, one.line) == ("evals/weather.json", "bern", 4)
    assert (one.message, one.body.trace[0].output, one.invalid) == ("Bern?", "hello", "")


def test_a_broken_case_is_named_with_its_place_and_the_others_stay() -> None:
    broken = case("b", trace=[{**EVENT, "idx": "x"}])
    found = read({"dataset_id": "w", "cases": [case(), broken, case("c")]})
    assert found.suite is not None
    assert [(one.id, bool(one.invalid)) for one in found.suite.cases] == [
        ("bern", False),
        ("b", True),
        ("c", False),
    ]
    (problem,) = found.problems
    assert (problem.key, problem.what) == (
        "cases[1].trace[0].idx",
        "Expected a whole number, found text",
    )
    text = json.dumps({"dataset_id": "w", "cases": [case(), broken, case("c")]}, indent=1)
    assert '"idx": "x"' in text.splitlines()[problem.line - 1]


def test_an_id_that_stands_twice_and_a_pattern_that_is_none_are_mistakes() -> None:
    found = read({"dataset_id": "w", "cases": [case(), case(), case("c", regex_patterns=["("])]})
    assert found.suite is not None
    assert [one.id for one in found.suite.cases] == ["bern", "c"]
    assert [problem.code for problem in found.problems] == ["duplicate-id", "bad-pattern"]
    assert found.suite.cases[1].invalid


def test_anything_else_in_their_place_is_a_mistake_and_no_suite() -> None:
    values: tuple[Any, ...] = ([], 5, {"cases": None}, {"cases": {}})
    for value in values:
        found = read(value, "evals/a.trace.json")
        assert found.problems, value
    assert read({"cases": 5}, "evals/a.trace.json").suite is None


def test_a_mistake_in_an_evaluator_of_a_case_is_told_at_its_place() -> None:
    wrong = case("b", evaluators=[{"type": "regex", "cofnig": {}}])
    found = read({"dataset_id": "w", "cases": [case(), wrong]})
    (problem,) = found.problems
    assert (problem.key, problem.case) == ("cases[1].evaluators[0].cofnig", "b")
    assert (problem.severity, problem.hint) == (Severity.ERROR, "Did you mean `config`?")
    assert problem.line > 1 < problem.column
    assert found.suite is not None
    assert found.suite.cases[1].invalid
