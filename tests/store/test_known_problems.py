"""What is wrong as far as it was told: what stays, and what is over when a run begins."""

from msgspec.structs import replace

from evaltui.core.errors import BUDGET_SPENT, Problem, Severity
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.known_problems import KnownProblems
from tests.tui import scene

BROKEN = Problem("a.json", "it is broken", severity=Severity.ERROR)
DOUBT = Problem("a.json", "it is doubtful", severity=Severity.LINT)


def test_what_was_found_stands_until_the_run_after_it() -> None:
    known = KnownProblems({})
    seen = []
    for found in ("opening", "first run", "after it", "second run"):
        known.others.append(Problem("", found))
        if "run" in found:
            known.end_run()
        else:
            known.begin_run()
        seen.append([one.what for one in known.reported])
    assert seen == [
        ["opening"],
        ["opening", "first run"],
        ["opening", "after it"],
        ["opening", "after it", "second run"],
    ]
    known.begin_run()
    assert [one.what for one in known.reported] == ["opening"]


def test_what_says_that_a_limit_is_spent_goes_alone_and_the_rest_stands_as_long_as_before() -> None:
    known = KnownProblems({})
    known.others = [Problem("", "opening"), Problem("", "left", code=BUDGET_SPENT)]
    known.begin_run()
    known.others += [Problem("", "run", code=BUDGET_SPENT), Problem("", "in the run")]
    known.end_run()
    known.others.append(Problem("", "after it"))
    known.free()
    assert [one.what for one in known.reported] == ["opening", "in the run", "after it"]
    known.begin_run()
    assert [one.what for one in known.reported] == ["opening", "after it"]


def test_agents_that_are_down_are_shown_beside_what_was_found() -> None:
    (suite,) = scene.suites(1, 1)
    board = Board(scene.AGENT)
    board.arrange([suite])
    known = KnownProblems({scene.AGENT: board})
    known.of_project = (DOUBT,)
    assert known.count() == (1, False)
    known.others.append(DOUBT)
    assert known.count() == (2, False)
    failed = scene.result(suite.cases[0], CaseStatus.ERROR)
    board.finish(replace(failed, category="agent_error"))
    assert known.count() == (3, True)
