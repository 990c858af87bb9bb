"""What a save ran for which cases were drawn adds up, and its bound is of all without an answer."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.audited import Audited, Draw, RanOfSave
from evaltui.core.case import Case, CaseKey
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.store import Store
from tests.tui import scene

AGENT, SAVE = scene.AGENT, ("a.ts",)
SUITES = scene.suites(14, 2)
CASES = scene.cases_of(SUITES)
CERTAIN, OTHERS = CASES[:2], CASES[2:]
P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
FEW = 3
"""So many are drawn at once."""


class Dashboard:
    """A save possibly affects all but two cases; what it comes to is kept aside as it happens."""

    def __init__(self) -> None:
        self.store, self.runs = Store(), 0
        self.store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
        self.store.handle(ResultsLoaded(AGENT, tuple(scene.result(case, P) for case in CASES)))
        self.ran: set[CaseKey] = set()
        self.drawn: set[CaseKey] = set()
        self.ever: set[CaseKey] = set()
        """All that its runs asked, for whichever of the saves that are one."""
        self.answered: set[CaseKey] = set()
        self.told: Audited | None = None

    def save(self, *due: DueCase) -> None:
        self.store.handle(CasesStale(AGENT, due, len(CASES), SAVE, due or None))

    def begin(
        self, cases: list[Case], draw: Draw | None = None, command: str = "", judged: bool = False
    ) -> str:
        self.runs += 1
        run, keys = f"run-{self.runs}", tuple(case.key for case in cases)
        trigger = () if command else SAVE
        self.store.handle(
            RunStarted(
                run,
                AGENT,
                self.runs,
                keys,
                "changed",
                trigger,
                draw=draw,
                command=command,
                is_rejudging=judged,
            )
        )
        return run

    def finish(self, run: str, case: Case, status: CaseStatus, *, is_own: bool = True) -> None:
        made = replace(scene.result(case, status), run_id=run, finished_at=scene.NOW + self.runs)
        self.store.handle(CaseFinished(run, made))
        if is_own and status is not S:
            self.ran.add(case.key)
            self.ever.add(case.key)
        if status not in (E, S):
            self.answered.add(case.key)

    def end(self, run: str, end: RunEnd = RunEnd.COMPLETED, audited: Audited | None = None) -> None:
        self.told = audited or self.told
        self.store.handle(RunFinished(run, AGENT, end, 1.0, audited=audited))

    def draw(self, before: Audited | None = None) -> tuple[list[Case], Draw]:
        """The first of the others, as far as they are not done."""
        done = self.ran | self.answered if before is not None else set()
        left = [case for case in OTHERS if case.key not in done]
        rest = tuple(case.key for case in left[FEW:])
        drawn = tuple(case.key for case in left[:FEW])
        number = len(OTHERS) if before is not None else len(left)
        return left[:FEW], Draw(drawn, number, before, rest)

    def run_drawn(self, statuses: list[CaseStatus], *, further: bool = False) -> None:
        """A whole run of some, with what is certain where they are the first."""
        cases, draw = self.draw(self.told if further else None)
        run = self.begin([*([] if further else CERTAIN), *cases], draw)
        if not further:
            self.ran, self.answered, self.told = set(), set(), None
            self.drawn = set()
            assert self.said() is None, "what was drawn before tells nothing any more"
            for case in CERTAIN:
                self.finish(run, case, P)
        for case, status in zip(cases, statuses, strict=False):
            self.finish(run, case, status)
        keys = [case.key for case in cases]
        self.drawn.update(keys)
        known, changes = tuple(self.ran), self.store.board(AGENT).changes(keys, run)
        ran = [key for key in known if key in keys or not further]
        self.end(run, audited=draw.audited(ran, changes))

    def said(self) -> RanOfSave | None:
        return self.store.board(AGENT).ran_where_drawn


def holds(made: Dashboard) -> None:
    """What is said adds up to all that is affected, and is what happened."""
    said = made.said()
    if made.told is None:
        assert said is None
        return
    assert said is not None
    others = {case.key for case in OTHERS}
    certain = {case.key for case in CERTAIN}
    assert said.certain == len(certain & made.ran)
    assert said.drawn == len(made.drawn & made.ran)
    assert said.more == len(others & made.ran - made.drawn)
    assert said.in_error == len(made.drawn & made.ran - made.answered)
    assert said.not_run == len(others - made.ran - made.answered)
    assert said.besides == len(others & made.answered - made.ran)
    assert said.due_again == len(others & made.ever - made.ran - made.answered)
    parts = said.certain, said.drawn, said.more, said.besides, said.not_run
    assert sum(parts) == len(CASES)
    assert said.left == len(others - made.answered), "the bound is of all without an answer"
    assert said.at_most == made.told.at_most


COMES_TO = st.sampled_from([P, F, E])
DRAWN = st.lists(COMES_TO, min_size=FEW, max_size=FEW)
WHICH = st.sampled_from(range(len(OTHERS)))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("more"), WHICH, COMES_TO),
        st.tuples(st.just("command"), WHICH, COMES_TO),
        st.tuples(st.just("judged"), WHICH, st.just(P)),
        st.tuples(st.just("skipped"), WHICH, st.just(S)),
        st.tuples(st.just("idle"), WHICH, COMES_TO),
        st.tuples(st.just("saved meanwhile"), WHICH, COMES_TO),
        st.tuples(st.just("superseded"), WHICH, COMES_TO),
    ),
    max_size=8,
)


@example([P] * FEW, [("superseded", 8, P), ("command", 8, P)], [P] * FEW)
@given(first=DRAWN, steps=STEPS, later=DRAWN)
def test_what_ran_adds_up_and_the_bound_is_of_what_has_no_answer(
    first: list[CaseStatus],
    steps: list[tuple[str, int, CaseStatus]],
    later: list[CaseStatus],
) -> None:
    made = Dashboard()
    made.save()
    made.run_drawn(first)
    holds(made)
    for kind, number, status in steps:
        case = OTHERS[number]
        if kind == "command":
            run = made.begin([case], command="command-1")
            made.finish(run, case, status, is_own=False)
            made.end(run)
        elif kind == "idle" and made.told is not None:
            made.run_drawn(later, further=True)
        elif kind == "judged" and case.key in made.ran & made.answered:
            run = made.begin([case], judged=True)
            made.finish(run, case, status)
            made.end(run)
        elif kind in ("more", "skipped"):
            run = made.begin([case])
            made.finish(run, case, status)
            made.end(run)
        elif kind in ("saved meanwhile", "superseded"):
            run = made.begin([case])
            made.finish(run, case, status)
            made.save()
            holds(made)
            made.end(run, RunEnd.SUPERSEDED if kind == "superseded" else RunEnd.COMPLETED)
            if kind == "superseded":
                made.run_drawn(later)
        holds(made)


def test_a_save_that_comes_while_drawn_cases_run_keeps_what_was_drawn() -> None:
    made = Dashboard()
    made.save()
    cases, draw = made.draw()
    run = made.begin([*CERTAIN, *cases], draw)
    for case in CERTAIN:
        made.finish(run, case, P)
    made.finish(run, cases[0], P)
    made.save()
    for case in cases[1:]:
        made.finish(run, case, P)
    made.drawn.update(case.key for case in cases)
    told = Audited(FEW, 0, len(OTHERS))
    made.end(run, audited=told)
    holds(made)
    said = made.said()
    assert said is not None and said.words == "5 of 14 ran (2 certain, 3 drawn)"


def test_what_is_drawn_from_again_after_another_save_has_not_run() -> None:
    made = Dashboard()
    made.save()
    cases, draw = made.draw()
    run = made.begin([*CERTAIN, *cases], draw)
    made.finish(run, cases[0], P)
    made.save()
    made.end(run, RunEnd.SUPERSEDED)
    later = OTHERS[FEW : 2 * FEW]
    rest = [case.key for case in OTHERS if case not in later]
    again = Draw(tuple(case.key for case in later), len(OTHERS), rest=tuple(rest))
    run = made.begin([*CERTAIN, *later], again)
    assert made.said() is None, "what was drawn for the one before tells nothing any more"
    made.ran, made.answered = set(), set()
    made.drawn = {case.key for case in later}
    for case in (*CERTAIN, *later):
        made.finish(run, case, P)
    made.end(run, audited=Audited(FEW, 0, len(OTHERS)))
    holds(made)
    said = made.said()
    assert said is not None and said.words == "5 of 14 ran (2 certain, 3 drawn), 1 due again"
    assert said.left == 9
    assert made.store.board(AGENT).counts.all.ran == 5 + 1, "what it came to is told beside that"


def test_kept_answers_that_are_judged_again_answer_nothing() -> None:
    made = Dashboard()
    made.save()
    made.run_drawn([P, P, P])
    run = made.begin([OTHERS[-1]], judged=True)
    result = replace(scene.result(OTHERS[-1], P), run_id=run, finished_at=scene.NOW + 9)
    made.store.handle(CaseFinished(run, result))
    made.end(run)
    holds(made)


@pytest.mark.parametrize(
    "gone", [CERTAIN[0], OTHERS[0], OTHERS[-1]], ids=["certain", "drawn", "rest"]
)
def test_a_case_that_is_gone_counts_nowhere(gone: Case) -> None:
    made = Dashboard()
    made.save()
    made.run_drawn([P, P, P])
    left = [
        replace(one, cases=tuple(case for case in one.cases if case is not gone)) for one in SUITES
    ]
    made.store.handle(ProjectRead(tuple(left), ToolRegistry(configured=False), ()))
    said = made.said()
    assert said is not None
    assert (said.certain, said.drawn, said.not_run) == (
        2 - (gone is CERTAIN[0]),
        FEW - (gone is OTHERS[0]),
        9 - (gone is OTHERS[-1]),
    )
    assert said.left == said.not_run


def saved_meanwhile(degree: Degree, case: Case = OTHERS[0]) -> RanOfSave | None:
    """After a save while further cases run, which makes one due again, if no other a drawn one."""
    made = Dashboard()
    made.save()
    made.run_drawn([P, P, P])
    run = made.begin([OTHERS[FEW]])
    made.save(DueCase(case.key, degree, ("it was edited",)))
    made.end(run, RunEnd.SUPERSEDED)
    return made.said()


def test_a_drawn_case_that_is_edited_has_no_answer_until_it_ran_again() -> None:
    said = saved_meanwhile(Degree.AFFECTED)
    assert said is not None
    assert said.words == "4 of 14 ran (2 certain, 2 drawn), 1 due again"
    assert said.left == len(OTHERS) - FEW + 1


def test_an_answer_that_is_judged_again_stays_one() -> None:
    said = saved_meanwhile(Degree.TO_JUDGE)
    assert said is not None and said.words == "5 of 14 ran (2 certain, 3 drawn)"


def test_what_a_later_save_possibly_affects_again_is_bounded_by_nothing_before_it() -> None:
    """As where the guard of money lets none be drawn for it."""
    for one in (OTHERS[0], OTHERS[-1]):
        assert saved_meanwhile(Degree.POSSIBLY, one) is None
    assert saved_meanwhile(Degree.POSSIBLY, CERTAIN[0]) is not None, "it is none of the others"
