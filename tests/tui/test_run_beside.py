"""A command in another terminal while the header tells what the last save did."""

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


def test_where_nothing_was_saved_it_is_told_by_its_name() -> None:
    session = FakeSession()
    session.emit(*list(scene.opened(MADE))[:2])
    begin(session)
    assert "evaltui run" in header(session, ())
    end(session)
    assert "evaltui run  1 ran" in header(session, ())
