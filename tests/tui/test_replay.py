"""Recorded runs, played again."""

from pathlib import Path

from evaltui.core.events import Event
from evaltui.disk.codec import encode_event
from evaltui.tui.replay import play
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
