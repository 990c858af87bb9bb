"""What a conversation came to is told alike by every command, every report and the history."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaltui.cli.main import run_command
from tests.cli.test_scenario import COUNT, FILE, TOOL, write
from tests.projects import write_tools

FIRST_ONLY = """from evaltui import define_evaluator, passed, skipped


@define_evaluator("first-only", label="First only")
def first_only(ctx):
    return passed("looked") if ctx.turn == 1 else skipped("not the first turn")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    (tmp_path / "first_only.py").write_text(FIRST_ONLY, encoding="utf-8")
    (tmp_path / "evaltui.toml").write_text('evaluators = ["./first_only.py"]\n', encoding="utf-8")
    return tmp_path


def said_by(capsys: Any, root: Path, *words: str) -> str:
    assert run_command([*words, "-C", str(root)]) == 0
    return str(capsys.readouterr().out)


def reports_of(capsys: Any, root: Path) -> dict[str, str]:
    """By who tells it: the lines about it, and of the JUnit file whether it counts as skipped."""
    junit = root / "junit.xml"
    run = said_by(capsys, root, "run", "--reporter", "console", "--reporter", f"junit={junit}")
    case = next(ElementTree.parse(junit).iter("testcase"))
    held = said_by(capsys, root, "scenario", "run", str(root / FILE))
    listed = said_by(capsys, root, "runs", "list").splitlines()[0]
    shown = said_by(capsys, root, "runs", "show", listed.split()[0]).splitlines()[0]
    results = [*(root / "evals" / "results").rglob("*scenario*.json")]
    (written,) = json.loads(results[0].read_text(encoding="utf-8"))["cases"]
    return {
        "run": run,
        "junit": "skipped" if case.find("skipped") is not None else "passed",
        "scenario run": held.splitlines()[0],
        "runs list": listed,
        "runs show": shown,
        "asserted": str(written["assertionsRun"]),
    }


def test_what_held_in_the_first_turn_and_looks_at_no_other_has_passed(
    root: Path, capsys: Any
) -> None:
    write(root, {"type": "first-only"})
    told = reports_of(capsys, root)
    assert "1/1 passed" in told["run"]
    assert "nothing asserted" not in told["run"]
    assert (told["junit"], told["asserted"]) == ("passed", "1")
    for who in ("scenario run", "runs list", "runs show"):
        assert "✓ passed" in told[who], who


def test_a_conversation_that_is_only_measured_asserts_nothing(root: Path, capsys: Any) -> None:
    write(root, COUNT)
    told = reports_of(capsys, root)
    assert "0/0 passed" in told["run"]
    assert (told["junit"], told["asserted"]) == ("skipped", "0")
    for who in ("run", "scenario run", "runs list", "runs show"):
        assert "nothing asserted" in told[who], who
        assert "✓" not in told[who], who
