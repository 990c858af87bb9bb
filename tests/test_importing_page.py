"""The page about importing traces: its commands work, and it names all that there is."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.traces.importers import FRAMEWORKS, PROVIDERS
from evaltui.traces.importers.diagnostic import HINTS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guide" / "importing-traces.md").read_text(encoding="utf-8")
FIXTURES = ROOT / "tests" / "fixtures"
EXPORTS = {
    "chats.json": FIXTURES / "adapters" / "openai_chat.json",
    "graph.json": FIXTURES / "frameworks" / "langgraph_state.json",
}


def test_the_commands_do_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exports").mkdir()
    for name, source in EXPORTS.items():
        (tmp_path / "exports" / name).write_bytes(source.read_bytes())
    shutil.copytree(FIXTURES, tmp_path / "tests" / "fixtures")
    commands = re.findall(r"^\$ evaltui (.*)$", PAGE, re.MULTILINE)
    assert commands
    for command in commands:
        assert run_command(shlex.split(command)) == 0, command
    summary = json.loads((tmp_path / "runs" / "chats" / "run" / "summary.json").read_bytes())
    assert (summary["dataset_id"], summary["total_cases"]) == ("chats", 2)


def test_every_kind_of_export_and_of_diagnostic_is_named() -> None:
    first_cells = " ".join(re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE))
    named = set(re.findall(r"`([a-z_]+)`", first_cells))
    assert named == {*PROVIDERS, *FRAMEWORKS, *HINTS, "type"}
