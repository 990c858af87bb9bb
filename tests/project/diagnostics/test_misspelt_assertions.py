"""What looks like an assertion and checks nothing: `run` says so, with its place and code 2."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.projects import write_tools

GOLDEN = "evals/weather.golden.json"
TOOL = {"name": "get_weather", "description": "Says what the weather is like in a city."}
GOOD = {"responseNonEmpty": True}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def write_cases(root: Path, *expects: dict[str, Any]) -> None:
    cases = [
        {"id": f"c{number}", "input": {"message": f"the weather in city {number}"}, "expect": one}
        for number, one in enumerate(expects)
    ]
    (root / GOLDEN).write_text(json.dumps({"metadata": None, "cases": cases}, indent=1), "utf-8")


def test_a_run_names_what_checks_nothing_and_ends_with_2(root: Path, capsys: Any) -> None:
    write_cases(root, GOOD, GOOD | {"toolsCaled": ["send_mail"]})
    assert run_command(["run", "-C", str(root)]) == 2
    said = capsys.readouterr()
    lines = (root / GOLDEN).read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines, 1) if '"toolsCaled"' in line)
    assert f"{GOLDEN}:{at}:" in said.err and "Did you mean `toolsCalled`?" in said.err
    assert "2/2 passed" in said.out, "what can be judged is judged all the same"


@pytest.mark.parametrize(
    "other", [{}, {"anotherProgramsKey": 1}, {"toolsCalled": ["get_weather"]}], ids=str
)
def test_keys_that_resemble_no_assertion_are_nobodys_mistake(
    root: Path, capsys: Any, other: dict[str, Any]
) -> None:
    write_cases(root, GOOD | other)
    assert run_command(["run", "--fail-on", "never", "-C", str(root)]) == 0
    assert not capsys.readouterr().err


def test_only_the_cases_that_run_are_looked_at(root: Path, capsys: Any) -> None:
    write_cases(root, GOOD, GOOD | {"toolsCaled": []})
    assert run_command(["run", f"{root / GOLDEN}::c0", "-C", str(root)]) == 0
    assert "toolsCaled" not in capsys.readouterr().err
