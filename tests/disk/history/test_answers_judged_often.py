"""An answer counts once for each inputs it was judged with, however often it was judged."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history_insert import insert_results
from evaltui.disk.history.history_schema import KEPT, VERSION, create, upgrade, version_of
from evaltui.disk.history.history_trials import trials
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import SamePrints
from tests.disk.evidence_table import drop_since_13
from tests.disk.samples import passed

Step = tuple[bool, int, bool]
"""Whether somebody was asked, with which inputs it was judged, and whether it passed."""
USUAL = passed()


def counted(steps: list[Step]) -> dict[int, Trials]:
    """What each inputs has: of each answer the last verdict with them."""
    answers: list[dict[int, bool]] = []
    for is_new, inputs, has_passed in steps:
        if is_new:
            answers.append({})
        answers[-1][inputs] = has_passed
    found: dict[int, Trials] = {}
    for answer in answers:
        for inputs, has_passed in answer.items():
            one = Trials(1, 0) if has_passed else Trials(0, 1)
            found[inputs] = found.get(inputs, Trials()) + one
    return found


def result(number: int, step: Step) -> CaseResult:
    is_new, inputs, has_passed = step
    return replace(
        USUAL,
        run_id=f"run-{number}",
        status=CaseStatus.PASSED if has_passed else CaseStatus.FAILED,
        passes=int(has_passed),
        finished_at=1e9 + number,
        inputs=replace(USUAL.inputs, case=f"{inputs:012x}"),
        was_judged_again=not is_new,
    )


def recorded(steps: list[Step]) -> dict[int, Trials]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create(connection)
    for number, step in enumerate(steps):
        one = result(number, step)
        insert_results(connection, RunRecord(one.run_id, number, "embedded"), [one])
    prints, asked = SamePrints(), {step[1]: result(0, step) for step in steps}
    wanted = {number: (one.key, prints.of(one.inputs)) for number, one in asked.items()}
    found = trials(connection, "embedded", wanted.values())
    connection.close()
    return {number: found[of] for number, of in wanted.items() if of in found}


judged = st.tuples(st.sampled_from([False] * 19 + [True]), st.integers(0, 5), st.booleans())
many = st.lists(judged, min_size=KEPT, max_size=3 * KEPT)


@pytest.mark.slow
@given(first=st.booleans(), steps=many)
def test_each_answer_counts_by_its_last_verdict(first: bool, steps: list[Step]) -> None:
    steps = [(True, 0, first), *steps]
    assert recorded(steps) == counted(steps)


def test_inputs_that_are_back_after_many_others_count_no_second_time() -> None:
    others = [(False, number, False) for number in range(1, KEPT + 10)]
    steps = [(True, 0, True), *others, (False, 0, False)]
    assert recorded(steps) == counted(steps)


def test_what_a_history_of_before_knows_of_an_answer_counts_once_too() -> None:
    """The version before kept its judgements among the last results alone."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create(connection)
    steps = [(True, 0, True), (False, 1, True)]
    for number, step in enumerate([*steps, (False, 2, True), (False, 0, True)]):
        one = result(number, step)
        insert_results(connection, RunRecord(one.run_id, number, "embedded"), [one])
        if number < len(steps):
            connection.execute("DROP TABLE judged")
            drop_since_13(connection)
            upgrade(connection, 12)
    assert version_of(connection) == VERSION
    of = USUAL.key, SamePrints().of(result(0, steps[0]).inputs)
    assert trials(connection, "embedded", [of]) == {of: Trials(1, 0)}
    connection.close()
