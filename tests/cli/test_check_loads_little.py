"""`evaltui check` answers before a person waits: it loads no more than it needs."""

import subprocess
import sys
from pathlib import Path

from tests.sample_project import copy_samples

CODE = """
import sys
from evaltui.cli.main import run_command
run_command(["check", "-C", sys.argv[1]])
print({"sqlite3", "html", "textual", "httpx"} & set(sys.modules))
"""


def test_check_loads_no_database_and_no_client(tmp_path: Path) -> None:
    root = copy_samples(tmp_path / "shop")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(root)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"
