"""The pages about traces and evidence: what they show is what comes out."""

import json
import re
import shlex
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import write_tools
from tests.test_guide_examples import TOOL

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "guide"
PAGE = (GUIDE / "traces.md").read_text(encoding="utf-8")
EVIDENCE = (GUIDE / "evidence.md").read_text(encoding="utf-8")
CASE = {
    "id": "gs-get-weather-001",
    "input": {"message": "What is the weather in Bern?"},
    "expect": {"toolsCalled": ["get_weather"]},
}
OLD = ROOT / "tests" / "fixtures" / "schema_backcompat" / "suite_0_1_0.json"


def blocks(language: str, page: str = PAGE) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def run_commands(page: str) -> None:
    commands = re.findall(r"^\$ evaltui (.*)$", "\n".join(blocks("console", page)), re.MULTILINE)
    assert commands
    for command in commands:
        assert run_command(shlex.split(command)) == 0, command


@pytest.fixture
def suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of suites, the one of the page and an older one."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "suites"
    folder.mkdir()
    (folder / "weather.json").write_text(blocks("json")[0])
    (folder / "old.json").write_bytes(OLD.read_bytes())
    (tmp_path / "adapter.py").write_text(f"print({blocks('json')[1].strip()!r})")
    return folder


def test_the_commands_do_what_the_page_says(suites: Path) -> None:
    run_commands(PAGE)
    assert json.loads((suites / "migrated.json").read_bytes())["dataset_id"] == "weather-0.1"
    played = json.loads((suites.parent / "runs/loop/run/summary.json").read_bytes())
    assert played["pass_rate"] == 1.0


def test_the_commands_of_the_page_about_evidence_do_what_it_says(suites: Path) -> None:
    write_tools(suites.parent, (TOOL,))
    evals = suites.parent / "evals"
    evals.mkdir()
    (evals / "get_weather.golden.json").write_text(json.dumps([CASE]))
    run_commands(EVIDENCE)
    report = json.loads((suites.parent / "runs/evals/report.json").read_bytes())
    assert report["summary"]["judge_pass_rates"] == {"agent": 1.0, "toolsCalled": 1.0}


def test_without_eval_files_the_commands_of_their_evidence_end_as_the_page_says(
    suites: Path,
) -> None:
    first = blocks("console", EVIDENCE)[0]
    run, compare = re.findall(r"^\$ evaltui (.*)$", first, re.MULTILINE)
    assert run_command(shlex.split(run)) == 2
    assert run_command(shlex.split(compare)) == 1
    assert not (suites.parent / "runs").exists()


def test_the_class_that_is_shown_judges(suites: Path) -> None:
    (suites.parent / "my_judges.py").write_text(blocks("python")[0])
    argv = ["run", "--suite", "suites/weather.json", "--out", "runs/own", "--trust"]
    assert run_command([*argv, "--judge", "my_judges:Short"]) == 0
    (found,) = json.loads((suites.parent / "runs/own/judges/short.json").read_bytes())
    assert (found["passed"], found["evidence_refs"]) == (True, {"length": 18})


def test_an_error_has_the_shape_that_is_shown(
    suites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (suites / "weather.json").write_text("{")
    run_command(["schema", "validate", "--input", "suites/weather.json"])
    said, shown = json.loads(capsys.readouterr().err), json.loads(blocks("json")[-1])
    assert said["error"].keys() == shown["error"].keys()
    assert said["error"]["code"] == shown["error"]["code"]
    assert shown["error"]["details"].keys() <= said["error"]["details"].keys()
