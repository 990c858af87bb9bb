"""The board of a run of the past marks what that run told, whatever trials have proven since."""

import asyncio
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.statistics.trials import Trials
from evaltui.store.row_status import RowMark
from evaltui.tui.render.evidence import evidence_of
from evaltui.tui.sessions.past_session import PastSession
from tests.session.test_session import opened
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import simulate, simulated_project

SLIPPED, CLEAN, FINE = "gs-001", "gs-002", "gs-003"
WOULD = "undecided, 3 more failures would prove it"


def test_what_moved_then_and_what_was_proven_then_is_marked_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = simulate(monkeypatch)
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    world.rate = lambda _, request: float((request.key.case, request.trial) != (SLIPPED, 3))
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    edit(root)
    world.rate = failing(SLIPPED, CLEAN)
    run_command(["run"])
    run_command(["run", "--confirm"])
    edit(root, 2)
    world.rate = failing()
    run_command(["run"])

    async def boards() -> list[dict[str, tuple[RowMark | None, str]]]:
        async with opened(root) as (session, _):
            points = session.history.timeline("mine", ())
            found = []
            for at in reversed(points):
                past = await asyncio.to_thread(PastSession, session, "mine", at)
                rows = past.store.board("mine").rows.values()
                found.append({row.key.case: (row.against, evidence_of(row)) for row in rows})
            return found

    pinned, moved, proven, good = asyncio.run(boards())
    assert {mark for board in (pinned, good) for mark, _ in board.values()} == {None}
    assert moved[SLIPPED] == (RowMark.MOVED, f"19/20 → 0/1, e = 1.2: {WOULD}")
    assert moved[CLEAN][0] is RowMark.MOVED
    assert moved[CLEAN][1].startswith(f"{Trials(20, 0)} → 0/1")
    assert [proven[one][0] for one in (SLIPPED, CLEAN)] == [RowMark.REGRESSED] * 2
    assert moved[FINE] == proven[FINE] == (None, "")
