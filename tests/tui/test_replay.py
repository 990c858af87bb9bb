"""Recorded runs, played again."""

from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.core.events import Event, ProblemFound
from evaltui.disk.codec import encode_event
from evaltui.tui.replay import play, read_events
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def recorded(path: Path, events: list[Event]) -> Path:
    path.write_bytes(b"\n".join(encode_event(event) for event in events) + b"\n")
    return path


async def test_a_recording_rebuilds_the_board(tmp_path: Path) -> None:
    made = scene.suites(12)
    events = [*scene.opened(made), *scene.run(scene.cases_of(made))]
    session = FakeSession()
    await play(recorded(tmp_path / "run.jsonl", events), session)
    board = session.store.board(scene.AGENT)
    assert len(board.rows) == 12
    assert board.run is not None
    assert board.run.done == 12


def test_bad_lines_are_one_problem(tmp_path: Path) -> None:
    path = recorded(tmp_path / "run.jsonl", list(scene.opened(scene.suites(4))))
    path.write_bytes(b"{\n" + path.read_bytes() + b'\n{"event":"Nonsense"}\n')
    *events, last = read_events(path)
    assert len(events) == 4
    assert isinstance(last, ProblemFound)
    assert last.problem.line == 1
    assert "2 lines" in last.problem.what


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        list(read_events(tmp_path / "none.jsonl"))
