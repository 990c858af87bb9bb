"""What a person asks of the queues, as requests; and which cases are due."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.staleness import Degree, DueCase
from evaltui.session.requests import Requests
from evaltui.session.running.run_request import RunRequest
from tests.session.priced import KEYS

if TYPE_CHECKING:
    from evaltui.session.agent_queues import AgentQueues
    from evaltui.session.money.spending import Spending
    from evaltui.session.project_state import ProjectState
    from evaltui.session.who_runs import WhoRuns

DEGREES = (Degree.AFFECTED, Degree.POSSIBLY, Degree.TO_JUDGE, Degree.NEVER_RUN)


class Queue:
    def __init__(self, *due: Degree) -> None:
        self.enqueued: list[RunRequest] = []
        self.rejudged: list[tuple[Any, ...]] = []
        self.is_cancelled = False
        cases = [DueCase(key, degree, ("why",)) for key, degree in zip(KEYS, due, strict=False)]
        self.due = SimpleNamespace(cases=cases)

    def enqueue(self, request: RunRequest) -> None:
        self.enqueued.append(request)

    def rejudge(self, keys: list[CaseKey], *, asked_at: float) -> None:
        self.rejudged.append((keys, asked_at > 0))

    def cancel(self) -> None:
        self.is_cancelled = True


def made(queue: Queue, refusal: str = "") -> Requests:
    state = SimpleNamespace(config=SimpleNamespace(trials=3))
    chosen = {"chosen": lambda _: [queue], "to_ask": lambda _: [queue]}
    queues = SimpleNamespace(by_name={"mine": queue}, **chosen)
    return Requests(
        cast("ProjectState", state),
        cast("AgentQueues", queues),
        cast("Spending", None),
        cast("WhoRuns", SimpleNamespace(refusal=refusal)),
    )


async def test_who_asks_has_cases_run_as_often_as_the_settings_say_whatever_becomes_due() -> None:
    queue = Queue()
    made(queue).rerun(KEYS[:2])
    (request,) = queue.enqueued
    assert ([*request.keys], request.trials, request.reason) == (KEYS[:2], 3, "by hand")
    assert (request.while_due, request.confirms, request.is_repeat) == (frozenset(), "not", False)
    assert request.is_by_news and not request.by_outcome
    assert request.asked_at > 0


async def test_more_can_be_asked_for() -> None:
    queue = Queue()
    made(queue).rerun(KEYS[:2], trials=5, is_while_due=True, confirms=True, is_repeat=True)
    (request,) = queue.enqueued
    assert (request.trials, request.while_due) == (5, frozenset(KEYS[:2]))
    assert (request.confirms, request.is_repeat) == ("agreed", True)
    assert request.by_outcome == frozenset(KEYS[:2]), "more of it is wanted because of what it told"


async def test_cases_that_were_chosen_by_their_outcome_are_no_repeat() -> None:
    queue = Queue()
    made(queue).rerun(KEYS[:2], is_by_outcome=True)
    (request,) = queue.enqueued
    assert (request.by_outcome, request.is_repeat) == (frozenset(KEYS[:2]), False)


async def test_nothing_runs_beside_another_process() -> None:
    queue = Queue()
    requests = made(queue, "another one runs here")
    for ask in (requests.rerun, requests.rejudge):
        with pytest.raises(UserError, match="another one runs here"):
            ask(KEYS)
    assert not queue.enqueued and not queue.rejudged
    requests.cancel()
    assert queue.is_cancelled


async def test_kept_answers_are_judged_anew_for_who_asks() -> None:
    queue = Queue()
    made(queue).rejudge(KEYS)
    assert queue.rejudged == [(KEYS, True)]


def test_what_is_due_can_be_told_without_what_costs_nothing_to_leave() -> None:
    requests = made(Queue(*DEGREES))
    first, *rest = KEYS
    assert requests.due_keys("mine") == tuple(KEYS)
    without = ({"possibly": False}, {"to_judge": False}, {"never_run": False})
    left = [set(KEYS) - {*requests.due_keys("mine", **each)} for each in without]
    assert left == [{key} for key in rest]
    assert requests.due_keys("mine", possibly=False, to_judge=False, never_run=False) == (first,)
