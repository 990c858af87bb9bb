"""A damaged `screen.json` is set aside and said, once the project was read."""

import asyncio
from pathlib import Path

from evaltui.disk.last_screen import FILE, LastScreen, read_last_screen
from evaltui.tui.screen_keeper import ScreenKeeper
from tests.projects import make_project
from tests.session.test_session import opened


async def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path) -> None:
    make_project(tmp_path)
    file = tmp_path / ".evaltui" / FILE
    file.parent.mkdir()
    file.write_bytes(b"{")
    async with opened(tmp_path) as (session, ear):
        keeper = ScreenKeeper(session, ())
        assert file.exists(), "nothing is touched before the project was read"
        keeper.handle(ear.heard[0])
        await ear.until(
            lambda: any(one.code == "set-aside" for one in session.store.problems.reported)
        )
    assert file.with_name(f"{FILE}.damaged").read_bytes() == b"{"
    await asyncio.get_running_loop().shutdown_default_executor()
    assert read_last_screen(file.parent) == LastScreen.of(session.config)
