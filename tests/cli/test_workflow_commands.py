"""Nothing that comes from a project speaks to a CI's runner, which reads all that a step prints.

That of GitHub obeys a line that begins with `::`, with blanks before it or not, and `##[command]`
anywhere; that of Azure Pipelines `##vso[command]`.
"""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.cli.main import run_command
from evaltui.reporters.ansi import plain

STOP = "::stop-commands::x"
OURS = "::(?:error|warning|notice) file="
OBEYED = re.compile(rf"^(?!{OURS})(?:\s*::|.*##(?:\[|vso\[))", re.MULTILINE)


@given(st.lists(st.sampled_from([*": #[a\t\n\x85\u2003", "vso["]), max_size=12).map("".join))
def test_no_text_begins_a_command(text: str) -> None:
    assert not OBEYED.search(plain(text)), plain(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (STOP, "\\x3a:stop-commands::x"),
        ("  ::debug::", "  \\x3a:debug::"),
        ("std::vector", "std::vector"),
        ("a ##[group]", "a \\x23#[group]"),
        ("##vso[task.setvariable]", "\\x23#vso[task.setvariable]"),
        ("a ##VSO[task]", "a \\x23#VSO[task]"),
        ("## heading", "## heading"),
    ],
)
def test_only_what_would_be_obeyed_is_spelled_out(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(
    "command",
    [
        ["tools"],
        ["check"],
        ["run"],
        ["run", "--reporter", "github"],
        ["run", "--reporter", "junit"],
        ["run", "--reporter", "markdown"],
        ["baseline", "list"],
    ],
    ids=" ".join,
)
def test_no_command_prints_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    said = f"x\n{STOP} ##[stop-commands]x\n##vso[stop-commands]x"
    (tmp_path / "tools.json").write_text(json.dumps([{"name": STOP, "description": said}]))
    case = {"id": STOP, "description": said, "input": {"message": said},
            "expect": {"toolsCalled": [STOP, said]}}  # fmt: skip
    suite = tmp_path / "evals" / "::stop-commands::.golden.json"
    suite.parent.mkdir()
    suite.write_text(json.dumps({"metadata": {"toolName": STOP}, "cases": [case]}))
    if command[0] == "baseline":
        run_command(["run"])
        run_command(["baseline", "pin"])
        capsys.readouterr()
    run_command(command)
    printed = capsys.readouterr()
    assert "stop-commands" in printed.out
    for text in printed:
        assert not OBEYED.search(text), text
