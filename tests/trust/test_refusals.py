"""What is left out is told one by one, with what it would do."""

from pathlib import Path

from evaltui.core.errors import NOT_TRUSTED
from evaltui.session import Session
from evaltui.settings.load import load_config

SETTINGS = """
agent = ["first", "second"]

[agents.first]
type = "command"
command = "./first.sh"

[agents.second]
type = "command"
command = "./second.sh"
"""


async def test_each_thing_that_is_left_out_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(SETTINGS)
    session = Session(load_config(tmp_path, {}).config)
    await session.open()
    try:
        told = [str(one) for one in session.store.problems.of_project if one.code == NOT_TRUSTED]
    finally:
        await session.close()
    assert len(told) == 2
    assert all(any(script in one for one in told) for script in ("first.sh", "second.sh"))
