"""A command's run beside a dashboard's: its results reach the rows, the other stays shown."""

import pytest

from evaltui.core.audited import Audited, Draw
from evaltui.core.comparison import Effect, RunChanges
from evaltui.core.errors import Problem
from evaltui.core.events import (
    CaseMuted,
    CasesStale,
    CaseStarted,
    ProblemFound,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.row import Phase
from evaltui.store.store import Store
from tests.store.test_saves import (
    AGENT,
    ONE,
    SUITES,
    THREE,
    TWO,
    E,
    F,
    P,
    begin,
    effects,
    finish,
    save,
)
from tests.store.test_saves import store as store

COMMAND = "command-1"


def begin_command(store: Store) -> None:
    store.handle(
        RunStarted("beside", AGENT, 9, (THREE.key,), "evaltui run", command=COMMAND, total=1)
    )


def end(store: Store, run_id: str) -> None:
    store.handle(RunFinished(run_id, AGENT, RunEnd.COMPLETED, 1.0, finished_at=9.0))


def shown(store: Store) -> tuple[str, int, bool]:
    """The run that the header is about, how many of its cases are done, and whether it is on."""
    board = store.board(AGENT)
    assert board.runs.last is not None
    return board.runs.last.run_id, board.runs.last.done, board.runs.is_on


def status_of_three(store: Store) -> CaseStatus:
    result = store.board(AGENT).rows[THREE.key].result
    assert result is not None
    return result.status


def test_a_run_that_is_on_stays_shown_and_ends_as_itself(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=F)
    begin_command(store)
    finish(store, "beside", three=E)
    assert shown(store) == ("own", 1, True)
    assert status_of_three(store) is E, "its results reach the rows"
    end(store, "beside")
    assert shown(store) == ("own", 1, True)
    finish(store, "own", two=P)
    end(store, "own")
    assert shown(store) == ("own", 2, False)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    board = store.board(AGENT)
    assert (board.counts.all.ran, board.runs.beside) == (2, {})
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)


def test_a_run_of_a_dashboard_is_shown_in_place_of_one_of_a_command(store: Store) -> None:
    begin_command(store)
    assert shown(store) == ("beside", 0, True)
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "beside", three=F)
    assert shown(store) == ("own", 0, True)
    end(store, "beside")
    assert shown(store) == ("own", 0, True)
    assert effects(store) == {}, "it is no doing of the save"


def test_what_it_does_is_not_told_by_the_rest_of_an_opening_that_is_on(store: Store) -> None:
    save(store, "a.ts")
    store.handle(RunStarted("own", AGENT, 3, (TWO.key,), "never run", is_rest=True))
    begin_command(store)
    finish(store, "beside", three=F)
    assert store.board(AGENT).changes([THREE.key], "own") == RunChanges()


def test_the_end_of_one_leaves_waiting_and_running_what_is_the_other_s(store: Store) -> None:
    rows = store.board(AGENT).rows

    def phases() -> list[Phase]:
        return [rows[case.key].phase for case in (ONE, TWO, THREE)]

    begin(store, "own")
    store.handle(CaseStarted("own", AGENT, ONE.key))
    begin_command(store)
    store.handle(CaseStarted("beside", AGENT, THREE.key))
    assert phases() == [Phase.RUNNING, Phase.QUEUED, Phase.RUNNING]
    end(store, "beside")
    assert phases() == [Phase.RUNNING, Phase.QUEUED, Phase.IDLE]
    begin_command(store)
    store.handle(CaseStarted("beside", AGENT, THREE.key))
    end(store, "own")
    assert phases() == [Phase.IDLE, Phase.IDLE, Phase.RUNNING]
    end(store, "beside")
    assert phases() == [Phase.IDLE] * 3


def test_problems_of_the_run_that_is_shown_stay_until_the_next_one(store: Store) -> None:
    begin(store, "own")
    problem = Problem("", "the disk is full")
    store.handle(ProblemFound(problem))
    begin_command(store)
    end(store, "beside")
    begin_command(store)
    assert store.problems.others == [problem]


def test_what_a_save_did_is_told_until_the_next_save(store: Store) -> None:
    """Also where cases wait for a key that the save made due, and where a case of it ran again."""
    due = [DueCase(case.key, Degree.POSSIBLY, ("a changed",)) for case in (TWO, THREE)]
    certain = DueCase(ONE.key, Degree.AFFECTED, ("a changed",))
    store.handle(CasesStale(AGENT, (certain, *due), 5, ("a.ts",), (certain, *due)))
    store.handle(RunStarted("own", AGENT, 1, (ONE.key,), "a changed", ("a.ts",)))
    finish(store, "own", one=F)
    end(store, "own")
    keys = tuple(case.key for case in (ONE, TWO, THREE))
    store.handle(RunStarted("beside", AGENT, 2, keys, "evaltui run", command=COMMAND))
    assert shown(store) == ("own", 1, False)
    finish(store, "beside", one=F, two=P, three=F)
    beside = store.board(AGENT).runs.beside["beside"]
    assert (beside.done, beside.total) == (3, 3), "how far it is is known"
    end(store, "beside")
    board = store.board(AGENT)
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)
    assert (board.counts.all.ran, effects(store)) == (1, {"one": Effect.WORSE})
    assert [board.rows[key].ran_besides for key in keys] == [False, True, True]
    store.handle(RunStarted("again", AGENT, 3, keys, "evaltui run", command=COMMAND))
    finish(store, "again", one=P)
    counts = store.board(AGENT).counts.all
    assert (counts.ran, counts.by_effect[Effect.WORSE]) == (1, 1), "the save made it worse"
    assert (effects(store), board.rows[ONE.key].ran_besides) == ({}, True), "it passes again"
    finish(store, "again", one=F)
    assert effects(store) == {"one": Effect.WORSE}, "it is as the save left it"


def test_a_save_that_had_answers_judged_again_is_told_so_whatever_asks_them(store: Store) -> None:
    save(store, "a.ts")
    judged = RunStarted("own", AGENT, 1, (ONE.key,), "an expectation", ("a.ts",), is_rejudging=True)
    store.handle(judged)
    finish(store, "own", one=F)
    end(store, "own")
    store.handle(RunStarted("beside", AGENT, 2, (ONE.key,), "evaltui run", command=COMMAND))
    finish(store, "beside", one=F)
    end(store, "beside")
    counts = store.board(AGENT).counts.all
    assert (counts.ran, counts.rejudged) == (1, 1)
    assert effects(store) == {"one": Effect.WORSE}


@pytest.mark.parametrize("files", [("a.ts",), ()], ids=["a save", "a key"])
def test_what_corrects_a_command_of_other_files_is_held_against_what_was_before_that(
    store: Store, files: tuple[str, ...]
) -> None:
    save(store, *files)
    begin(store, "own", *files)
    finish(store, "own", one=F)
    end(store, "own")
    keys = (ONE.key, TWO.key)
    store.handle(RunStarted("beside", AGENT, 2, keys, "evaltui run", command=COMMAND))
    finish(store, "beside", one=P, two=F)
    end(store, "beside")
    store.handle(RunStarted("again", AGENT, 3, keys, "other files", is_correction=True))
    finish(store, "again", one=F, two=P)
    made = store.board(AGENT).changes(keys, "again")
    assert (made.worse, made.better, made.as_before) == ((), (), 2)
    end(store, "again")
    told = store.board(AGENT).headline.save
    assert told is not None and told.trigger == files
    assert effects(store) == {"one": Effect.WORSE}, "the last save's, and nothing else's"


def test_a_case_that_went_and_came_back_is_held_against_nothing_from_before(store: Store) -> None:
    store.handle(RunStarted("beside", AGENT, 2, (TWO.key,), "evaltui run", command=COMMAND))
    finish(store, "beside", two=F)
    end(store, "beside")
    known = store.board(AGENT).headline.before_commands
    assert known.keys() == {TWO.key}
    others = [suite for suite in SUITES if TWO.key.suite != suite.id]
    for suites in (others, SUITES):
        store.handle(ProjectRead(tuple(suites), ToolRegistry(configured=False), ()))
        assert not known
    again = RunStarted("again", AGENT, 3, (TWO.key,), "other files", is_correction=True)
    store.handle(again)
    finish(store, "again", two=P)
    made = store.board(AGENT).changes((TWO.key,), "again")
    assert (made.as_before, made.new) == (0, 1)


def test_a_command_that_is_told_stays_so_while_it_is_corrected(store: Store) -> None:
    begin_command(store)
    finish(store, "beside", three=F)
    end(store, "beside")
    again = RunStarted("again", AGENT, 10, (THREE.key,), "other files", is_correction=True)
    store.handle(again)
    finish(store, "again", three=P)
    end(store, "again")
    assert store.board(AGENT).counts.all.by_effect[Effect.WORSE] == 1, "as the command said"
    assert (effects(store), store.board(AGENT).rows[THREE.key].ran_besides) == ({}, True)
    assert store.board(AGENT).headline.is_of_command
    store.handle(RunStarted("later", AGENT, 11, (TWO.key,), "evaltui run", command="command-2"))
    assert shown(store) == ("later", 0, True), "the next command takes its place"


def test_what_a_key_did_is_told_until_the_next_one(store: Store) -> None:
    begin(store, "own")
    finish(store, "own", one=F)
    end(store, "own")
    begin_command(store)
    finish(store, "beside", three=F)
    end(store, "beside")
    assert shown(store) == ("own", 1, False)
    assert effects(store) == {"one": Effect.WORSE}


def test_a_command_is_told_where_nothing_was_saved_and_takes_the_place_of_another(
    store: Store,
) -> None:
    begin_command(store)
    finish(store, "beside", three=F)
    end(store, "beside")
    assert (shown(store), effects(store)) == (("beside", 1, False), {"three": Effect.WORSE})
    store.handle(RunStarted("later", AGENT, 10, (TWO.key,), "evaltui run", command="command-2"))
    assert shown(store) == ("later", 0, True)
    end(store, "later")
    save(store, "a.ts")
    begin_command(store)
    assert shown(store)[0] == "later", "what was saved, and made nothing due, is told"
    told = store.board(AGENT).headline.save
    assert told is not None and told.trigger == ("a.ts",)


def test_what_only_a_command_ran_is_none_that_the_save_ran(store: Store) -> None:
    save(store, "a.ts")
    draw = Draw((TWO.key,), 2, rest=(THREE.key,))
    keys = (ONE.key, TWO.key)
    store.handle(RunStarted("own", AGENT, 1, keys, "changed", ("a.ts",), draw=draw))
    finish(store, "own", one=F, two=P)
    told = Audited(1, 0, 2)
    store.handle(RunFinished("own", AGENT, RunEnd.COMPLETED, 1.0, audited=told))
    begin_command(store)
    finish(store, "beside", three=P)
    end(store, "beside")
    board = store.board(AGENT)
    assert board.counts.all.ran == 2
    assert board.ran_where_drawn is not None
    assert board.ran_where_drawn.words == "2 of 3 ran (1 certain, 1 drawn), 1 besides"
    assert board.ran_where_drawn.left == 0, "it was answered all the same"


def test_a_mute_corrects_what_a_command_beside_did_too(store: Store) -> None:
    def told() -> tuple[int, int, int]:
        over = store.board(AGENT).runs.over_beside
        assert over is not None
        return len(over.changes.worse), over.changes.as_before, over.changes.muted

    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=P)
    end(store, "own")
    keys = (TWO.key, THREE.key)
    store.handle(RunStarted("beside", AGENT, 9, keys, "evaltui run", command=COMMAND))
    finish(store, "beside", two=P, three=F)
    did = RunChanges(worse=(THREE.key,), as_before=1)
    store.handle(RunFinished("beside", AGENT, RunEnd.COMPLETED, 1.0, changes=did))
    assert told() == (1, 1, 0)
    store.handle(CaseMuted(THREE.key, "flaky"))
    assert told() == (0, 1, 1)
    store.handle(CaseMuted(TWO.key, "flaky"))
    assert told() == (0, 0, 2)
    for key in keys:
        store.handle(CaseMuted(key, ""))
    assert told() == (1, 1, 0)


def test_what_a_command_told_itself_stays_where_it_held_its_results_against_others(
    store: Store,
) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=P)
    end(store, "own")
    begin_command(store)
    finish(store, "beside", three=F)
    did = RunChanges(as_before=1)
    store.handle(RunFinished("beside", AGENT, RunEnd.COMPLETED, 1.0, changes=did))
    store.handle(CaseMuted(THREE.key, "flaky"))
    over = store.board(AGENT).runs.over_beside
    assert over is not None and over.changes == did
