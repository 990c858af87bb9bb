"""What a change asks for, as requests, as far as the guard of money lets them run."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.audited import Audited, Draw
from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.staleness import Degree, DueCase
from evaltui.session.due_requests import DueRequests
from evaltui.session.money.spending import Cause
from evaltui.session.running.run_request import RunRequest
from tests.session.priced import FREE, KEYS, PAID, board, spending

if TYPE_CHECKING:
    from evaltui.session.due_cases import DueCases
    from evaltui.session.project_state import ProjectState

FIRST, SECOND, THIRD, FOURTH = KEYS
SAVE = ("a.ts",)
DRAW = Draw((THIRD,), 2)


class Guarded:
    """The first two cases are due, the first one by the save. The guard lets `allowed` run."""

    def __init__(self, *allowed: CaseKey, agent: Agent = PAID, draw: Draw | None = None) -> None:
        self.asked: list[list[CaseKey]] = []
        self.is_released = False
        self.state = SimpleNamespace(
            untrusted=(),
            config=SimpleNamespace(trials=3, regressions=SimpleNamespace(confirm="auto")),
        )
        degrees = ((FIRST, Degree.AFFECTED), (FOURTH, Degree.POSSIBLY))
        due = SimpleNamespace(
            agent=agent,
            saved=[DueCase(key, degree, ("why",)) for key, degree in degrees],
            reason=lambda _, by_save: "of the save" if by_save else "of all",
        )
        self.made = DueRequests(
            agent,
            board(1.0, 0.1),
            cast("DueCases", due),
            cast("ProjectState", self.state),
            spending(),
        )
        self._allowed = dict.fromkeys(allowed) or None
        self.made.held = cast("Any", self)
        self.made.to_run = cast("Any", self)
        self.made.audit = cast(
            "Any", SimpleNamespace(draw=lambda _: draw, draw_more=lambda told: told and draw)
        )

    def at_all(self) -> dict[CaseKey, None]:
        return {FIRST: None, SECOND: None}

    def of_save(self) -> dict[CaseKey, None]:
        return {FIRST: None}

    def allowed(self, _cause: Cause, wanted: Any, *_: object) -> dict[CaseKey, None] | None:
        self.asked.append([*wanted])
        return self._allowed

    def release(self) -> None:
        self.is_released = True

    def part_judged(self, _cause: Cause, keys: list[CaseKey]) -> Any:
        return keys[:1], keys[1:]

    def change(self, cause: Cause, *on: CaseKey, runs: bool = False) -> RunRequest | None:
        """`runs`: a run of those `on` is in progress."""
        pending = {*on} if on or runs else None
        return self.made.of_change(cause, SAVE, pending, frozenset())


def test_a_save_runs_what_it_made_due_and_some_that_are_drawn() -> None:
    guarded = Guarded(FIRST, draw=DRAW)
    made = guarded.change(Cause.SAVED)
    assert made is not None and guarded.asked == [[FIRST]]
    assert ([*made.keys], made.draw) == ([FIRST, THIRD], DRAW)
    assert made.while_due == {FIRST, THIRD}
    assert (made.reason, made.trigger, made.trials) == ("of the save", SAVE, 3)
    assert made.is_by_news and made.confirms == "guarded"
    guarded.state.config.regressions.confirm = "never"
    made = guarded.change(Cause.SAVED)
    assert made is not None and made.confirms == "not"


def test_an_opening_runs_all_that_is_due_and_draws_none() -> None:
    guarded = Guarded(FIRST, SECOND, draw=DRAW)
    made = guarded.change(Cause.OPENED)
    assert made is not None and guarded.asked == [[FIRST, SECOND]]
    assert ([*made.keys], made.draw, made.reason) == ([FIRST, SECOND], None, "of all")


def test_where_nothing_may_run_what_was_agreed_to_goes_on_by_what_is_saved_now() -> None:
    guarded = Guarded(draw=DRAW)
    assert guarded.change(Cause.SAVED) is None
    assert guarded.change(Cause.OPENED, FIRST) is None
    made = guarded.change(Cause.SAVED, FIRST, SECOND, FOURTH)
    assert made is not None
    assert ([*made.keys], made.draw) == ([FIRST], None), "the save affects no other for certain"
    made = guarded.change(Cause.SAVED, runs=True)
    assert made is not None and not made.keys


def test_while_nobody_agreed_to_the_settings_nothing_is_wanted_nor_held() -> None:
    guarded = Guarded(FIRST)
    guarded.state.untrusted = ("a grant",)
    assert guarded.change(Cause.SAVED, FIRST) is None
    assert (guarded.asked, guarded.is_released) == ([], True)


@pytest.mark.parametrize(("agent", "runs"), [(FREE, [SECOND]), (PAID, [])])
def test_what_another_process_ran_by_other_files_runs_again_as_at_an_opening(
    agent: Agent, runs: list[CaseKey]
) -> None:
    made = Guarded(agent=agent).made.of_unlike({SECOND, THIRD})
    assert [*made.keys] == runs
    assert (made.while_due, made.trials, made.trigger) == (frozenset(runs), 3, ())


def test_after_a_run_that_drew_some_more_are_drawn_for_the_same_save() -> None:
    made, before = Guarded(draw=DRAW).made, RunRequest({FIRST: None}, "saved", SAVE, 3)
    none = RunFinished("r", "paid", RunEnd.COMPLETED, 1.0)
    assert made.further_drawn(before, none) is None
    told = RunFinished("r", "paid", RunEnd.COMPLETED, 1.0, audited=Audited(1, 0, 2))
    further = made.further_drawn(before, told)
    assert further is not None
    assert ([*further.keys], further.draw) == ([THIRD], DRAW)
    assert further.while_due == {THIRD}
    assert (further.reason, further.trigger, further.trials) == ("saved", SAVE, 3)


def test_kept_answers_are_judged_again_and_the_dear_ones_without_a_judge() -> None:
    now, dear = Guarded().made.judged_by_change(Cause.SAVED, SAVE, [FIRST, SECOND])
    assert [([*one.keys], one.asks_judge) for one in (now, dear)] == [
        ([FIRST], True),
        ([SECOND], False),
    ]
    for one in (now, dear):
        assert one.is_rejudging and one.while_due == one.keys.keys()
        assert (one.trigger, one.reason) == (SAVE, "of the save")
    by_hand = Guarded().made.to_judge([FIRST], asked_at=2.0)
    assert (by_hand.while_due, by_hand.asked_at, by_hand.reason) == (frozenset(), 2.0, "of all")
    assert by_hand.asks_judge and not by_hand.trigger
