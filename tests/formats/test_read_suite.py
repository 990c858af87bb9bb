"""Eval files, whole and broken."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import ContractCase, RubricCase, Tier
from evaltui.core.errors import Severity
from evaltui.formats import NOT_AN_EVAL_FILE, ReadSuite, read_suite
from evaltui.formats.contract_model import EvalCase

ROOT = Path("/project")


def read(
    content: bytes | str | list[Any] | dict[str, Any], name: str = "a.golden.json"
) -> ReadSuite:
    if isinstance(content, list | dict):
        content = json.dumps(content, indent=2)
    data = content.encode() if isinstance(content, str) else content
    return read_suite(ROOT / "evals" / name, ROOT, data)


def test_no_default_of_a_case_is_copied_deeply_for_each() -> None:
    fields = EvalCase.model_fields
    defaults = {name: one.default for name, one in fields.items() if one.default_factory is None}
    assert not [name for name, one in defaults.items() if isinstance(one, list | dict | set)]


def case(id_: str = "gs-a-001", **fields: Any) -> dict[str, Any]:
    return {"id": id_, "input": {"message": "hi"}, "expect": {}} | fields


def codes(found: ReadSuite) -> list[str]:
    return [problem.code for problem in found.problems]


def test_bare_list_has_no_metadata() -> None:
    found = read([case()])
    assert found.suite is not None
    assert found.problems == ()
    assert found.suite.metadata is None
    assert found.suite.id == "evals/a.golden.json"
    assert found.suite.tier is Tier.GOLDEN
    assert found.suite.tool_name == "a"
    assert found.suite.cases[0].body.max_turns == 5


def test_envelope_and_every_field() -> None:
    metadata = {
        "toolName": "get_weather",
        "toolVersion": "1.2.0",
        "descriptionHash": "0123456789ab",
        "registrySize": 14.0,
        "tier": "labeled",
        "author": "x",
    }
    full = case(
        "ls-get-weather-001",
        description="d",
        difficulty="edge",
        createdAt="2026-01-01",
        bugRef="#1",
        stubs={"get_weather": {"t": 18.0}},
        maxTurns=3,
        tags=["a"],
    )
    suite = read({"metadata": metadata, "cases": [full]}).suite
    assert suite is not None and suite.metadata is not None
    assert suite.tool_name == "get_weather"
    assert suite.tier is Tier.LABELED, "metadata wins over the file name"
    assert suite.metadata.registry_size == 14
    assert suite.metadata.raw == metadata
    only = suite.cases[0]
    body = only.body
    assert (body.difficulty, body.created_at, body.bug_ref) == ("edge", "2026-01-01", "#1")
    assert (body.max_turns, body.stubs) == (3, {"get_weather": {"t": 18.0}})
    assert only.extra == {"tags": ["a"]}
    assert only.invalid == ""


def test_whole_numbers_keep_their_digits() -> None:
    suite = read('[{"id":"a","input":{"message":"m"},"expect":{"x":9007199254740993}}]').suite
    assert suite is not None
    assert suite.cases[0].expect == {"x": 9007199254740993}


@pytest.mark.parametrize(
    ("name", "ids", "tier", "tool"),
    [
        ("get-weather.labeled.json", ["x"], Tier.LABELED, "get_weather"),
        ("golden/get-weather.json", ["ls-other-001"], Tier.GOLDEN, "other"),
        ("golden/get-weather.json", ["x"], Tier.GOLDEN, "get_weather"),
        ("get-weather/regression.json", ["x"], Tier.REGRESSION, "get_weather"),
        ("misc.json", ["rg-get-rain-001", "rg-get-rain-002"], Tier.REGRESSION, "get_rain"),
        ("misc.json", ["x"], Tier.GOLDEN, "misc"),
    ],
)
def test_tier_and_tool_by_name(name: str, ids: list[str], tier: Tier, tool: str) -> None:
    suite = read([case(id_) for id_ in ids], name).suite
    assert suite is not None
    assert (suite.tier, suite.tool_name) == (tier, tool)


def test_lines_of_cases_are_where_they_open() -> None:
    text = '{"cases": [\n  {"id": "a"},\n\n  {"id":\n "b"}, {"id": "c"}\n]}'
    suite = read(text).suite
    assert suite is not None
    assert [each.line for each in suite.cases] == [2, 4, 5]


def test_the_last_list_of_cases_is_in_force() -> None:
    suite = read('{"cases": [{"id": "a"}, 1],\n "cases": [\n{"id": "b"}]}').suite
    assert suite is not None
    assert [(each.id, each.line) for each in suite.cases] == [("b", 3)]


def test_bad_cases_are_invalid_and_the_others_stay() -> None:
    found = read([case("a"), 3, case("b", expect=[]), {"id": "c"}, case("d", stubs=1), case("e")])
    assert found.suite is not None
    invalid = {each.id: each.invalid for each in found.suite.cases}
    assert invalid["a"] == invalid["e"] == ""
    assert "not an object" in invalid["[1]"]
    assert "`expect` is a list" in invalid["b"]
    assert "no `input`" in invalid["c"] and "no `expect`" in invalid["c"]
    assert "`stubs` is a number" in invalid["d"]
    keys = [problem.key for problem in found.problems]
    assert {"[1]", "[2].expect", "[3]", "[4].stubs"} == set(keys)
    assert all(problem.line > 1 for problem in found.problems)


def test_a_case_without_id_is_named_by_its_place() -> None:
    found = read({"metadata": None, "cases": [{"input": {"message": "m"}, "expect": {}}]})
    assert found.suite is not None
    assert found.suite.cases[0].id == "cases[0]"
    assert "no `id`" in found.suite.cases[0].invalid


@pytest.mark.parametrize(
    ("fields", "key", "words", "hint"),
    [
        ({"input": "hi"}, "input", "`input` is text, not an object", '{"message": "…"}'),
        ({"input": {"message": 5}}, "input.message", "`message` is a number, not text", "text"),
        ({"maxTurns": 0}, "maxTurns", "`maxTurns` is 0, not a whole number of at least 1", "Write"),
        ({"maxTurns": 1.5}, "maxTurns", "`maxTurns` is a number, not a whole number", "Write"),
        ({"stubs": [1]}, "stubs", "`stubs` is a list, not an object", "Write an object."),
        ({"rubric": {}}, "rubric", "`rubric` is an object, not a list", "Write a list."),
    ],
)
def test_a_wrong_value_that_is_needed_makes_the_case_invalid(
    fields: dict[str, Any], key: str, words: str, hint: str
) -> None:
    found = read([case("a", **fields), case("b")])
    assert found.suite is not None
    first, second = found.suite.cases
    (problem,) = found.problems
    assert (problem.key, problem.line, problem.case) == (f"[0].{key}", problem.line, "a")
    assert problem.what.startswith(words) and hint in problem.hint
    assert (first.invalid, second.invalid) == (problem.what, "")
    assert problem.severity is Severity.ERROR


def test_a_wrong_value_that_is_not_needed_is_kept_and_warned_of() -> None:
    found = read([case("a", description=5, createdAt=["x"], difficulty="edge")])
    assert found.suite is not None
    (only,) = found.suite.cases
    assert (only.invalid, only.description) == ("", "")
    assert only.extra == {"description": 5, "createdAt": ["x"]}
    assert only.body.difficulty == "edge"
    assert {(each.key, each.severity) for each in found.problems} == {
        ("[0].description", Severity.WARNING),
        ("[0].createdAt", Severity.WARNING),
    }


def test_null_is_absent_and_keys_of_others_stay_as_they_are() -> None:
    found = read([case("a", stubs=None, maxTurns=None, bugRef=None, tags=None, max_turns=2)])
    assert found.suite is not None
    (only,) = found.suite.cases
    assert (only.body.max_turns, only.stubs) == (5, None)
    assert only.extra == {"tags": None, "max_turns": 2}
    assert [each.hint for each in found.problems] == ["Did you mean `maxTurns`?"]


def test_wrong_metadata_is_taken_as_absent() -> None:
    metadata = {"toolName": 5, "registrySize": "x", "descriptionHash": "h"}
    found = read({"metadata": metadata, "cases": [case()]})
    assert found.suite is not None and found.suite.metadata is not None
    assert found.suite.tool_name == "a"
    assert (found.suite.metadata.registry_size, found.suite.metadata.description_hash) == (
        None,
        "h",
    )
    assert [(each.key, each.line) for each in found.problems] == [
        ("metadata.toolName", 3), ("metadata.registrySize", 4),
    ]  # fmt: skip
    assert all("as absent" in each.hint for each in found.problems)


def test_an_editor_is_told_of_the_schema_without_complaint() -> None:
    assert read({"$schema": "x.json", "metadata": None, "cases": [case()]}).problems == ()


def test_repeated_ids_are_an_error_with_both_lines() -> None:
    found = read(
        '[\n{"id":"a","input":{"message":"1"},"expect":{}},\n{"id":"a","expect":{},'
        '"input":{"message":"2"}}]'
    )
    assert found.suite is not None
    assert [each.message for each in found.suite.cases] == ["1"]
    (problem,) = found.problems
    assert (problem.code, problem.line, problem.severity) == ("duplicate-id", 3, Severity.ERROR)
    assert "line 2" in problem.what


@pytest.mark.parametrize("id_", ["../../etc/passwd", "a/b", "c:\\x"])
def test_ids_like_paths_are_only_names(id_: str) -> None:
    found = read([case(id_)])
    assert found.suite is not None
    assert found.suite.cases[0].id == id_
    assert found.suite.cases[0].invalid == ""
    assert [problem.severity for problem in found.problems] == [Severity.LINT]


def test_control_characters_in_an_id_are_shown_safely() -> None:
    found = read([case("a\u001b[31m"), case("a\u001b[31m")])
    assert codes(found) == ["odd-id", "odd-id", "duplicate-id"]
    assert not any("\u001b" in str(problem) for problem in found.problems)


def test_huge_message_is_kept_and_warned_of() -> None:
    found = read([case(input={"message": "x" * 1_000_000})])
    assert found.suite is not None
    assert len(found.suite.cases[0].message) == 1_000_000
    assert codes(found) == ["long-message"]
    assert found.problems[0].key == "[0].input.message"


def test_misspelt_keys_get_a_hint() -> None:
    found = read('{"metdata": {}, "cases": [{"id":"a","input":{"mesage":"m"},"expct":{}}]}')
    text = "\n".join(str(problem) for problem in found.problems)
    assert "Did you mean `metadata`?" in text
    assert "Did you mean `expect`?" in text
    assert "`mesage`" in text


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"Expect": {"responseContains": ["z"]}}, "Did you mean `expect`? That is there too"),
        ({"evaluator": [{"type": "response-length"}]}, "Did you mean `evaluators`?"),
        ({"successCriteria": "It is kind."}, "Write `expect`, `evaluators` or `rubric`."),
    ],
)
def test_a_check_that_a_case_does_not_know_is_never_passed_over(
    wrong: dict[str, Any], hint: str
) -> None:
    found = read([case() | wrong])
    (problem,) = found.problems
    assert (problem.key, problem.severity) == (f"[0].{next(iter(wrong))}", Severity.ERROR)
    assert problem.hint.startswith(hint)
    assert found.suite is not None and found.suite.cases[0].invalid


def test_a_note_of_ones_own_beside_the_field_it_is_like_stops_no_case() -> None:
    found = read([case(expected="12 degrees", owner="me")])
    (problem,) = found.problems
    assert (problem.key, problem.severity) == ("[0].expected", Severity.WARNING)
    assert found.suite is not None and not found.suite.cases[0].invalid


def test_a_rubric_that_nobody_judges_is_warned_of() -> None:
    found = read([case(rubric=[{"dimension": "a", "maxScore": 1, "criteria": "c"}])])
    (problem,) = found.problems
    assert (problem.key, problem.code) == ("[0].rubric", "unjudged-rubric")


@pytest.mark.parametrize("name", ["timeoutMs", "timeout_ms", "trials", "maxCostUsd"])
def test_a_setting_does_nothing_in_a_case(name: str) -> None:
    found = read([{"id": "a", "input": {"message": "m"}, "expect": {}, name: 1, "owner": "me"}])
    (problem,) = found.problems
    assert (problem.key, problem.line) == (f"[0].{name}", 8)
    assert f"`{name}` is not a field of a case: it is a setting" in str(problem)
    assert "e.g. `evaltui.toml`" in str(problem)


def test_repeated_keys_are_warned_of() -> None:
    found = read('[{"id":"a","input":{"message":"m"},\n "expect":{"x":1,"x":2}}]')
    (problem,) = found.problems
    assert (problem.code, problem.line, problem.column) == ("duplicate-key", 2, 18)
    assert problem.key == "[0].expect.x"


def test_rubric_cases_are_read_without_expect() -> None:
    rubric = [{"dimension": "accuracy", "maxScore": 3, "criteria": "c"}]
    found = read([{"id": "r", "input": {"message": "m"}, "rubric": rubric}], "a.rubric.json")
    assert found.suite is not None
    assert found.suite.tier is Tier.RUBRIC
    only = found.suite.cases[0]
    assert only.tier is Tier.RUBRIC and only.invalid == ""
    assert isinstance(only.body, RubricCase)
    assert only.body.dimensions[0].max_score == 3
    assert found.problems == ()


@pytest.mark.parametrize(
    "wrong",
    [{"dimension": 1}, *({"dimension": "a", "maxScore": most} for most in (0, -1, "3", 10**400))],
)
def test_a_case_with_a_dimension_that_cannot_be_scored_cannot_be_judged(wrong: Any) -> None:
    rubric = [{"dimension": "accuracy", "maxScore": 3, "criteria": "c"}, wrong]
    found = read([{"id": "r", "input": {"message": "m"}, "rubric": rubric}], "a.rubric.json")
    assert found.suite is not None
    assert "A dimension needs" in found.suite.cases[0].invalid
    assert "[0].rubric[1]" in [problem.key for problem in found.problems]


def test_two_dimensions_of_one_name_cannot_be_told_apart() -> None:
    rubric = [{"dimension": "accuracy", "maxScore": most} for most in (1, 3)]
    found = read([{"id": "r", "input": {"message": "m"}, "rubric": rubric}], "a.rubric.json")
    assert found.suite is not None
    assert found.suite.cases[0].invalid == "The dimension `accuracy` stands twice"
    assert [problem.key for problem in found.problems] == ["[0].rubric[1]"]


def test_a_case_with_a_rubric_alone_is_a_rubric_case_in_any_file() -> None:
    rubric = [{"dimension": "accuracy", "maxScore": 3}]
    found = read([{"id": "r", "input": {"message": "m"}, "rubric": rubric}, case("b")])
    assert found.suite is not None and found.problems == ()
    assert [each.tier for each in found.suite.cases] == [Tier.RUBRIC, Tier.GOLDEN]
    body = found.suite.cases[0].body
    assert isinstance(body, RubricCase) and body.dimensions[0].max_score == 3


def test_a_wrong_id_is_told_once() -> None:
    wrong: tuple[Any, ...] = (5, [], 0, False)
    for id_ in wrong:
        (problem,) = read([{**case(), "id": id_}]).problems
        assert (problem.key, problem.code) == ("[0].id", "wrong-type")
    (problem,) = read([case("")]).problems
    assert (problem.key, problem.code) == ("[0]", "missing")


def test_a_rubric_in_a_file_of_another_tier_is_kept_and_the_case_judged_by_its_expect() -> None:
    rubric = [{"dimension": "accuracy", "maxScore": 3, "criteria": "c"}]
    found = read([{"id": "g", "input": {"message": "m"}, "expect": {}, "rubric": rubric}])
    assert found.suite is not None
    (only,) = found.suite.cases
    assert type(only.body) is ContractCase
    assert only.extra == {"rubric": rubric}


@pytest.mark.parametrize(
    ("content", "line", "column", "words"),
    [
        (b'[{"id": "a"', 1, 11, "half-saved"),
        (b'{"a": 1,}', 1, 9, "comma"),
        ('{"é": "é" x}'.encode(), 1, 11, "expected"),
        (b'{"a": NaN}', 1, 7, "NaN"),
        (b"{'a': 1}", 1, 2, "double quotes"),
        (b"[\n// no\n]", 2, 1, "comments"),
        (b'{"a": "b\nc"}', 1, 9, "line breaks"),
        (b'["\xff"]', 1, 3, "UTF-8"),
        (b"\xff\xfe[\x00]\x00", 1, 1, "UTF-16"),
        (b"\x89PNG\r\n\x1a\n\0\0", 3, 1, "binary"),
        (b"", 1, 1, "empty"),
        (b"\xef\xbb\xbf \n", 1, 1, "empty"),
        (b'["\\ud800"]', 1, 9, "surrogate"),
        pytest.param(b"[" * 100_000, 1, 202, "200 levels", id="deep"),
        pytest.param(b"[" + b"9" * 5000 + b"]", 1, 4303, "as text", id="digits"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(
    content: bytes, line: int, column: int, words: str
) -> None:
    found = read(content)
    assert found.suite is None
    (problem,) = found.problems
    assert (problem.line, problem.column) == (line, column)
    assert words in str(problem)


@pytest.mark.parametrize("name", ["a.golden.json", "a.scenario.json", "a.rubric.json"])
def test_what_an_empty_file_is_to_hold_is_right(name: str) -> None:
    """Written as told there is no mistake any more."""
    (problem,) = read(b"", name).problems
    assert problem.hint == "Write `[]`, or delete it."
    assert [one.severity for one in read(b"[]", name).problems] == [Severity.WARNING]


def test_byte_order_mark_is_accepted() -> None:
    found = read(b'\xef\xbb\xbf[{"id":"a","input":{"message":"m"},"expect":{}}]')
    assert found.problems == () and found.suite is not None
    assert len(found.suite.cases) == 1


def test_numbers_beyond_a_double_are_told_and_not_kept() -> None:
    found = read('[{"id":"a","input":{"message":"m"},\n"expect":{"maxTokens":1e999}}]')
    (problem,) = found.problems
    assert (problem.line, problem.column) == (2, 23)
    assert problem.hint == "Write the number as text."
    assert found.suite is None


def test_too_large_a_file_is_refused_at_once() -> None:
    found = read(b" " * 50_000_000)
    assert found.suite is None
    assert codes(found) == ["too-large"]
    assert "50 MB" in str(found.problems[0])


@pytest.mark.parametrize(
    "content",
    ['{"tools": []}', '"text"', "3", '{"runId": "x", "summary": {}, "cases": [{"id": "a"}]}'],
)
def test_other_json_is_no_eval_file(content: str) -> None:
    found = read(content)
    assert found.suite is None
    assert codes(found) == [NOT_AN_EVAL_FILE]


@pytest.mark.parametrize("content", ['{"cases": {}}', '{"metadata": {}}', '{"cases": null}'])
def test_an_envelope_without_a_list_of_cases(content: str) -> None:
    found = read(content)
    assert found.suite is None
    assert len(found.problems) == 1


def test_many_mistakes_are_cut_short() -> None:
    found = read([1] * 500)
    assert found.suite is not None and len(found.suite.cases) == 500
    assert len(found.problems) == 101
    assert "400 more" in found.problems[-1].what


WHOLE = json.dumps(
    {
        "metadata": {"toolName": "a", "registrySize": 3},
        "cases": [
            case("gs-a-001", stubs={"a": {"é": [1, 2.5, None, True]}}),
            case("gs-a-002", expect={"toolsCalled": ["a"], "toolParams": [{"tool": "a"}]}),
        ],
    },
    ensure_ascii=False,
    indent=1,
).encode()


@given(st.integers(0, len(WHOLE)))
def test_any_truncation_is_survived(length: int) -> None:
    found = read(WHOLE[:length])
    assert found.suite is not None or found.problems


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=4))
def test_any_mutation_is_survived(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for position, byte in changes:
        data[position] = byte
    found = read(bytes(data))
    assert found.suite is not None or found.problems
    for problem in found.problems:
        assert problem.line >= 1 and problem.column >= 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.text(), inner)
            | st.fixed_dictionaries({"id": inner, "input": inner, "expect": inner, "rubric": inner})
            | st.fixed_dictionaries({"metadata": inner, "cases": st.lists(inner)})
        ),
        max_leaves=20,
    )
)
def test_any_json_is_survived(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=True)
    found = read(text)
    assert found.suite is not None or found.problems
    if found.suite is not None:
        ids = [each.id for each in found.suite.cases]
        assert len(ids) == len(set(ids))


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)  # fmt: skip
_CASE = st.dictionaries(
    st.sampled_from([*"x", "id", "description", "input", "expect", "stubs", "maxTurns", "rubric",
                     "referenceData", "createdAt", "bugRef", "difficulty"]),
    _ANY | st.fixed_dictionaries({"message": _ANY}) | st.lists(
        st.dictionaries(st.sampled_from(["dimension", "maxScore", "criteria"]), _ANY), max_size=2
    ),
)  # fmt: skip
_METADATA = _ANY | st.dictionaries(
    st.sampled_from(["toolName", "toolVersion", "descriptionHash", "registrySize", "tier"]), _ANY
)


@given(st.lists(_CASE | _ANY, max_size=3), _METADATA, st.booleans())
def test_any_value_in_any_place_leaves_the_good_cases(
    others: list[Any], metadata: Any, is_bare: bool
) -> None:
    cases = [*others, case("good", description="d")]
    found = read(cases if is_bare else {"metadata": metadata, "cases": cases})
    assert found.suite is not None
    good = next(each for each in found.suite.cases if each.id == "good")
    assert (good.message, good.description, good.invalid) == ("hi", "d", "")
    for problem in found.problems:
        assert problem.line >= 1 and problem.column >= 1
        assert problem.file == "evals/a.golden.json" and problem.hint
