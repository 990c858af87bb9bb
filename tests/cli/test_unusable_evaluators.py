"""A misspelt evaluator, or wrong settings of one: told with its place, code 2, nobody asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.cli.test_scenario import FILE, LENGTH, LINES, TOOL, write
from tests.projects import write_tools

GOLDEN = "evals/weather.golden.json"
MISSPELT = {"type": "regexx"}
WRONG = {"type": "response-length", "config": {"max": "many"}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def write_cases(root: Path, *evaluators: Any) -> None:
    cases = [
        {"id": f"c{number}", "input": {"message": LINES[0]}, "evaluators": [one]}
        for number, one in enumerate(evaluators)
    ]
    (root / GOLDEN).write_text(json.dumps({"metadata": None, "cases": cases}, indent=1), "utf-8")


def written(root: Path) -> dict[str, Any]:
    (file,) = (root / "evals" / "results").rglob("weather*.json")
    return {one["id"]: one for one in json.loads(file.read_text("utf-8"))["cases"]}


def test_a_run_names_the_place_and_asks_nobody(root: Path, capsys: Any) -> None:
    write_cases(root, MISSPELT, WRONG, LENGTH)
    assert run_command(["run", "--fail-on", "never", "-C", str(root)]) == 2
    said = capsys.readouterr()
    lines = (root / GOLDEN).read_text("utf-8").splitlines()
    for word in ("regexx", "many"):
        at = next(number for number, line in enumerate(lines, 1) if f'"{word}"' in line)
        assert f"{GOLDEN}:{at}:" in said.err
    assert "1/3 passed" in said.out
    results = written(root)
    assert [key for key, one in results.items() if one["durationMs"]] == ["c2"]


def test_only_the_cases_that_run_are_asked_to_be_without_mistakes(root: Path, capsys: Any) -> None:
    write_cases(root, MISSPELT, LENGTH)
    assert run_command(["run", f"{root / GOLDEN}::c1", "-C", str(root)]) == 0
    assert "regexx" not in capsys.readouterr().err


@pytest.mark.parametrize("uses", [(MISSPELT,), (WRONG,), ()])
def test_scenario_run_ends_with_2_too(root: Path, capsys: Any, uses: tuple[Any, ...]) -> None:
    write(root, *uses)
    assert run_command(["scenario", "run", str(root / FILE), "--json", "-C", str(root)]) == 2
    said = capsys.readouterr()
    (problem,) = json.loads(said.err)["error"]["problems"]
    assert (problem["file"], problem["line"] > 0) == (FILE, True)
    assert "output" not in json.loads(said.out)[0]


def test_once_it_is_mended_the_agent_is_asked(root: Path, capsys: Any) -> None:
    write_cases(root, MISSPELT)
    assert run_command(["run", "-C", str(root)]) == 2
    write_cases(root, LENGTH)
    assert run_command(["run", "-C", str(root)]) == 0
    assert "1/1 passed" in capsys.readouterr().out
