"""A gate on the baseline that compared nothing: it says so, and does not end well."""

import json
import shutil
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from tests.projects import case, write_suite
from tests.simulated_agent import World, simulate, simulated_project

GATES = pytest.mark.parametrize("gate", ["regressions", "proven"])
SUITE = Path("evals/find_order.golden.json")


@pytest.fixture(autouse=True)
def world(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> World:
    """A project in which results of `mine` are pinned; whoever is asked now gets it wrong."""
    simulated_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    world = simulate(monkeypatch)
    assert run_command(["run"]) == 0
    assert run_command(["baseline", "pin"]) == 0
    world.rate = lambda _name, _request: 0.0
    capsys.readouterr()
    return world


@GATES
def test_pins_of_another_agent_are_no_comparison(
    gate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["run", "--agent", "other", "--fail-on", gate]
    assert run_command(asked) == 2
    said = capsys.readouterr().err
    assert "Nothing was compared: baseline `default` holds nothing of `other`, only of" in said
    assert run_command([*asked, "--json"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "only of `mine`" in json.loads(line)["error"]["message"]
    assert run_command(["run", "--agent", "other", "--agent", "mine", "--fail-on", gate]) != 0


@GATES
def test_neither_are_pins_of_other_cases(gate: str, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case(f"gs-1{n}", "find_order", "find_order") for n in (0, 1)]
    write_suite(Path(), "find_order", cases)
    assert run_command(["run", "--fail-on", gate]) == 2
    said = capsys.readouterr().err
    assert "none of the 2 cases of `mine` is in baseline `default`, which holds 3 others" in said
    write_suite(Path(), "find_order", [case("gs-10", "find_order", "find_order")])
    assert run_command(["run", "--fail-on", gate]) == 2
    assert "the case of `mine` is not in baseline `default`" in capsys.readouterr().err


@GATES
def test_where_nothing_is_pinned_at_all_it_is_said(
    gate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree("evals/baselines")
    assert run_command(["run", "--fail-on", gate]) == 0
    said = capsys.readouterr().err
    assert "no baseline: nothing is pinned, so no case of `mine` was compared" in said


def test_where_failures_count_by_themselves_it_is_said_and_nothing_more(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--agent", "other"]) == 1
    assert "only of `mine`" in capsys.readouterr().err
    world.rate = lambda _name, _request: 1.0
    assert run_command(["run", "--agent", "other"]) == 0
    assert "only of `mine`" in capsys.readouterr().err
    shutil.rmtree("evals/baselines")
    assert run_command(["run", "--agent", "other"]) == 0
    assert not capsys.readouterr().err


def test_one_case_that_is_pinned_is_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case(f"gs-{n:03}", "find_order", "find_order") for n in (2, 3)]
    write_suite(Path(), "find_order", cases)
    assert run_command(["run", "--fail-on", "regressions"]) == 1
    assert "compared" not in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--fail-on", "never"], ["--fail-on", "changed"]])
def test_what_is_no_gate_on_the_baseline_says_nothing(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--agent", "other", *flags]) == 0
    assert "compared" not in capsys.readouterr().err


def test_a_diff_with_nothing_says_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["baseline", "diff"]) == 0
    assert "No case changed" in capsys.readouterr().out
    assert run_command(["baseline", "diff", "--agent", "other"]) == 0
    said = capsys.readouterr()
    assert "only of `mine`" in said.err
    assert "No case changed" not in said.out
    assert run_command(["baseline", "diff", "--agent", "other", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_diff_names_what_ended_in_an_error_and_does_not_end_well(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    def is_down(_name: str, _request: AgentRequest) -> float:
        raise AgentError("cannot be reached")

    world.rate = is_down
    assert run_command(["run"]) == 1
    capsys.readouterr()
    assert run_command(["baseline", "diff"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3 and all(line.startswith("not compared  mine  ") for line in said)
    assert said[0].endswith("gs-000  agent: cannot be reached")
    assert run_command(["baseline", "diff", "--json", "--filter", "gs-001"]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert told["change"] == "not compared" and told["case"] == f"{SUITE}::gs-001"
    settings = Path("evaltui.toml")
    settings.write_text(f'{settings.read_text()}[mute]\n"{SUITE}::gs-001" = "is being moved"\n')
    assert run_command(["baseline", "diff", "--filter", "gs-001"]) == 0
    assert "No case changed" in capsys.readouterr().out


@pytest.mark.parametrize("action", ["diff", "list", "unpin", "move"])
def test_a_name_under_which_nothing_is_pinned_is_a_mistake(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["baseline", "pin", "--name", "before"]) == 0
    capsys.readouterr()
    assert run_command(["baseline", action, "--name", "befor"]) == 2
    said = capsys.readouterr()
    assert "Nothing is pinned as `befor`. Pinned are: `before`, `default`." in said.err
    assert not said.out
    assert run_command(["baseline", action, "--name", "before"]) == 0


@pytest.mark.parametrize("more", [[], ["--trials=2", "--yes"]])
def test_a_name_of_the_settings_can_be_pinned_before_it_is_there(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Path("evaltui.toml")
    settings.write_text(f'baseline = "release"\n{settings.read_text()}')
    assert run_command(["run"]) == 2
    assert "pin under it: `evaltui baseline pin --name release`" in capsys.readouterr().err
    assert run_command(["baseline", "list"]) == 0
    assert "mine  default  " in capsys.readouterr().out
    assert run_command(["baseline", "pin", "--name=release", *more]) == 0
    assert "mine  release  3" in capsys.readouterr().out
    assert run_command(["run", "--fail-on=never"]) == 0
    assert run_command(["baseline", "list"]) == 0
    listed = capsys.readouterr().out
    assert "mine  default  " in listed and "mine  release  " in listed
