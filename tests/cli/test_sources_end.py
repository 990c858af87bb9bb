"""A command that reads the project once ends what its sources started with itself."""

import sys
import threading
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project

ENDS = "open('started', 'a').write('x')\n"


@pytest.mark.parametrize(
    "words",
    [pytest.param("check", marks=pytest.mark.slow), "evaluators list", "scenario validate"],
)
def test_no_server_is_tried_again_after_it(tmp_path: Path, words: str) -> None:
    """One that ends at once would be, half a second later and ever more rarely."""
    make_project(tmp_path)
    (tmp_path / "ends.py").write_text(ENDS)
    (tmp_path / "evaltui.toml").write_text(
        f'[[registries]]\ntype = "mcp"\nname = "x"\ncommand = "{sys.executable} ends.py"\n'
    )
    before = set(threading.enumerate())
    run_command([*words.split(), "-C", str(tmp_path)])
    assert (tmp_path / "started").exists()
    later = {thread.name for thread in set(threading.enumerate()) - before if thread.is_alive()}
    assert "registries" not in later
