"""What drawn cases tell of the rest stands where the save is told of, until the next one."""

from msgspec.structs import replace

from evaltui.core.audited import Audited, Draw
from evaltui.core.comparison import Effect
from evaltui.core.events import CasesStale, Event, RunFinished, RunStarted
from evaltui.store.board import Board
from evaltui.tui.exit_summary import exit_summary
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import command_at, counts, header_line
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.render.test_lines import LOOK

FOUND = Audited(drawn=8, moved=1, others=36)
BOUND = "of 28 others at most"


def after_a_save(found: Audited | None) -> FakeSession:
    session, made = FakeSession(), scene.suites(48)

    def with_audit(event: Event) -> Event:
        if isinstance(event, RunStarted) and found is not None:
            keys = tuple(case.key for case in scene.cases_of(made))
            rest = keys[12 : 4 + found.others]  # the one in error is one of the certain ones
            return replace(event, draw=Draw(keys[:8], found.others, rest=rest))
        return replace(event, audited=found) if isinstance(event, RunFinished) else event

    session.emit(*scene.opened(made))
    session.emit(*map(with_audit, scene.run(scene.cases_of(made)[:12])))
    return session


def header(board: Board, width: int = 250) -> str:
    facts = Facts("watching", board, ("tools/tools.exports.ts",), scene.NOW + 9)
    return "".join(segment.text for segment in header_line(facts, width, LOOK))


def test_header_and_summary_say_it() -> None:
    session = after_a_save(FOUND)
    said = header(session.store.board(scene.AGENT))
    assert "12 of 40 ran (4 certain, 8 drawn)" in said
    assert f"{BOUND} {FOUND.at_most} moved (95 %), R runs them" in said
    ran = session.store.board(scene.AGENT).ran_where_drawn
    assert ran is not None
    assert f"  {ran.words} · {BOUND} {FOUND.at_most} moved (95 %)" in exit_summary(session)


def test_a_click_on_it_is_about_what_is_due() -> None:
    board = after_a_save(FOUND).store.board(scene.AGENT)
    facts = Facts("watching", board, ("tools/tools.exports.ts",), scene.NOW + 9)
    at = header(board).index(BOUND)
    assert command_at(facts, at, 250, LOOK) == "run.due"


def test_the_next_save_has_not_told_of_it() -> None:
    session = after_a_save(FOUND)
    board = session.store.board(scene.AGENT)
    session.emit(
        CasesStale(scene.AGENT, (), 48, ("tools/tools.exports.ts",)),
        *scene.run(scene.cases_of(scene.suites(48))[:3], number=43),
    )
    assert BOUND not in header(board)


def test_where_nothing_is_left_nothing_is_bounded() -> None:
    board = after_a_save(Audited(drawn=8, moved=1, others=8)).store.board(scene.AGENT)
    assert "12 of 12 ran (4 certain, 8 drawn)" in header(board)
    assert "others" not in header(board)
    assert "drawn" not in header(after_a_save(None).store.board(scene.AGENT))


def test_it_gives_way_before_what_the_save_did_and_whether_it_is_watched() -> None:
    board = after_a_save(FOUND).store.board(scene.AGENT)
    for width in range(60, 140):
        said = header(board, width)
        assert "WATCH" in said
        assert "better" in said or BOUND not in said
    assert BOUND in header(board, 140)


def test_it_stands_beside_what_the_save_did_at_the_usual_sizes() -> None:
    board = after_a_save(FOUND).store.board(scene.AGENT)
    for width in (100, 120, 160):
        said = header(board, width)
        assert "0 worse · 0 better · 1 in error" in said
        assert BOUND in said or f"≤{FOUND.at_most} of 28 others" in said
    counted = board.counts.all.by_effect
    counted |= {Effect.WORSE: 2, Effect.BETTER: 3, Effect.CALLS_DIFFER: 3, Effect.ERROR: 0}
    said = header(board, 120)
    assert "2 worse · 3 better · 3 call differently" in said, "as much as a save may say"
    assert f"≤{FOUND.at_most} of 28 others" in said


def test_marks_stand_behind_a_dot_while_a_run_is_on_too() -> None:
    session, made = after_a_save(None), scene.cases_of(scene.suites(48))
    session.emit(*scene.run(made[:20], number=43, done=5))
    board = session.store.board(scene.AGENT)
    assert board.runs.is_on
    for width in (60, 80, 100, 120):
        assert " · ↓" in header(board, width)


def test_the_dot_stays_where_only_its_air_can_go() -> None:
    board = after_a_save(FOUND).store.board(scene.AGENT)

    def said(**forms: bool) -> str:
        return "".join(segment.text for segment in counts(board, LOOK, "panel", **forms))

    assert said() == "✓36 ✗6 !3 ○3 · ↓3 ↑3"
    assert " · ↓" in said(is_short=True)
    assert said(is_short=True, is_close=True) == "✓36 ✗6 !3 ○3·↓3 ↑3"
