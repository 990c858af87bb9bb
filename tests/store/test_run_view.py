"""What is known of a run as a whole."""

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase, TraceCase
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.spent import Spent
from evaltui.store.row import Row
from evaltui.store.run_view import RunView
from tests.tui import scene

KEY = CaseKey("evals/a.golden.json", "a")


def test_each_case_is_counted_once_and_what_each_attempt_cost() -> None:
    other = CaseKey("evals/a.golden.json", "b")
    run = RunView.of(RunStarted("r", "a", 1, (KEY, other), "asked for"))
    answers = [
        CaseResult(key, "r", "a", CaseStatus.PASSED, response=AgentResponse("", usage=usage))
        for key, usage in ((KEY, Usage(1, 1, 0.25)), (other, Usage(1, 1, 0.25)))
    ]
    again = CaseResult(
        KEY, "r", "a", CaseStatus.FAILED, response=AgentResponse("", usage=Usage(2, 2, 0.75))
    )
    for answer in answers:
        run.count(answer)
    run.count(again, answers[0])
    assert (run.done, run.spent_usd) == (2, 1.0)


def test_its_cost_is_at_the_end_also_that_of_answers_that_never_came() -> None:
    run = RunView.of(RunStarted("r", "a", 1, (KEY,), "asked for"))
    response = AgentResponse("", usage=Usage(1, 1, 0.25))
    run.count(CaseResult(KEY, "r", "a", CaseStatus.PASSED, response=response))
    assert run.spent_usd == 0.25
    run.finish(RunFinished("r", "a", RunEnd.COMPLETED, 1.0, spent=Spent(0.75)))
    assert run.spent_usd == 0.75


def test_trials_of_cases_that_are_not_done_count_too() -> None:
    other = CaseKey("evals/a.golden.json", "b")
    run = RunView.of(RunStarted("r", "a", 1, (KEY, other), "10 times", trials=10))
    told = []
    for key, count in ((KEY, 3), (other, 2)):
        for _ in range(count):
            run.count_trial(CaseResult(key, "r", "a", CaseStatus.PASSED))
        told.append((run.trials_done, run.trials_total))
    run.count(CaseResult(KEY, "r", "a", CaseStatus.PASSED))
    assert [*told, (run.trials_done, run.done)] == [(3, 20), (5, 20), (12, 1)]


def test_a_case_that_is_only_read_is_one_trial_however_often_others_are_tried() -> None:
    asked = Case(KEY, ContractCase("hello"))
    read = Case(CaseKey(KEY.suite, "b"), TraceCase(""))
    suite = scene.suites(1)[0]
    rows = {case.key: Row(case.key, case, suite) for case in (asked, read)}
    run = RunView.of(RunStarted("r", "a", 1, tuple(rows), "20 times", trials=20), rows)
    assert (run.trials_done, run.trials_total) == (0, 21)
    run.count(CaseResult(read.key, "r", "a", CaseStatus.PASSED))
    assert (run.trials_done, run.done) == (1, 1)
    run.count(CaseResult(asked.key, "r", "a", CaseStatus.PASSED))
    assert run.trials_done == run.trials_total


def view(*, command: str = "", end: RunEnd | None = None) -> RunView:
    made = RunView.of(RunStarted("r", "a", 1, (KEY,), "asked for", command=command))
    made.end = end
    return made


@pytest.mark.parametrize(
    ("run", "other", "is_beside"),
    [
        (view(command="c"), view(), True),
        (view(command="c"), view(command="d"), False),
        (view(), view(), False),
        (view(), view(command="c"), False),
        (view(command="c"), view(end=RunEnd.COMPLETED), False),
        (view(command="c", end=RunEnd.COMPLETED), view(), False),
        (view(command="c"), None, False),
    ],
)
def test_a_command_stands_beside_what_a_dashboard_runs_at_the_time(
    run: RunView, other: RunView | None, is_beside: bool
) -> None:
    assert run.is_beside(other) is is_beside


def test_what_is_never_asked_counts_neither_as_done_nor_as_still_to_do() -> None:
    other = CaseKey("evals/a.golden.json", "b")
    run = RunView.of(RunStarted("r", "a", 1, (KEY, other), "why", never_asked=(other,), trials=2))
    run.count_trial(CaseResult(other, "r", "a", CaseStatus.SKIPPED))
    run.count(CaseResult(other, "r", "a", CaseStatus.SKIPPED))
    assert (run.total, run.done, run.trials_done) == (1, 0, 0)


def test_judging_a_kept_answer_again_costs_what_the_judge_does() -> None:
    run = RunView.of(RunStarted("r", "a", 1, (KEY,), "judged again", is_rejudging=True))
    response = AgentResponse("", usage=Usage(1, 1, 0.25))
    run.count(CaseResult(KEY, "r", "a", CaseStatus.PASSED, response=response))
    assert (run.done, run.spent_usd) == (1, 0.0), "the answer was paid before"
    run.finish(RunFinished("r", "a", RunEnd.COMPLETED, 1.0, spent=Spent(0.02)))
    assert (run.spent_usd, run.end) == (0.02, RunEnd.COMPLETED)


def test_a_run_that_begins_has_done_and_spent_nothing() -> None:
    made = view()
    assert (made.done, made.trials_done, made.spent_usd, made.finished_at) == (0, 0, 0.0, 0.0)
    assert (made.end, made.is_command, made.is_repeat) == (None, False, False)
