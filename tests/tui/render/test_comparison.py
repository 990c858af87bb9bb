"""Two runs side by side on the screen."""

from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.trace import Event
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side
from evaltui.traces.judge_row import JudgeRow
from evaltui.tui.render.comparison import SIDE_BY_SIDE, write_comparison
from tests.tui.panes.stage import HOSTILE
from tests.tui.render.test_detail_renderers import WIDTHS, written

BEFORE = (
    Event(0, actor="user", type="message", input="hi"),
    Event(1, actor="agent", type="tool_call", tool="find_order", input={"id": 1}),
    Event(2, actor="assistant", type="message", output="done"),
)
AFTER = (BEFORE[0], Event(1, actor="agent", type="tool_call", tool="refund"), BEFORE[2])


def row(id_: str, passed: bool) -> CaseRow:
    reason = "good" if passed else "policy violations detected"
    return CaseRow(id_, passed, not passed, (JudgeRow("policy", passed, float(passed), reason),))


def side(name: str, *cases: CaseRow, dataset: str = "d") -> Side:
    from pathlib import Path

    rate = sum(one.passed for one in cases) / len(cases)
    summary: dict[str, Any] = {
        "run_id": name,
        "dataset_id": dataset,
        "total_cases": len(cases),
        "pass_rate": rate,
        "hard_fail_rate": 1 - rate,
        "judge_pass_rates": {"policy": rate},
    }
    return Side(Path(), summary, {}, {one.case_id: one for one in cases})


def shown(before: Side, after: Side, width: int = 120, *, opened: bool = False) -> str:
    report = compare(before, after, reference={}, allow_incompatible=True)
    return written(
        lambda builder: write_comparison(builder, report, lambda _: (BEFORE, AFTER)),
        width,
        opened=opened,
    ).plain


GOOD = side("base", row("a", True), row("b", True))
BAD = side("cand", row("a", False), row("b", True))


def test_the_mean_difference_and_what_was_too_small_to_be_seen_stand_below_the_rates() -> None:
    good = side("base", *(row(id_, True) for id_ in "abcd"))
    text = shown(good, good)
    assert "mean difference 0.0 points (the same in every case)" in text
    assert "a drop of less than" in text
    assert "mean difference -25.0 points" in shown(
        good, side("cand", row("a", False), *(row(id_, True) for id_ in "bcd"))
    )
    one = side("base", row("a", True))
    assert "mean difference" not in shown(one, one), "one case tells no spread"


def test_a_case_that_asserts_less_is_named_with_its_judges() -> None:
    before, after = (
        side(name, replace(row("a", True), asserted={"policy": prints}), row("b", True))
        for name, prints in (("base", ("1", "2")), ("cand", ("2",)))
    )
    assert "a asserts less, or other things: policy" in shown(before, after)
    assert "asserts less" not in shown(after, before)


def test_it_is_said_where_nobody_knows_what_a_case_asserted() -> None:
    said = "it is not known whether cases assert less than in the baseline (run or pin them again):"
    assert f"{said} a, b" in shown(GOOD, BAD)
    rows = [replace(row(id_, True), asserted={}) for id_ in "ab"]
    assert "it is not known" not in shown(side("base", *rows), side("cand", *rows))


def test_figures_judges_kinds_of_failure_and_cases() -> None:
    text = shown(GOOD, BAD)
    for part in (
        "base → cand",
        "100.0% → 50.0%  -50.0 points",
        "policy                  100.0% → 50.0%",
        "+1  0 → 1  policy:policy violations detected",
        "↓ a  passed → failed hard",
    ):
        assert part in text
    assert "refund" not in text


def test_a_case_unfolds_to_both_trajectories() -> None:
    lines = shown(GOOD, BAD, SIDE_BY_SIDE + 1, opened=True).splitlines()
    assert any("calls find_order" in line and "calls refund" in line for line in lines)
    below = shown(GOOD, BAD, SIDE_BY_SIDE - 1, opened=True).splitlines()
    (gone,) = [line for line in below if "find_order" in line]
    (new,) = [line for line in below if "refund" in line]
    assert (gone.split()[0], new.split()[0]) == ("-", "+")


def test_what_became_better_is_no_regression() -> None:
    text = shown(BAD, GOOD)
    assert "↑ a  failed hard → passed" in text
    assert "Judges that got worse\nnone" in text


def test_runs_that_cannot_be_compared_say_why_and_those_that_are_alike_too() -> None:
    text = shown(GOOD, side("cand", row("a", True), dataset="other"))
    assert "dataset id match" in text
    assert "not there" in text
    same = shown(GOOD, GOOD)
    assert "none: every case passes or fails as before" in same
    assert "not the same in both" not in same


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_names_stay_within_their_lines(width: int) -> None:
    before = side(HOSTILE, row(HOSTILE, True), row("x" * 500, True), dataset=HOSTILE)
    after = side("\n\x1b[2J", row(HOSTILE, False), row("x" * 500, False))
    for line in shown(before, after, width, opened=True).splitlines():
        assert line.isprintable()


def test_latency_and_cost_stand_where_they_were_measured() -> None:
    assert "latency" not in shown(GOOD, BAD)
    slow, slower = (
        replace(one, measurements={"latency_ms": {"mean": mean, "cases": cases}, "cost_usd": cost})
        for one, mean, cases, cost in (
            (GOOD, 200, 2, {"mean": 0.01, "cases": 2}),
            (BAD, 300, 1, {}),
        )
    )
    words = " ".join(shown(slow, slower).split())
    assert "mean latency 200.0 ms → 300.0 ms in 1 of 2 cases +50.0%" in words
    assert "mean cost $0.0100 → not measured" in words
