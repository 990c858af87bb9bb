"""What is kept of runs, and for how many of them."""

from pathlib import Path

from tests.projects import make_project
from tests.session.test_session import all_keys, opened


async def test_so_many_journals_are_kept_as_the_settings_say(tmp_path: Path) -> None:
    make_project(tmp_path)
    for _ in range(3):
        async with opened(tmp_path, keep_runs=1) as (session, _):
            await session.run(all_keys(session)[:1])
    assert len([*(tmp_path / ".evaltui" / "runs").glob("*.jsonl")]) == 1
