"""What a row of a pack tells beside its verdict."""

from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.disk.codec import convert
from evaltui.evidence.case_row import TRIALS, CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.pinned_side import pinned_row
from evaltui.evidence.compared.side import Side
from evaltui.evidence.run_of_agent import verdicts_of

P, F = CaseStatus.PASSED, CaseStatus.FAILED


@pytest.mark.parametrize(
    ("asserted", "judged", "lost"),
    [
        ({TRIALS: ("second", "third")}, Trials(2, 0), 1),
        ({TRIALS: ("second", "third")}, Trials(1, 2), 0),
        ({TRIALS: ("second",)}, Trials(4, 1), 0),
        ({}, Trials(1, 0), 0),
        (None, Trials(2, 0), 0),
    ],
    ids=["one erred", "none erred", "further ones were made", "a single one", "not known"],
)
def test_attempts_that_were_asked_for_and_not_judged(
    asserted: dict[str, tuple[str, ...]] | None, judged: Trials, lost: int
) -> None:
    assert CaseRow("c", True, asserted=asserted, attempts=judged).as_planned == Planned(
        judged, lost
    )


def test_a_pack_of_which_a_case_lost_an_attempt_tells_what_the_others_lost_and_gained() -> None:
    asserted = {TRIALS: ("second", "third")}

    def side(**judged: Trials) -> Side:
        rows = {
            name: CaseRow(name, not one.failures, asserted=asserted, attempts=one)
            for name, one in judged.items()
        }
        return Side(Path(), {"total_cases": 2, "pass_rate": 1.0, "hard_fail_rate": 0.0}, {}, rows)

    before = side(cut=Trials(3, 0), fell=Trials(3, 0))
    paired = compare(before, side(cut=Trials(2, 0), fell=Trials(2, 1)), reference={})["paired"]
    assert (paired["lost"], paired["gained"], paired["lost_and_gained_left_out"]) == (1, 0, 1)


def test_further_trials_are_no_part_of_what_packs_tell_as_a_whole() -> None:
    def side(**rows: CaseRow) -> Side:
        return Side(Path(), {"total_cases": 2, "pass_rate": 1.0, "hard_fail_rate": 0.0}, {}, rows)

    before = side(fell=CaseRow("fell", True), stood=CaseRow("stood", True))
    tried_again = CaseRow("fell", False, attempts=Trials(3, 1), planned=Trials(0, 1))
    after = side(fell=tried_again, stood=CaseRow("stood", True))
    paired = compare(before, after, reference={})["paired"]
    assert (paired["mean"], paired["lost"], paired["gained"]) == (-0.5, 1, 0)
    back = compare(after, before, reference={})["paired"]
    assert (back["mean"], back["lost"], back["gained"]) == (0.5, 0, 1)


def test_what_was_planned_and_lost_is_not_made_up_for_by_further_trials() -> None:
    asserted = {TRIALS: ("second",)}
    row = CaseRow("c", False, asserted=asserted, attempts=Trials(4, 3), planned=Trials(0, 1))
    assert row.as_planned == Planned(Trials(0, 1), 1)


@pytest.mark.parametrize("erred", [0, 1])
def test_a_repeat_lost_no_more_attempts_than_were_planned_and_lost(erred: int) -> None:
    made = tuple(TrialResult(number, P) for number in range(4))
    key, once = CaseKey("a.json", "c"), Planned(Trials(0, 1), erred)
    result = CaseResult(
        key, "r", "mine", P, assertions_run=1, trials=4, passes=4, attempts=made, planned=once
    )
    demands = {TRIALS: ("second", "third", "fourth")}
    pin = BaselineCase.of(P, 4, 4, planned=once)
    written = convert(verdicts_of(None, result), CaseRow)
    for row in (replace(written, asserted=demands), pinned_row("a.json::c", pin, demands)):
        assert row.as_planned == once
        assert row.asserted == demands
        older = replace(row, erred=UNSET)
        assert older.as_planned == Planned(Trials(0, 1), 3), "of older packs it has to be guessed"


def test_a_pack_and_a_pin_tell_what_was_planned_where_more_was_made() -> None:
    key, tried = CaseKey("a.json", "c"), (F, P, P)
    attempts = tuple(TrialResult(number, one) for number, one in enumerate(tried))
    made = CaseResult(key, "r", "mine", F, assertions_run=1, trials=3, passes=2, attempts=attempts)
    once = Planned(Trials(0, 1))
    for planned in (None, once):
        written = verdicts_of(None, replace(made, planned=planned))
        then = BaselineCase.of(F, made.passes, made.trials, planned=planned)
        for row in (convert(written, CaseRow), pinned_row("a.json::c", then, None)):
            assert row.attempts == Trials(2, 1)
            assert row.as_planned == (planned or Planned(Trials(2, 1)))
    other = BaselineCase.of(F, 2, 3, planned=once)
    assert replace(other, by_other_rules=True).as_planned == Planned()
