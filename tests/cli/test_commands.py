"""Every command as a user types it, in a real folder."""

import json
import re
from pathlib import Path
from shutil import rmtree

import pytest

from evaltui.agents.embedded.model import VERSION
from evaltui.cli.main import run_command
from evaltui.settings.load import load_config
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


def failing(root: Path) -> Path:
    """Make one case expect the wrong tool."""
    wrong = ({**ORDERS[0], "expect": {"toolsCalled": ["play_music"]}}, ORDERS[1])
    return write_suite(root, "find_order", wrong)


def results(root: Path) -> list[Path]:
    return sorted((root / "evals" / "results").glob("*.json"))


@pytest.mark.usefixtures("project")
def test_a_green_run_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run"]) == 0
    printed = capsys.readouterr().out
    assert "═══ find_order — golden evals ═" in printed
    assert "2/2 passed | 0 failed | 0 skipped assertions" in printed


def test_a_failure_exits_with_1_and_says_why(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(project)
    assert run_command(["run"]) == 1
    assert (
        '→ toolsCalled: expected ["play_music"] but got ["find_order"]' in capsys.readouterr().out
    )
    assert run_command(["run", "--fail-on", "never"]) == 0
    assert run_command(["run", "--fail-on", "regressions"]) == 0


def test_failed_runs_only_what_failed_last_time(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(project)
    run_command(["run"])
    capsys.readouterr()
    run_command(["run", "--failed"])
    printed = capsys.readouterr().out
    assert "gs-find-order-001" in printed
    assert "gs-find-order-002" not in printed
    newest = max(results(project), key=lambda path: path.stat().st_mtime_ns)
    document = json.loads(newest.read_text())
    assert document["summary"]["totalCases"] == 2, "cases that were not rerun are carried over"
    assert document["cases"][1]["carriedFrom"]


def test_filter_and_tier_choose_cases(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_command(["run", "--filter", "music", "--tier", "golden"])
    printed = capsys.readouterr().out
    assert "gs-play-music-001" in printed
    assert "find-order" not in printed
    assert run_command(["run", "--filter", "no such case"]) == 2
    assert len(results(project)) == 1


def test_a_broken_file_exits_with_2_and_the_others_run(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "evals" / "broken.golden.json").write_text('{"cases": [{"id": "x"')
    assert run_command(["run"]) == 2
    captured = capsys.readouterr()
    assert "evals/broken.golden.json:1:" in captured.err
    assert captured.out.count("passed |") == 3, "of two suites, and of both"


def test_errors_are_one_json_line_with_json(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "evaltui.toml").write_text("concurrency = 0\n")
    assert run_command(["run", "--json"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    error = json.loads(line)["error"]
    assert error["code"] == "usage"
    told = error["problems"][0]
    assert (told["file"], told["line"], told["pointer"]) == ("evaltui.toml", 1, "/concurrency")


def test_reporters_write_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failing(project)
    names = ["junit=out.xml", "markdown=out.md", "github=out.txt", "jsonl=new/out.jsonl", "console"]
    flags = [word for name in names for word in ("--reporter", name)]
    assert run_command(["run", *flags]) == 1
    assert "═══" in capsys.readouterr().out
    assert 'errors="0" failures="1"' in " ".join(
        sorted((project / "out.xml").read_text().split("\n")[1].split())
    )
    assert "| `gs-find-order-001` | ✗ failed |" in (project / "out.md").read_text()
    assert "::error file=evals/find_order.golden.json,line=" in (project / "out.txt").read_text()
    events = [
        json.loads(line)["event"]
        for line in (project / "new" / "out.jsonl").read_text().splitlines()
    ]
    assert events[0] == "ProjectRead"
    assert events[-1] == "RunFinished"


@pytest.mark.parametrize("asked", ["cosnole", "cosnole=", "junit=", "jsonl=", "console="])
def test_an_unknown_reporter_and_one_without_its_file_are_usage_errors(
    asked: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--reporter", asked]) == 2
    said = "Choose one of: console" if asked.startswith("cosnole") else f"`{asked}` names no file"
    assert said in capsys.readouterr().err
    assert not results(project)


def test_tools_lists_what_was_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["tools", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["registrySize"] == 2
    assert [tool["name"] for tool in document["tools"]] == ["find_order", "play_music"]
    assert len(document["tools"][0]["descriptionHash"]) == 12
    assert document["tools"][0]["file"] == "tools.json"
    assert run_command(["tools", "--registry", str(project / "tools.json")]) == 0


def test_check_finds_lint_without_running(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    echo = {**ORDERS[0], "expect": {"toolsCalled": ["find_order"], "responseContains": ["SO-1"]}}
    write_suite(project, "find_order", (echo,))
    assert run_command(["check"]) == 0
    assert "· lint      evals/find_order.golden.json:" in capsys.readouterr().out
    assert not results(project)
    failing(project).write_text("[")
    assert run_command(["check", "--json"]) == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert problems[0]["severity"] == "error"


def test_a_regression_against_a_pinned_baseline_exits_with_1(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["baseline", "pin"]) == 2, "nothing was run yet"
    run_command(["run"])
    assert run_command(["baseline", "pin"]) == 0
    write_tools(project, with_description("find_order", "Bakes bread."))
    assert run_command(["run", "--fail-on", "regressions"]) == 1
    assert "↓ REGRESSION gs-find-order-002" in capsys.readouterr().out
    assert run_command(["baseline", "diff"]) == 1
    assert "regressed" in capsys.readouterr().out
    assert run_command(["baseline", "unpin"]) == 0
    capsys.readouterr()
    assert run_command(["baseline", "list"]) == 0
    assert "Nothing is pinned" in capsys.readouterr().out


def test_what_is_pinned_of_deleted_cases_can_be_forgotten_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    run_command(["baseline", "pin"])
    write_suite(project, "find_order", [{**ORDERS[0], "id": "renamed"}])
    assert run_command(["baseline", "unpin", "--gone", "--filter", "order"]) == 2
    assert "`--gone` is about all deleted cases." in capsys.readouterr().err
    for count in (1, 0):
        assert run_command(["baseline", "unpin", "--gone", "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert [row["cases"] for row in rows] == [count] * count, "a renamed one keeps its pin"
    assert run_command(["baseline", "move"]) == 0
    assert "renamed" in capsys.readouterr().out
    run_command(["baseline", "list", "--json"])
    assert sum(row["cases"] for row in json.loads(capsys.readouterr().out)) == 2


def test_a_checkout_without_history_is_held_against_what_is_pinned(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    run_command(["baseline", "pin"])
    write_tools(project, with_description("find_order", "Bakes bread."))
    for folder in (".evaltui", "evals/results"):
        rmtree(project / folder)
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "changed"]) == 1
    assert "1 worse" in capsys.readouterr().out


def test_pins_of_an_earlier_version_are_listed_and_not_compared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    run_command(["baseline", "pin"])
    pins = project / "evals" / "baselines" / "pins.json"
    own = f"embedded/{VERSION}"
    pins.write_text(pins.read_text().replace(f'"{own}"', '"embedded/0"'))
    write_tools(project, with_description("find_order", "Bakes bread."))
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "regressions"]) == 2
    printed = capsys.readouterr()
    assert "holds nothing of `embedded/" in printed.err
    assert "REGRESSION" not in printed.out
    assert "2 suites are pinned with results of `embedded/0`" in printed.out
    assert "`evaltui baseline pin`" in printed.out
    assert run_command(["baseline", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["agent"] for row in rows} == {"embedded/0"}
    assert all(f"not compared with {own}" in row["note"] for row in rows)
    run_command(["baseline", "pin"])
    capsys.readouterr()
    run_command(["baseline", "list", "--json"])
    assert {row["agent"] for row in json.loads(capsys.readouterr().out)} == {own}


def test_a_fall_of_an_agent_that_answers_otherwise_each_time_is_a_regression_too(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = 'agent = "mine"\n[agents.mine]\ntype = "python"\nfunction = "mine.py:answer"\n'
    (project / "evaltui.toml").write_text(settings)
    moves = {"gs-find-order-001": "regressed", "gs-play-music-001": "newly passed"}
    for tool in ("find_order", "play_music"):
        answer: object = {"response": "done", "toolCalls": [{"name": tool, "success": True}]}
        (project / "mine.py").write_text(f"def answer(message):\n    return {answer}\n")
        run_command(["run", "--filter=-001"])
        if tool == "find_order":
            assert run_command(["baseline", "pin"]) == 0
    capsys.readouterr()
    assert run_command(["baseline", "diff", "--json"]) == 1
    changes = json.loads(capsys.readouterr().out)
    assert {one["case"].partition("::")[2]: one["change"] for one in changes} == moves
    assert all(one["agent"] == "mine" for one in changes)
    assert changes[0]["reason"] == 'toolsCalled: expected ["find_order"] but got ["play_music"]'
    assert run_command(["baseline", "diff", "--filter", "music"]) == 0
    capsys.readouterr()
    assert run_command(["baseline", "diff"]) == 1
    lines = capsys.readouterr().out.splitlines()
    said = [line.split("  ")[0] for line in lines]
    assert said == ["moved", "moved up"], "in words as on the board"
    assert "undecided: no trial " in lines[0], "and why nothing can be proven of it"
    outputs = [f"--reporter={name}" for name in ("console", "markdown=run.md", "github=run.txt")]
    assert run_command(["run", "--filter=-001", "--fail-on", "regressions", *outputs]) == 1
    printed = capsys.readouterr().out
    assert "↓? MOVED gs-find-order-001: " in printed
    assert "↑? 1 moved up since the baseline" in printed
    assert "improved" not in printed
    assert "| `gs-find-order-001` | ↓? moved |" in (project / "run.md").read_text()
    assert "title=Moved%3A gs-find-order-001::" in (project / "run.txt").read_text()


def test_a_baseline_can_be_named_by_its_run(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    run_id = json.loads(results(project)[0].read_text())["runId"]
    failing(project)
    assert run_command(["run", "--baseline", run_id, "--fail-on", "regressions"]) == 1
    assert "↓ REGRESSION gs-find-order-001" in capsys.readouterr().out
    assert run_command(["run", "--baseline", "no-such-run"]) == 2
    assert "no-such-run" in capsys.readouterr().err


def test_init_writes_settings_that_can_be_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["init"]) == 0
    assert 'registry = "tools.json"' in (project / "evaltui.toml").read_text()
    assert run_command(["init"]) == 2, "it is there already"
    capsys.readouterr()
    assert run_command(["run"]) == 0


def test_what_init_comments_out_can_be_taken_into_use(project: Path) -> None:
    assert run_command(["init"]) == 0
    file = project / "evaltui.toml"
    lines = re.findall(r"^# (\[.+\]|\w+ = .+)$", file.read_text(), re.MULTILINE)
    once = {line.partition(" =")[0]: line for line in lines}
    assert {"concurrency", "agent", "fail_on", "[watch]"} <= once.keys()
    file.write_text("\n".join(once.values()))
    assert load_config(project).problems == ()


def test_demo_runs_the_sample_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["demo", "--plain"]) == 0
    printed = capsys.readouterr().out
    assert "track_parcel — golden evals" in printed
    assert "refund_order — scenarios" in printed
    assert "✓ sc-refund-order-001" in printed
    assert "Evals for track_parcel generated against description hash" in printed


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_the_commands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["completion", shell]) == 0
    assert "baseline" in capsys.readouterr().out


def test_a_missing_folder_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run", "-C", "no/such/folder"]) == 2
    assert "no/such/folder" in capsys.readouterr().err


def test_without_evals_it_says_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(["run"]) == 2
    assert "evaltui init" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_a_single_case_is_named_by_its_file_and_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["run", "evals/find_order.golden.json::gs-find-order-002"]) == 0
    printed = capsys.readouterr().out
    assert "gs-find-order-002" in printed
    assert "gs-find-order-001" not in printed
    assert run_command(["run", "evals/find_order.golden.json::no-such-case"]) == 2


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("call_at = 1.5\n", "evaltui.toml:1:1: `call_at`"),
        (
            'agent = "strict"\n[agents.strict]\ntype = "embedded"\ncall_at = 1.5\n',
            "evaltui.toml:4:1: `agents.strict.call_at`",
        ),
    ],
)
def test_check_and_run_say_the_same_of_a_threshold(
    project: Path, text: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "evaltui.toml").write_text(text)
    said = f"{place}: `call_at` is 1.5, not a number from 0 to 1. Write a number from 0 to 1."
    assert run_command(["check"]) == 2
    assert said in capsys.readouterr().out
    assert run_command(["run"]) == 2
    assert said in capsys.readouterr().err
    (project / "evaltui.toml").write_text(text.replace("1.5", "1"))
    assert run_command(["check"]) == 0
