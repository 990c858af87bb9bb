"""The page about evaluators: its example runs as it is told, and nothing is left out of it."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui import EvaluatorContext
from evaltui.cli.main import run_command
from evaltui.evaluators.built_in import BUILT_IN
from evaltui.evaluators.built_in.argument_grammar import RULES
from evaltui.evaluators.built_in.tool_arguments import MODES
from tests.evaluators.loaded import load, loading, write
from tests.evaluators.seen import answered, verdict_by
from tests.projects import write_tools
from tests.test_guide_examples import TOOL

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guide" / "evaluators.md").read_text(encoding="utf-8")
AGENT = "def answer(message):\n    return 'Welcome! What can I do?'\n"
COAT = """
def answer(message):
    call = {"name": "get_weather", "params": {}, "success": True, "result": {"temperature": 18}}
    return {"response": "No: it is 18 degrees.", "toolCalls": [call]}
"""
SETTINGS = 'agent = "a"\n[agents.a]\ntype = "python"\nfunction = "a.py:answer"\n'


def block(language: str, sign: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (one,) = (text for text in found if sign in text)
    return str(one)


def test_its_test_of_an_evaluator_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "evaluators/greeting_check.py", block("python", "GREETINGS ="))
    monkeypatch.syspath_prepend(str(tmp_path))
    tests: dict[str, Any] = {}
    exec(block("python", "def test_"), tests)
    tests["test_it_wants_a_greeting"]()
    name = "evaluators.greeting_check"
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "evaluators")


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ("Welcome!", "passed", 'Found greeting: "welcome"'),
        ("THIS", "passed", 'Found greeting: "hi"'),
        ("No.", "failed", "Response does not contain a greeting. "
                          "Expected one of: hello, hi, hey, welcome"),
    ],
)  # fmt: skip
async def test_the_example_judges_as_documented(
    tmp_path: Path, answer: str, status: str, reason: str
) -> None:
    write(tmp_path, "greeting_check.py", block("python", "GREETINGS ="))
    async with loading() as loader:
        registry = load(tmp_path, "./greeting_check.py", loader=loader).registry
        said = await verdict_by("greeting-check", {}, answered(answer), registry)
    assert (said.status.value, said.reason, said.label) == (status, reason, "Greeting Check")


async def test_the_example_lies_beside_it_and_skips_later_turns(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "greeting_check.py").read_text(encoding="utf-8")
    assert text == block("python", "GREETINGS =")
    write(tmp_path, "greeting_check.py", text)
    async with loading() as loader:
        registry = load(tmp_path, "./greeting_check.py", loader=loader).registry
        said = await verdict_by("greeting-check", {}, replace(answered("No."), turn=2), registry)
    assert (said.status.value, said.reason) == ("skipped", "Skipped (not first turn)")


def test_the_example_runs_in_a_project(tmp_path: Path, capsys: Any) -> None:
    write_tools(tmp_path)
    write(tmp_path, "evaluators/greeting_check.py", block("python", "GREETINGS ="))
    settings = block("toml", "greeting_check")
    settings += SETTINGS
    write(tmp_path, "evaltui.toml", settings)
    write(tmp_path, "a.py", AGENT)
    write(tmp_path, "evals/welcome.golden.json", block("json", "greeting-check"))
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 0, capsys.readouterr()
    assert run_command(["evaluators", "check", "--json", "-C", str(tmp_path), "--trust"]) == 0
    write(tmp_path, "a.py", AGENT.replace("Welcome", "No"))
    capsys.readouterr()
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 1
    assert "Expected one of: hello, welcome, good morning" in capsys.readouterr().out


def test_its_first_case_is_judged_by_what_comes_along(tmp_path: Path, capsys: Any) -> None:
    write_tools(tmp_path, (TOOL,))
    write(tmp_path, "a.py", COAT)
    write(tmp_path, "evaltui.toml", SETTINGS)
    write(tmp_path, "evals/coat.golden.json", f"[{block('json', 'numbers-from-tools')}]")
    code = run_command(["run", "--json", "--trust", "-C", str(tmp_path)])
    events = map(json.loads, capsys.readouterr().out.splitlines())
    (result,) = (one["result"] for one in events if one["event"] == "CaseFinished")
    said = {one["check"]: one["status"] for one in result["verdicts"]}
    asked = ("response-length", "numbers-from-tools", "tool-call-count")
    assert (code, {name: said[name] for name in asked}) == (0, dict.fromkeys(asked, "passed"))


def test_its_program_is_asked_as_it_says(tmp_path: Path, capsys: Any) -> None:
    program = '"node", "checks/judge.js"'
    assert program in block("toml", "command")
    settings = block("toml", "command").replace(program, '"python3", "judge.py"')
    described = '{"evaluators": [{"type": "kind", "label": "Kind", "kind": "assertion"}]}'
    write(
        tmp_path,
        "judge.py",
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    said = {'success': False, 'reason': asked['type']} if 'type' in asked else "
        f"{described}\n"
        "    print(json.dumps(said), flush=True)\n",
    )
    write(tmp_path, "evaltui.toml", settings)
    case = '[{"id": "gs-a-001", "input": {"message": "a"}, "evaluators": [{"type": "kind"}]}]'
    write(tmp_path, "evals/a.golden.json", case)
    assert run_command(["run", "--trust", "-C", str(tmp_path)]) == 1
    assert "→ kind" in capsys.readouterr().out


def test_everything_that_comes_along_is_named() -> None:
    for definition in BUILT_IN:
        assert f"`{definition.type}`" in PAGE
        for name in (definition.config_schema or {})["properties"]:
            assert f"`{name}`" in PAGE, (definition.type, name)
    for name in RULES:
        assert f'{{"{name}": ' in PAGE
    for mode in MODES:
        assert f"`{mode}`" in PAGE


async def test_its_program_judges_by_the_evaluators_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "evaluators/greeting_check.py", block("python", "GREETINGS ="))
    write(tmp_path, "evaltui.toml", block("toml", "greeting_check"))
    monkeypatch.chdir(tmp_path)
    program: dict[str, Any] = {}
    exec(block("python", "run_evaluators"), program)
    asked, said = {"role": "user", "content": "a"}, {"role": "assistant", "content": "Welcome!"}
    told = await program["judge"](EvaluatorContext([asked, said]))
    assert (told["success"], told["metrics"]) == (True, {"tool-call-count": 0.0})
    assert [row["reason"] for row in told["evaluatorResults"]] == [
        'Found greeting: "welcome"',
        "No tool calls in this turn",
    ]
