"""Expected against actual calls."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.text_diff import is_alike, mark_difference
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.alignment import CELLS_LIMIT, align
from evaltui.expectations.call_diff import CallState, DiffTarget, diff_calls, diff_expected
from evaltui.expectations.param_diff import ABSENT, ParamState, compare_params, flatten, same_json

names = st.lists(st.sampled_from(["a", "b", "c"]), max_size=7)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab.", max_size=3),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.text('ab."[', max_size=3), children, max_size=3)
    ),
    max_leaves=8,
)
calls = st.lists(
    st.builds(
        ToolCall,
        st.sampled_from(["a", "b"]),
        st.dictionaries(st.sampled_from("xyz"), json_values, max_size=2),
    ),
    max_size=5,
)


def case(expect: dict[str, Json], stubs: dict[str, Json] | None = None) -> Case:
    return Case(CaseKey("s", "c"), ContractCase("hi", expect=expect, stubs=stubs))


def called(*tools: str) -> list[ToolCall]:
    return [ToolCall(tool, {}) for tool in tools]


def common_length(left: list[str], right: list[str]) -> int:
    """Longest common subsequence by trying every one of them."""
    for size in range(min(len(left), len(right)), 0, -1):
        if {*combinations(left, size)} & {*combinations(right, size)}:
            return size
    return 0


@given(names, names)
def test_every_position_of_both_sides_appears_exactly_once(
    left: list[str], right: list[str]
) -> None:
    pairs = align(left, right)
    assert sorted(p.left for p in pairs if p.left is not None) == list(range(len(left)))
    assert [p.right for p in pairs if p.right is not None] == list(range(len(right)))
    for pair in pairs:
        assert pair.left is None or pair.right is None or left[pair.left] == right[pair.right]


@given(names, names)
def test_as_many_as_possible_are_paired_in_order(left: list[str], right: list[str]) -> None:
    pairs = align(left, right)
    in_order = [p for p in pairs if not p.is_moved and None not in (p.left, p.right)]
    assert len(in_order) == common_length(left, right)
    alone = sum(p.left is None or p.right is None for p in pairs)
    unmatched = (Counter(left) - Counter(right)) + (Counter(right) - Counter(left))
    assert alone == unmatched.total()


@given(calls, calls)
def test_swapping_the_sides_swaps_missing_and_unexpected(
    left: list[ToolCall], right: list[ToolCall]
) -> None:
    there = Counter(row.state for row in diff_calls(left, right, DiffTarget.BASELINE).calls)
    back = Counter(row.state for row in diff_calls(right, left, DiffTarget.BASELINE).calls)
    assert there[CallState.MISSING] == back[CallState.UNEXPECTED]
    assert there[CallState.UNEXPECTED] == back[CallState.MISSING]
    assert there[CallState.MATCHED] == back[CallState.MATCHED]
    assert there[CallState.REORDERED] == back[CallState.REORDERED]


@given(calls)
def test_calls_are_the_same_as_themselves(some: list[ToolCall]) -> None:
    diff = diff_calls(some, some, DiffTarget.PREVIOUS)
    assert diff.is_same
    assert [row.actual for row in diff.calls] == some


@given(calls, names, st.lists(names, max_size=3), names)
def test_every_actual_call_appears_exactly_once(
    actual: list[ToolCall], wanted: list[str], sets: list[list[str]], banned: list[str]
) -> None:
    for expect in ({"toolsCalled": wanted}, {"toolsAcceptable": sets}, {}):
        diff = diff_expected(case({**expect, "toolsNotCalled": banned}), actual)
        assert [row.actual for row in diff.calls if row.actual] == actual


def test_very_long_sequences_stay_quick_and_complete() -> None:
    left = [f"t{index % 7}" for index in range(3_000)]
    right = [f"t{index % 5}" for index in range(3_000)]
    assert len(left) * len(right) > CELLS_LIMIT
    pairs = align(left, right)
    assert [p.right for p in pairs if p.right is not None] == list(range(3_000))
    assert sorted(p.left for p in pairs if p.left is not None) == list(range(3_000))


def test_other_order_is_said_so() -> None:
    diff = diff_expected(case({"toolsCalled": ["a", "b"]}), called("b", "a"))
    assert Counter(row.state for row in diff.calls) == {
        CallState.MATCHED: 1,
        CallState.REORDERED: 1,
    }
    assert diff.notes == ("same tools, other order",)
    assert not diff.is_same


def test_acceptable_sets_ignore_the_order_and_take_the_closest() -> None:
    expect: dict[str, Json] = {"toolsAcceptable": [["x"], ["a", "b"], ["__none__"]]}
    diff = diff_expected(case(expect), called("b", "a"))
    assert {row.state for row in diff.calls} == {CallState.MATCHED}
    assert "3 acceptable sets" in diff.notes[0]
    assert diff_expected(case(expect), []).is_same
    twice = called("a", "b", "b")
    assert not diff_expected(case(expect), twice).is_same
    assert diff_expected(case(expect), twice, multiset=False).is_same


def test_none_means_no_call_at_all() -> None:
    diff = diff_expected(case({"toolsAcceptable": [["__none__"]]}), called("a"))
    assert [row.state for row in diff.calls] == [CallState.UNEXPECTED]


def test_none_in_tools_called_is_the_name_of_a_tool() -> None:
    """As its verdict has it: a case with it always fails, and lint says so."""
    diff = diff_expected(case({"toolsCalled": ["__none__"]}), [])
    assert [row.state for row in diff.calls] == [CallState.MISSING]


def test_forbidden_calls() -> None:
    diff = diff_expected(case({"toolsNotCalled": ["a"]}), called("b", "a"))
    assert [row.state for row in diff.calls] == [CallState.CALLED, CallState.FORBIDDEN]


def test_parameters_are_judged_on_the_first_call_of_the_tool() -> None:
    expect: dict[str, Json] = {
        "toolsCalled": ["w", "w"],
        "toolParams": [
            {"tool": "w", "paramName": "city", "assertion": "equals", "value": "Paris"},
            {"tool": "w", "paramName": "days", "assertion": "equals", "value": "3"},
            {"tool": "w", "paramName": "units", "assertion": "matches", "value": "^c"},
            {"tool": "z", "paramName": "q", "assertion": "exists"},
            "nonsense",
        ],
    }
    actual = [ToolCall("w", {"city": "Pariss", "days": 3.0, "lang": "fr"}), ToolCall("w", {})]
    rows = diff_expected(case(expect), actual).calls
    first = {param.path: param.state for param in rows[0].params}
    assert first == {
        "city": ParamState.CHANGED,
        "days": ParamState.SAME,
        "units": ParamState.MISSING,
        "lang": ParamState.SENT,
    }
    assert rows[1].params == ()
    assert rows[2].state is CallState.NOT_CALLED
    assert rows[2].params[0].state is ParamState.UNCHECKED


def test_the_verdict_decides_where_there_is_one() -> None:
    expect: dict[str, Json] = {
        "toolParams": [
            {"tool": "w", "paramName": "d", "assertion": "equals", "value": "{{seed:day}}"}
        ]
    }
    actual = [ToolCall("w", {"d": "Monday"})]
    verdict = Verdict(
        "toolParams",
        VerdictStatus.FAILED,
        "no",
        "toolParams[0]",
        evidence={"tool": "w", "param": "d", "expected": "Sunday", "actual": "Monday"},
    )
    (param,) = diff_expected(case(expect), actual, [verdict]).calls[0].params
    assert (param.state, param.expected, param.actual) == (ParamState.CHANGED, "Sunday", "Monday")
    (param,) = diff_expected(case(expect), actual).calls[0].params
    assert param.state is ParamState.UNCHECKED


def test_a_stub_that_echoes_a_parameter_is_a_hint_and_no_demand() -> None:
    diff = diff_expected(
        case({"toolsCalled": ["w"]}, {"w": {"city": "Paris", "temperature": 18}}),
        [ToolCall("w", {"city": "Pariss"})],
    )
    (param,) = diff.calls[0].params
    assert (param.state, param.origin, param.expected) == (ParamState.CHANGED, "stub", "Paris")
    assert diff.is_same


def test_baseline_calls_pair_with_the_most_alike() -> None:
    before = [ToolCall("w", {"city": "Paris"}), ToolCall("w", {"city": "Rome"})]
    now = [ToolCall("w", {"city": "Rome"})]
    rows = diff_calls(before, now, DiffTarget.BASELINE).calls
    assert [(row.state, row.expected_at) for row in rows] == [
        (CallState.MISSING, 0),
        (CallState.MATCHED, 1),
    ]


@given(st.dictionaries(st.text('ab."[', max_size=3), json_values, max_size=3))
def test_flattened_paths_are_unique_and_compare_equal_to_themselves(
    params: dict[str, Json],
) -> None:
    paths = [path for path, _ in flatten(params)]
    assert len(paths) == len(set(paths))
    assert all(row.state is ParamState.SAME for row in compare_params(params, params, "baseline"))


def test_nested_values_have_paths() -> None:
    params: dict[str, Json] = {
        "filters": {"date": "2024-01-01", "tags": ["x", {"a.b": 1}]},
        "none": {},
    }
    assert dict(flatten(params)) == {
        "filters.date": "2024-01-01",
        "filters.tags[0]": "x",
        'filters.tags[1]["a.b"]': 1,
        "none": {},
    }
    (row,) = compare_params({"a": None}, {}, "baseline")
    assert (row.state, row.actual) == (ParamState.MISSING, ABSENT)


def test_json_equality_tells_true_from_one() -> None:
    assert same_json(18, 18.0)
    assert not same_json(True, 1)
    assert not same_json([1, False], [1, 0])


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_pieces_join_to_the_texts_and_the_common_ones_agree(before: str, after: str) -> None:
    left, right = mark_difference(before, after)
    assert "".join(piece.text for piece in left) == before
    assert "".join(piece.text for piece in right) == after
    same = ["".join(p.text for p in side if not p.is_changed) for side in (left, right)]
    assert same[0] == same[1]
    assert (before == after) == (not any(p.is_changed for p in (*left, *right)))


def test_the_differing_part_is_marked() -> None:
    _, right = mark_difference("Paris", "Pariss")
    assert [(piece.text, piece.is_changed) for piece in right] == [("Paris", False), ("s", True)]


def test_huge_texts_are_marked_at_once() -> None:
    before = "x" * 1_000_000
    left, right = mark_difference(before + "a" + before, before + "b" + before)
    assert [len(piece.text) for piece in left] == [1_000_000, 1, 1_000_000]
    assert right[1].text == "b"


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_a_text_is_like_itself_and_unlike_what_shares_no_character(before: str, after: str) -> None:
    assert is_alike(before, before)
    assert is_alike(before, after.upper()) is (not before and not after)
    assert not is_alike("Paris", "I said nothing of the kind")
    assert is_alike("Paris", "Pariss")
