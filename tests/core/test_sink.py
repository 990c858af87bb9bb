"""Who hears which event, in which order, and what a listener's fault does to the others."""

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import CaseStarted, Event, ProblemFound, TextStreamed
from evaltui.core.sink import Fanout

STARTED = CaseStarted("run-1", "embedded", CaseKey("suite", "case"))
STREAMED = TextStreamed("run-1", "embedded", CaseKey("suite", "case"), "text")


class _Ear:
    def __init__(self, log: list[tuple[str, Event]], name: str) -> None:
        self._log, self._name = log, name

    def handle(self, event: Event) -> None:
        self._log.append((self._name, event))


class _Picky(_Ear):
    hears = frozenset({CaseStarted})


class _Broken:
    def handle(self, event: Event) -> None:  # noqa: ARG002
        raise OSError("the disk is full")


def test_in_order_and_only_what_is_wanted() -> None:
    log: list[tuple[str, Event]] = []
    fanout = Fanout([_Ear(log, "all"), _Picky(log, "picky")])
    fanout.handle(STARTED)
    fanout.handle(STREAMED)
    assert log == [("all", STARTED), ("picky", STARTED), ("all", STREAMED)]


def test_who_comes_and_goes_is_heard_of_at_the_next_event() -> None:
    log: list[tuple[str, Event]] = []
    first, late = _Ear(log, "first"), _Ear(log, "late")
    fanout = Fanout([first])
    fanout.handle(STARTED)
    fanout.insert(0, late)
    fanout.handle(STARTED)
    fanout.remove(first)
    fanout.handle(STARTED)
    assert [name for name, _ in log] == ["first", "late", "first", "late"]


def test_one_that_raises_is_dropped_and_the_others_are_told() -> None:
    log: list[tuple[str, Event]] = []
    fanout = Fanout([_Broken(), _Ear(log, "ear")])
    fanout.handle(STARTED)
    fanout.handle(STREAMED)
    problem, *rest = [event for _, event in log]
    assert isinstance(problem, ProblemFound)
    assert "the disk is full" in problem.problem.what
    assert rest == [STARTED, STREAMED]


def test_the_one_that_knows_already_is_not_told() -> None:
    log: list[tuple[str, Event]] = []
    knows, other = _Ear(log, "knows"), _Ear(log, "other")
    fanout = Fanout([knows])
    fanout.add(other)
    fanout.handle(STARTED, but=knows)
    assert log == [("other", STARTED)]
    fanout.handle(STREAMED, but=_Ear(log, "stranger"))
    assert [name for name, _ in log[1:]] == ["knows", "other"]


def test_a_stranger_can_be_removed_and_what_stopped_is_named() -> None:
    log: list[tuple[str, Event]] = []
    fanout = Fanout([_Ear(log, "ear")])
    fanout.remove(_Broken())
    fanout.add(_Broken())
    fanout.handle(STARTED)
    fanout.handle(STARTED)
    assert [event for _, event in log if event is not STARTED] == [
        ProblemFound(
            Problem(
                "",
                "`_Broken` stopped: OSError: the disk is full",
                "The run goes on without it; fix the cause and start the run again.",
                code="sink-dropped",
            )
        )
    ]
