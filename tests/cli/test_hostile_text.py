"""Text from outside, in every place that it can come from, acts on no terminal by any output."""

import json
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.tui.command_line import run_again
from evaltui.tui.exit_summary import exit_summary
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

HOSTILE = (
    "\x1b[2J\x1b]0;PWN\x07\x9b31m\x00\x08\r\u202eevil\u2066\x85\u2028[bold]|a|\n::error::pwn%0A"
    "</testcase>]]>`x`\x0e\x7f\ufffe\ufeff\u200b\u00ad\u2060\u3164\U000e0041\U000e0100"
)
IN_A_NAME = "\x1b[31m\x9b2J\u202e"
ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f"
    "\u00ad\u200b\u3164\ufeff\U000e0000-\U000e0fff]"
    "|^::(?!error file=|warning file=|notice file=)",
    re.MULTILINE,
)
LENGTH = {"type": "response-length", "config": {"max": 400}}
AGENT = """import json, sys
said = json.load(sys.stdin)["message"]
sys.stderr.write(HOSTILE)
if "fail" in said:
    sys.exit(HOSTILE)
if "bad" in said:
    print(HOSTILE)
    sys.exit()
call = {"name": "t" + HOSTILE, "params": {"a" + HOSTILE: HOSTILE}, "success": False}
print(json.dumps({"response": HOSTILE + said, "toolCalls": [call | {"error": HOSTILE}]}))
"""
SETTINGS = """registry = ["tools.json", "bad.tool.ts"]
agent = "cmd"
"we\\u001b[31mird" = 1
theme = "\\u001b[31m\\u009b"
[agents.cmd]
type = "command"
command = ["python3", "agent.py"]
is_free = true
"""
SCENARIO, TRACES, MADE = "evals/w.scenario.json", "evals/t.trace.json", "evals/made.golden.json"
PACKS = (
    ["run", "--reporter", "evidence=one"],
    ["run", "--reporter", "evidence=two"],
    ["compare", "--baseline", "one", "--candidate", "two", "--out", "compare.json"],
)
ADDED = ["registry", "dataset-add", "--suite", TRACES, "--description", f"d{IN_A_NAME}\x7f"]
PREPARED: dict[str, Sequence[list[str]]] = {
    "baseline": [["run"], ["baseline", "pin"]],
    "runs": [["scenario", "run", SCENARIO]],
    "registry": [ADDED],
    **dict.fromkeys(("compare", "gate", "report"), PACKS),
}
"""What runs before a command, so that there is something for it to tell."""
COMMANDS = [
    ["check"],
    ["check", "--json"],
    ["tools"],
    ["tools", "--json"],
    ["run", "--explain"],
    ["run", "--json"],
    ["run", "--reporter", "junit"],
    ["run", "--reporter", "markdown"],
    ["run", "--reporter", "github"],
    ["baseline", "list"],
    ["baseline", "diff", "--json"],
    ["init", "--json", "--force"],
    ["init", "--yes", "--force"],
    ["run", "--agent", f"nope{IN_A_NAME}", "--json"],
    ["run", f"x{IN_A_NAME}.json"],
    ["run", f"x{IN_A_NAME}\x7f.json", "--json"],
    ["run", "--suite", TRACES, "--out", "scored"],
    *(
        pytest.param(one, marks=pytest.mark.slow)
        for one in (
            ["baseline", "pin"],
            ["baseline", "diff"],
            ["evaluators", "list"],
            ["evaluators", "list", "--json"],
            ["evaluators", "check"],
            ["scenario", "validate", SCENARIO],
            ["scenario", "run", SCENARIO],
            ["scenario", "run", SCENARIO, "--json"],
            ["runs", "list"],
            ["runs", "list", "--json"],
            ["runs", "show", "last"],
            ["ab", f"HEAD{IN_A_NAME}", "--yes"],
            ["ab", "embedded", "--yes"],
            ["trust", "--list"],
            ["trust", "--json"],
            ["traces", "promote", "--suite", TRACES, "--case", f"tr{HOSTILE}", "--to", MADE],
            ["traces", "promote", "--suite", TRACES, "--case", "none\x1b[2J\x7f", "--to", MADE],
            [*ADDED, "--json"],
            ["registry", "dataset-list", "--json"],
            ["registry", "audit-log"],
            ["compare", "--baseline", "one", "--candidate", "two"],
            ["gate", "--compare", "compare.json", "--max-regressed-cases", "0"],
            ["report", "markdown", "--compare", "compare.json", "--out", "summary.md"],
        )
    ),
]


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    return write_hostile(tmp_path)


def write_hostile(tmp_path: Path) -> Path:
    """A project whose files and agent hold it wherever they can."""
    (tmp_path / "evaltui.toml").write_text(SETTINGS)
    (tmp_path / "agent.py").write_text(f"HOSTILE = {HOSTILE!r}\n{AGENT}")
    parameters = {"type": "object", "properties": {f"a{HOSTILE}": {"description": HOSTILE}}}
    tool = {"name": f"look{HOSTILE}", "description": HOSTILE, "inputSchema": parameters}
    (tmp_path / "tools.json").write_text(json.dumps([tool, {"name": "ok", "version": HOSTILE}]))
    (tmp_path / f"more{IN_A_NAME}.json").write_text(json.dumps([{"name": "x", "description": "y"}]))
    (tmp_path / "bad.tool.ts").write_text("export const x = {{{ \x1b[2J\x0e }")
    suite = tmp_path / "evals" / f"s{IN_A_NAME}.golden.json"
    suite.parent.mkdir()
    (suite.parent / f"broken{IN_A_NAME}.golden.json").write_text('{"metadata": \x1b[2J \x0e')
    cases = [
        {
            "id": f"c{at}{HOSTILE}",
            "description": HOSTILE,
            "input": {"message": message + HOSTILE},
            "expect": expect,
        }
        for at, (message, expect) in enumerate(
            [
                ("a", {"toolsCalled": [f"look{HOSTILE}"]}),
                ("fail", {"toolsCalled": [f"x{HOSTILE}"]}),
                ("bad", {"responseContains": [f"{HOSTILE}q"]}),
                ("b", {"noToolErrors": True, f"unknown{HOSTILE}": 1}),
            ]
        )
    ]
    about = {"toolName": f"look{HOSTILE}", "tier": "golden", "descriptionHash": f"x{HOSTILE}"}
    suite.write_text(json.dumps({"metadata": about, "cases": cases}))
    person = {"name": HOSTILE, "lines": [f"a{HOSTILE}", "thanks"]}
    found = {"type": "custom", "name": HOSTILE}
    scenario = {"name": f"W{HOSTILE}", "persona": person, "evaluators": [LENGTH, found]}
    talk = {"name": "W", "persona": {"lines": ["a", "thanks"]}, "evaluators": [LENGTH]}
    (tmp_path / SCENARIO).write_text(json.dumps([scenario, talk]))
    said = {"idx": 0, "actor": "user", "type": "message", "input": HOSTILE}
    called = {"idx": 1, "actor": "agent", "type": "tool_call", "tool": f"t{HOSTILE}", "input": {}}
    traced = {"case_id": f"tr{HOSTILE}", "input": HOSTILE, "trace": [said, called]}
    traces = {"dataset_id": f"d{HOSTILE}", "metadata": {}, "cases": [traced]}
    (tmp_path / TRACES).write_text(json.dumps(traces))
    return tmp_path


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda words: " ".join(words[:3]).encode("ascii", "replace").decode()
)
def test_no_command_lets_it_through(
    hostile: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for before in PREPARED.get(command[0], ()):
        run_command(before)
    capsys.readouterr()
    if command == ["runs", "show", "last"]:
        run_command(["runs", "list", "--json"])
        command = ["runs", "show", json.loads(capsys.readouterr().out)[0]["id"]]
    assert run_command(command) in (0, 1, 2)
    captured = capsys.readouterr()
    assert captured.out or captured.err
    summary = hostile / "summary.md"
    for text in (captured.out, captured.err, summary.read_text() if summary.exists() else ""):
        assert [match[0] for match in ACTS.finditer(text)] == []
    if "--json" in command and captured.out:
        for line in captured.out.splitlines() if command[0] == "run" else [captured.out]:
            json.loads(line)
    if "junit" in command:
        assert "evil" in captured.out
        ElementTree.fromstring(captured.out)


def test_what_the_dashboard_leaves_behind() -> None:
    session = FakeSession()
    suites = scene.suites(48)
    session.emit(*scene.opened(suites, agent=f"mine{HOSTILE}"))
    session.agents = (f"mine{HOSTILE}",)
    text = "\n".join(exit_summary(session))
    assert "PWN" in text and "run one again" in text
    assert ACTS.findall(text) == []


def test_the_command_line_that_it_prints_names_the_same_case() -> None:
    key = CaseKey(f"evals/s{IN_A_NAME}.golden.json", f"it's \\ {HOSTILE}".replace("\0", ""))
    line = run_again(Config(root=Path.cwd()), key, "embedded")
    assert ACTS.findall(line) == []
    said = subprocess.run(
        ["bash", "-c", f"printf '%s' {line.split(' ', 2)[2]}"], capture_output=True, check=True
    ).stdout
    assert said.decode().startswith(str(key))
    plain = CaseKey("evals/a b.golden.json", "it's")
    assert shlex.split(run_again(Config(root=Path.cwd()), plain, "x"))[2] == str(plain)


async def test_toasts() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(8)))
    async with driving(session) as driver:
        driver.app.dashboard.controller.say(f"hi {HOSTILE}")
        await driver.settle()
        (toast,) = driver.app._notifications
        assert "PWN" in toast.message
        assert [one for one in ACTS.findall(toast.message) if one != "::"] == []


async def test_what_is_copied_acts_nowhere_that_it_is_pasted() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(8)))
    async with driving(session) as driver:
        driver.app.copy_to_clipboard(f"one\ttwo\r\n{HOSTILE}")
        copied = driver.app.clipboard
    assert copied.startswith("one\ttwo\n\\x1b[2J\\x1b]0;PWN")
    assert [one for one in ACTS.findall(copied) if one != "::"] == []
