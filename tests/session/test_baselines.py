"""Which baseline is in force when a project is opened."""

from pathlib import Path

from evaltui.core.events import BaselinePinned
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened


async def test_a_name_in_the_settings_is_a_pinned_baseline_or_a_run(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (run,) = await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session)[:1], AGENT, "before")
    async with opened(tmp_path) as (session, ear):
        assert not session.store.board(AGENT).baselines
    async with opened(tmp_path, baseline_run_id="before") as (session, ear):
        (told,) = [event for event in ear.heard if isinstance(event, BaselinePinned)]
        assert told.name == "before"
        rows = session.store.board(AGENT).rows.values()
        assert [row.baseline is not None for row in rows] == [True, False, False]
    async with opened(tmp_path, baseline_run_id=run.run_id) as (session, ear):
        rows = session.store.board(AGENT).rows.values()
        assert [row.baseline is not None for row in rows] == [True, True, True]
