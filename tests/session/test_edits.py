"""Muting: a case that the settings mute is muted, and cannot be unmuted by a key."""

from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened

CASE = "evals/find_order.golden.json::gs-find-order-001"


async def test_the_settings_and_the_keys_both_mute(tmp_path: Path) -> None:
    (make_project(tmp_path) / "evaltui.toml").write_text(f'[mute]\n"{CASE}" = "known"\n')
    async with opened(tmp_path) as (session, _):
        muted, other, _ = all_keys(session)
        session.mute(other, "flaky")
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows
        assert [row.muted for row in rows.values()] == ["known", "flaky", ""]
        with pytest.raises(UserError, match=r"is muted in `evaltui\.toml`"):
            session.unmute(muted)
        session.unmute(other)
        assert rows[other].muted == ""
        session.undo()
        assert rows[other].muted == "flaky"
