"""Every JSON and TOML block of README and guide is accepted by the program as it stands."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.profiles import profile_mistakes
from evaltui.cli.main import run_command
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
ELSEWHERE = {("http-agents.md", '"response"')}
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


@pytest.mark.parametrize("block", blocks("json"))
def test_examples_of_eval_files_have_no_problem(
    block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    path = tmp_path / "evals" / "get_weather.golden.json"
    path.write_text(json.dumps(eval_file(json.loads(block))), encoding="utf-8")
    run_command(["check", "--json", "--root", str(tmp_path)])
    assert json.loads(capsys.readouterr().out) == {"problems": []}


@pytest.mark.parametrize("block", blocks("toml"))
def test_examples_of_settings_have_no_problem(block: str, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(block, encoding="utf-8")
    read = load_config(tmp_path)
    assert read.problems == ()
    for profile in read.config.profiles.values():
        assert profile_mistakes(profile.type, profile.options) == []
