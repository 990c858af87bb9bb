"""`evaltui init` names every source of tools that it finds, and asks where somebody can answer."""

import errno
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaltui.cli import init
from evaltui.cli.main import run_command
from evaltui.core.case import Tier
from evaltui.settings.load import load_config
from tests.projects import TOOLS

SCRIPT = """
export const {name} = {{
  name: "{name}",
  description: "Does what {name} says.",
  parameters: {{ type: "object", properties: {{}} }},
}};
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            path.write_text(json.dumps({"tools": list(TOOLS)}))
        else:
            path.write_text(SCRIPT.format(name=path.name.partition(".")[0]))


def tools(capsys: pytest.CaptureFixture[str]) -> set[str]:
    capsys.readouterr()
    assert run_command(["tools", "--json"]) == 0
    return {tool["name"] for tool in json.loads(capsys.readouterr().out)["tools"]}


SCRIPTS = ("tools/get_weather.tool.ts", "tools/get_forecast.tool.ts")
LISTED = {tool["name"] for tool in TOOLS}


@pytest.mark.parametrize(
    ("files", "registry", "found"),
    [
        (SCRIPTS, '"tools"', {"get_weather", "get_forecast"}),
        ((*SCRIPTS, "tools.json"), '["tools", "tools.json"]', {"get_weather", "get_forecast"}),
        (("tools.json",), '"tools.json"', LISTED),
        (("tools/get_weather.ts",), '"tools"', {"get_weather"}),
        (("tools/get_weather.ts", "tools/list.json"), '"tools"', {"get_weather"}),
        (("tools/get_weather.ts", "tools.json"), '["tools", "tools.json"]', {"get_weather"}),
        (("tools/get_weather.tool.ts", "tools/list.json"), '"tools"', {"get_weather"}),
        (
            ("a/one.tool.ts", "b/two.tool.ts", "c/orders-tools.json"),
            '["a", "b", "c/orders-tools.json"]',
            {"one", "two"},
        ),
    ],
)
def test_every_source_is_named_and_no_tool_is_lost(
    folder: Path,
    files: tuple[str, ...],
    registry: str,
    found: set[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(folder, *files)
    before = tools(capsys)
    assert run_command(["init"]) == 0
    said = capsys.readouterr().out
    assert f"registry = {registry}\n" in (folder / "evaltui.toml").read_text()
    has_list = any(name.endswith(".json") for name in files)
    expected = found | (LISTED if has_list else set())
    assert before <= tools(capsys) == expected
    definitions = "1 definition" if len(expected) == 1 else f"{len(expected)} definitions"
    assert f"{definitions} in " in said


def test_a_list_that_is_made_from_the_scripts_is_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "tools/find_order.tool.ts", "tools/play_music.tool.ts", "tools.json")
    assert run_command(["init"]) == 0
    assert 'registry = "tools"\n' in (folder / "evaltui.toml").read_text()
    assert tools(capsys) == LISTED


def test_one_is_not_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "tools/get_weather.tool.ts")
    assert run_command(["tools"]) == 0
    assert capsys.readouterr().out.endswith("\n1 tool\n")
    assert run_command(["check"]) == 0
    assert "1 tool," in capsys.readouterr().out


class Person:
    """At a terminal, or a pipe into one: `answer` is what is typed."""

    def __init__(self, answer: str, *, is_piped: bool = False) -> None:
        self.said = ""
        self._answer = answer
        self._is_piped = is_piped

    def isatty(self) -> bool:
        return not self._is_piped

    def write(self, text: str) -> None:
        self.said += text

    def flush(self) -> None:
        """Everything is there at once."""

    def readline(self) -> str:
        return self._answer


@pytest.mark.parametrize(
    ("flags", "answer", "is_written"),
    [
        ([], "\n", True),
        ([], "y\n", True),
        ([], "n\n", False),
        ([], "", False),
        (["--yes"], "n\n", True),
        (["-C", "."], "n\n", True),
    ],
)
def test_a_folder_that_nobody_named_is_asked_about(
    folder: Path,
    flags: list[str],
    answer: str,
    is_written: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = Person(answer)
    monkeypatch.setattr(init, "sys", SimpleNamespace(stdin=person, stdout=person))
    assert run_command(["init", *flags]) == 0
    assert (folder / "evaltui.toml").exists() is is_written
    assert (f"Write {folder / 'evaltui.toml'}? [Y/n]" in person.said) is not bool(flags)


@pytest.mark.parametrize(
    ("flags", "answer", "is_written"),
    [
        ([], "n\n", False),
        ([], "no", False),
        ([], " N \r\n", False),
        ([], "what?\n", False),
        ([], "y\n", True),
        ([], "\n", True),
        ([], "", True),
        (["--yes"], "n\n", True),
    ],
)
def test_an_answer_through_a_pipe_counts(
    folder: Path,
    flags: list[str],
    answer: str,
    is_written: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(folder, "tools.json")
    person = Person(answer, is_piped=True)
    monkeypatch.setattr(init, "sys", SimpleNamespace(stdin=person, stdout=person))
    assert run_command(["init", *flags]) == 0
    assert (folder / "evaltui.toml").exists() is is_written
    would = 'Nothing was written; `evaltui init --yes` would write registry = "tools.json"'
    assert (would in person.said) is not is_written
    assert ("[Y/n]" in person.said) is bool(answer and not flags), (
        "nobody is asked who is not there"
    )


@pytest.mark.parametrize("tier", Tier)
def test_files_of_every_tier_stand_in_the_words_on_evals(tier: Tier) -> None:
    assert f"*.{tier}.json" in init.settings_text(())


def uncommented(text: str) -> str:
    """With all examples in force; of those that exclude one another, the first."""
    lines, known, table = list[str](), set[str](), ""
    for line in text.splitlines():
        found = re.match(r"(?:# )?(?:(\[[\w.]+\])|(\w+) = )", line)
        if found is None:
            lines.append(line)
            continue
        table = found[1] or table
        name = f"{table} {found[2] or ''}"
        if name not in known:
            lines.append(line.removeprefix("# "))
        known.add(name)
    return "\n".join(lines)


def test_what_it_shows_may_be_uncommented(folder: Path) -> None:
    before = load_config(folder).config
    (folder / "evaltui.toml").write_text(uncommented(init.settings_text(())))
    read = load_config(folder)
    assert read.problems == ()
    assert [source.name for source in read.config.evaluators] == ["./evaluators/greeting_check.py"]
    assert read.config.judge is not None
    assert (read.config.judge.profile.type, read.config.judge.votes) == ("openai", 3)
    assert "staging" in read.config.profiles
    for name in ("output_dir", "concurrency", "timeout_ms", "fail_on", "regressions", "watch"):
        assert getattr(read.config, name) == getattr(before, name), name


def test_the_evaluator_that_it_shows_is_the_one_that_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = init.settings_text(())
    (command,) = re.findall(r"`evaltui (evaluators new [\w-]+)`", text)
    (folder / "evaltui.toml").write_text(uncommented(text).partition("[agents")[0])
    assert run_command(command.split()) == 0
    assert run_command(["evaluators", "check", "--trust"]) == 0, capsys.readouterr()


def test_on_a_full_disk_it_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert run_command(["init", "--yes"]) == 2
    assert "evaltui.toml` cannot be written: No space left" in capsys.readouterr().err
    assert not [*folder.iterdir()]
