"""Every block of README and guide is accepted, or run, by the program as it stands."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.profiles.reading import profile_mistakes
from evaltui.cli.main import run_command
from evaltui.cli.parser import parse
from evaltui.expectations import ASSERTIONS
from evaltui.settings.load import load_config
from tests.projects import write_tools

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")))
CALLED = {"toolsCalled": ["get_weather"]}
CASE: dict[str, Any] = {
    "id": "gs-get-weather-001",
    "input": {"message": "Do I need a coat today?"},
    "stubs": {"get_weather": {"temperature": 18}},
    "expect": {**CALLED, "responseContains": ["18"]},
}
TOOL = {
    "name": "get_weather",
    "description": "Says what the weather is like in a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
ELSEWHERE = {
    ("http-agents.md", '"response"'),
    ("evaluators.md", '"greeting-check"'),
    ("evaluators.md", "run_evaluators"),
    ("evaluators.md", "test_it_wants_a_greeting"),
    ("traces.md", '"dataset_id"'),
    ("traces.md", '"error"'),
    ("traces.md", '"assistant_output"'),
    ("traces.md", "class Short"),
}
"""What is no eval file and is held by the test of its own page: what the block holds, by page."""


def blocks(language: str) -> Iterator[Any]:
    """Each block with its page and line as the name of the test."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if any(page.name == name and sign in found[1] for name, sign in ELSEWHERE):
                continue
            line = text.count("\n", 0, found.start()) + 1
            yield pytest.param(found[1], id=f"{page.name}:{line}")


def eval_file(block: Any) -> Any:
    """The file that an example is, or one that holds it: a case, `expect`, or one of its entries.

    Parts of `expect` stand in a labeled case, the tier for which any of them is meant.
    """
    if isinstance(block, list) or "cases" in block:
        return block if isinstance(block, list) or block["cases"] else {**block, "cases": [CASE]}
    if "input" in block:
        return [block]
    expect = {"toolParams": [block]} if "assertion" in block else block
    assert expect.keys() <= ASSERTIONS.keys(), "what is this block an example of?"
    case = {**CASE, "id": "ls-get-weather-001", "expect": {**CALLED, **expect}}
    return {"metadata": {"tier": "labeled", "toolName": "get_weather"}, "cases": [case]}


@pytest.mark.parametrize("block", [*blocks("json")])
def test_examples_of_eval_files_have_no_problem(
    block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    written = json.loads(block)
    path = tmp_path / "evals" / "get_weather.golden.json"
    if "persona" in written:
        path = path.with_name("a.scenario.json")
    else:
        written = eval_file(written)
    path.write_text(json.dumps(written), encoding="utf-8")
    run_command(["check", "--json", "--root", str(tmp_path)])
    found = json.loads(capsys.readouterr().out)["problems"]
    assert [one for one in found if one["code"] != "outdated"] == [], "the tool is another here"


@pytest.mark.parametrize("block", [*blocks("toml")])
def test_examples_of_settings_have_no_problem(block: str, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(block, encoding="utf-8")
    read = load_config(tmp_path)
    assert read.problems == ()
    for profile in read.config.profiles.values():
        assert profile_mistakes(profile.type, profile.options) == []


def test_nothing_is_left_out_that_is_not_there() -> None:
    for name, sign in ELSEWHERE:
        (page,) = (page for page in PAGES if page.name == name)
        assert re.search(rf"^```\w+$[^`]*{re.escape(sign)}", page.read_text("utf-8"), re.MULTILINE)


def test_no_block_is_of_a_language_that_nothing_tries() -> None:
    opened = [
        re.findall(r"^```(\w*)$", page.read_text(encoding="utf-8"), re.MULTILINE) for page in PAGES
    ]
    languages = {name for marks in opened for name in marks[::2]}
    assert languages <= {"json", "toml", "python", "yaml", "console", "sh"}


@pytest.mark.parametrize("block", [*blocks("yaml")])
def test_commands_of_ci_files_are_understood(block: str) -> None:
    yaml = pytest.importorskip("yaml")
    document = yaml.safe_load(block)
    jobs = [{"steps": document}] if isinstance(document, list) else document["jobs"].values()
    steps = [step.get("run", "").strip() for job in jobs for step in job["steps"]]
    commands = [step for step in steps if step.startswith("evaltui ")]
    assert commands
    for command in commands:
        assert parse(shlex.split(command)[1:]).command


@pytest.mark.parametrize("block", [*blocks("console")])
def test_commands_at_a_prompt_are_understood(block: str) -> None:
    for line in re.findall(r"^\$ evaltui (.*)$", block, re.MULTILINE):
        flags = parse(shlex.split(line, comments=True))
        assert flags.command or flags.pack


@pytest.mark.parametrize("block", [*blocks("python")])
def test_a_function_of_the_guide_is_an_agent(
    block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tools(tmp_path, (TOOL,))
    name = re.search(r"def (\w+)", block)
    assert name is not None
    (tmp_path / "mine.py").write_text(block, encoding="utf-8")
    agent = f'[agents.mine]\ntype = "python"\nfunction = "mine.py:{name[1]}"\n'
    (tmp_path / "evaltui.toml").write_text(agent, encoding="utf-8")
    (tmp_path / "evals").mkdir()
    case = {**CASE, "expect": {**CALLED, "noToolErrors": True, "responseContains": ["18"]}}
    path = tmp_path / "evals" / "get_weather.golden.json"
    path.write_text(json.dumps([case]), encoding="utf-8")
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0, capsys.readouterr()


def test_the_warning_of_the_page_about_tools_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "guide" / "tools.md").read_text(encoding="utf-8")
    shown = re.search(r"^```console\n(⚠.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert shown is not None
    (tmp_path / "tools").mkdir()
    tool = "\nexport const weather = {\n  name: 'get_weather',\n  description: process.env.TEXT };"
    (tmp_path / "tools" / "weather.tool.ts").write_text(tool, encoding="utf-8")
    run_command(["check", "-C", str(tmp_path)])
    assert " ".join(shown[1].split()) in " ".join(capsys.readouterr().out.split())
