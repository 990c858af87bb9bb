"""Suites of traces: what is read, and the place of what cannot be."""

import json
import re
import tracemalloc
from typing import Any

import pytest

from evaltui.traces.mistakes import JsonMistake, SuiteMistake
from evaltui.traces.reading import case_document, read_suite, trace_body


def case(**fields: Any) -> dict[str, Any]:
    return {"case_id": "a", "input": "hi", **fields}


def read(*cases: Any) -> list[Any]:
    suite = read_suite(json.dumps({"dataset_id": "d", "cases": cases}).encode(), "s.json")
    return list(suite.cases())


def test_names_from_before_1_0_are_those_of_today() -> None:
    old = case(expected="4", regex=["4"], tool_contracts={"add": {"required": ["a"]}})
    (found,) = read(old)
    document = json.loads(json.dumps(case_document(found), default=_of_struct))
    assert document["expected_output"] == "4"
    assert document["regex_patterns"] == ["4"]
    assert document["tool_contracts"] == {"add": {"required_args": ["a"], "forbidden_args": []}}
    assert set(document) == {
        *("case_id", "input", "expected_output", "trace", "tool_contracts", "policy"),
        *("regex_patterns", "json_schema", "metadata"),
    }


def _of_struct(value: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


def test_an_id_may_be_a_number_and_null_is_absent() -> None:
    (found,) = read(case(case_id=7, policy=None, trace=None, metadata=None))
    assert found.id == "7"
    assert trace_body(found).trace == ()


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (case(trace=[{"idx": "x"}]), "cases[0].trace[0].idx"),
        (case(trace=["x"]), "cases[0].trace[0]"),
        (case(trace=[{"latency_ms": "20"}]), "cases[0].trace[0].latency_ms"),
        (case(policy=[]), "cases[0].policy"),
        (case(regex_patterns="done"), "cases[0].regex_patterns"),
        (case(tool_contracts=[]), "cases[0].tool_contracts"),
        ({"input": "hi"}, "cases[0].case_id"),
        ("a case", "cases[0]"),
    ],
)
def test_a_mistake_is_named_with_its_key(wrong: Any, key: str) -> None:
    with pytest.raises(SuiteMistake) as caught:
        read(wrong)
    assert caught.value.key == key
    assert str(caught.value).startswith(f"s.json: `{key}`: ")


def test_two_cases_of_one_id_are_refused() -> None:
    with pytest.raises(SuiteMistake, match=r"`cases\[0\]` already"):
        read(case(), case())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "expected an object, found a list"),
        ('{"case": [{"case_id": "a"}]}', "`cases` is missing"),
        ('{"scenarios": []}', "`cases` is missing"),
        (
            '{"cases": [], "metadata": {"schema_version": "9.9.9"}}',
            "`metadata.schema_version`: `9.9.9` is not a known version",
        ),
        ('{"cases": null}', "`cases`: expected a list, found null"),
        ('{"cases": [{"case_id": "a", "input": NaN}]}', "`NaN` is not a number"),
        ('{"cases": [], "metadata": []}', "`metadata`: expected an object"),
        ('{"cases": ' + "[" * 5000 + "]" * 5000 + "}", "nested too deeply"),
        ('{"cases": [{"case_id": "\\ud800"}]}', "surrogate"),
    ],
)
def test_what_is_no_suite_is_refused(text: str, said: str) -> None:
    with pytest.raises(SuiteMistake) as caught:
        read_suite(text.encode(), "s.json")
    assert said in str(caught.value)


def test_what_is_no_json_is_refused_with_its_line() -> None:
    with pytest.raises(JsonMistake) as caught:
        read_suite(b'{\n  "cases": [,]\n}', "s.json")
    assert (caught.value.line, caught.value.column) == (2, 13)
    with pytest.raises(SuiteMistake, match="UTF-8"):
        list(read_suite(b'{"cases": [{"case_id": "\xff"}]}').cases())


CASE = '{"case_id": "a", "trace": []}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'{{"cases": [],\n "cases": [{CASE}]}}', "s.json:2:2: `cases`: `cases` is written twice"),
        (
            f'{{"cases": [{CASE},\n'
            '{"case_id": "b", "regex_patterns": ["x"], "regex_patterns": []}]}',
            "s.json:2:43: `cases[1].regex_patterns`: `regex_patterns` is written twice",
        ),
        (
            '{"cases": [{"case_id": "b", "policy": {"forbidden_tools": ["x"],'
            ' "forbidden\\u005ftools": []}}]}',
            "`cases[0].policy.forbidden_tools`: `forbidden_tools` is written twice",
        ),
        ('{"metadata": {"a": 1, "a": 2}, "cases": []}', "`metadata.a`: `a` is written twice"),
        ('{"dataset_id": "d", "cases": [], "dataset_id": "d"}', "`dataset_id` is written twice"),
        ('{"c\\u0061ses": [1], "cases": []}', "`cases` is written twice"),
    ],
)
def test_a_key_that_stands_twice_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(SuiteMistake, match=re.escape(said)):
        read_suite(text.encode(), "s.json")


def test_the_same_key_in_two_objects_is_none_that_stands_twice() -> None:
    other = CASE.replace('"a"', '"b"')
    assert len(read_suite(f'{{"cases": [{CASE}, {other}]}}'.encode())) == 2


def test_reading_takes_little_more_memory_than_the_text() -> None:
    cases = (f'{{"case_id": "c{number}", "input": "{"x" * 50_000}"}}' for number in range(100))
    data = f'{{"cases": [{", ".join(cases)}], "metadata": {{}}}}'.encode()
    read_suite(b'{"cases": [1]}')  # what is loaded on the way
    tracemalloc.start()
    try:
        assert len(read_suite(data)) == 100
        assert tracemalloc.get_traced_memory()[1] < len(data) / 2
    finally:
        tracemalloc.stop()
