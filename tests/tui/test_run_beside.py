"""A command in another terminal while the header tells what the last save did."""

from evaltui.core.comparison import AtTimes, RunChanges
from evaltui.core.events import CaseFinished, RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import header_line
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.render.test_lines import LOOK

MADE = scene.suites(48)
CASES = scene.cases_of(MADE)
DID = "12 ran"


def header(session: FakeSession, trigger: tuple[str, ...], width: int = 160) -> str:
    facts = Facts("watching", session.store.board(scene.AGENT), trigger, scene.NOW + 9)
    return "".join(segment.text for segment in header_line(facts, width, LOOK))


def begin(session: FakeSession) -> None:
    keys = tuple(case.key for case in CASES)
    session.emit(RunStarted("beside", scene.AGENT, 43, keys, "evaltui run", command="command-1"))
    result = scene.result(CASES[20], CaseStatus.FAILED)
    session.emit(CaseFinished("beside", result))


def end(session: FakeSession) -> None:
    session.emit(RunFinished("beside", scene.AGENT, RunEnd.COMPLETED, 1.0))


def test_the_save_stays_told_and_the_command_is_named_while_it_is_on() -> None:
    session, files = FakeSession(), ("tools/tools.exports.ts",)
    session.emit(*scene.opened(MADE))
    session.emit(*scene.run(CASES[:12]))
    before = header(session, files)
    assert DID in before
    begin(session)
    for width, said in ((160, "run #43 beside 1/48"), (80, "")):
        shown = header(session, files, width)
        assert said in shown
        assert "tools.exports.ts" in shown
        assert DID in shown or width == 80
    end(session)
    # One case that the save did not run fails now; all that is said of the save is as before.
    assert header(session, files).partition("✓")[0].rstrip() == before.partition("✓")[0].rstrip()


def ended(session: FakeSession, changes: RunChanges) -> None:
    session.emit(RunFinished("beside", scene.AGENT, RunEnd.COMPLETED, 1.0, changes=changes))


def test_what_the_command_did_is_told_as_its_own_until_a_dashboard_runs_again() -> None:
    session, files = FakeSession(), ("tools/tools.exports.ts",)
    session.emit(*scene.opened(MADE))
    session.emit(*scene.run(CASES[:12]))
    before = header(session, files, 220).partition("✓")[0].rstrip()
    begin(session)
    ended(session, RunChanges(worse=(CASES[20].key,), as_before=47))
    said = header(session, files, 220).partition("✓")[0].rstrip()
    assert said == f"{before}  run #43 beside 1 worse · 0 better · 47 as before"
    assert "  #43 beside 1 worse  " in header(session, files, 120)
    session.emit(*scene.run(CASES[:3], number=44))
    assert "beside" not in header(session, files, 220)


def test_of_a_command_that_told_nothing_nothing_is_said() -> None:
    session = FakeSession()
    session.emit(*scene.opened(MADE))
    session.emit(*scene.run(CASES[:12]))
    begin(session)
    assert "beside" in header(session, ())
    ended(session, RunChanges())
    assert "beside" not in header(session, ())


def test_where_nothing_was_saved_it_is_told_by_its_name() -> None:
    session = FakeSession()
    session.emit(*list(scene.opened(MADE))[:2])
    begin(session)
    assert "evaltui run" in header(session, ())
    end(session)
    assert "evaltui run  1 ran" in header(session, ())


def test_what_changed_the_counts_stays_named_before_what_is_unchanged() -> None:
    session, files = FakeSession(), ("tools/tools.exports.ts",)
    session.emit(*scene.opened(MADE))
    session.emit(*scene.run(CASES[:12]))
    begin(session)
    ended(session, RunChanges(as_before=14, at_times=AtTimes(now=5)))
    for width in range(60, 260):
        said = header(session, files, width)
        assert "#43 beside" in said, width
        _, _, told = said.partition("#43 beside")
        assert "5 fail at times now" in told or "as before" not in told, said
    assert "#43 beside 5 fail at times now" in header(session, files, 120)
    assert "run #43 beside 0 worse · 0 better · 5 fail at times now" in header(session, files, 170)


def test_no_part_goes_while_there_is_room_for_it() -> None:
    session, files = FakeSession(), ("tools/tools.exports.ts",)
    session.emit(*scene.opened(MADE))
    session.emit(*scene.run(CASES[:12]))
    begin(session)
    ended(session, RunChanges(better=(CASES[20].key,), as_before=14, at_times=AtTimes(now=5)))
    board = session.store.board(scene.AGENT)
    facts = Facts("watching", board, files, scene.NOW + 9, only_agent="local")

    def said(width: int) -> str:
        return "".join(segment.text for segment in header_line(facts, width, LOOK))

    for width in range(60, 300):
        free = width - len(said(width).rstrip())
        for part in ("agent local", "$0.005"):
            assert part in said(width) or free < len(part) + 2, said(width)
