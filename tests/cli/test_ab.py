"""`evaltui ab`: what it asks for before it spends, and how it ends."""

import json
import shutil
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from tests.project.commits.test_tools_at import git
from tests.simulated_agent import World, simulate, simulated_project


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    simulated_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    return simulate(monkeypatch)


def paid() -> None:
    path = Path("evaltui.toml")
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))


def test_it_exits_with_1_only_for_what_is_proven(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["ab", "other", "--trials", "8"]) == 0
    world.rate = lambda name, _: float(name == "other")
    assert run_command(["ab", "other", "--trials", "1"]) == 0
    assert "↓? moved  evals/find_order.golden.json::gs-000  1/1 → 0/1" in capsys.readouterr().out
    assert run_command(["ab", "other", "--trials", "8", "--json", "--order", "3"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["before"], told["now"], told["seed"]) == ("other", "mine", 3)
    assert len(told["regressed"]) == 3
    assert told["paired"]["mean"] == -1


def test_nothing_is_spent_that_was_not_agreed_to(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid()
    assert run_command(["ab", "other"]) == 2
    said = capsys.readouterr().err
    assert "3 cases, 5 trials a side: 30 trials, cost unknown" in said
    assert "`--yes` agrees to it" in said
    assert not world.asked
    assert run_command(["ab", "other", "--yes", "--trials", "1"]) == 0
    assert len(world.asked) == 6
    assert "6 trials, $0.06" in capsys.readouterr().out


def test_before_it_spends_it_says_what_so_many_trials_cannot_prove(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world.rate = lambda name, request: float(name == "other" or request.key.case != "gs-002")
    assert run_command(["ab", "other"]) == 1, "one of three is proven with five trials"
    assert "cannot prove" not in capsys.readouterr().err
    simulated_project(tmp_path, 7)
    assert run_command(["ab", "other"]) == 0
    said = (
        "5 trials a side cannot prove that one case of 7 got worse, only that 2 or more did; "
        "`--confirm` or `--trials 6` can.\n7 cases, 5 trials a side: 70 trials"
    )
    assert said in capsys.readouterr().err
    for enough in (["--trials", "6"], ["--confirm"]):
        assert run_command(["ab", "other", *enough]) == 1
        assert "cannot prove" not in capsys.readouterr().err
    simulated_project(tmp_path, 7, "[regressions]\nmax_trials = 5")
    for confirm in ([], ["--confirm"]):
        assert run_command(["ab", "other", *confirm]) == 0
        assert "only that 2 or more did; `--trials 6` can.\n" in capsys.readouterr().err
    assert run_command(["ab", "other", "--trials", "1"]) == 0
    assert "1 trial a side cannot prove that any of 7 cases got" in capsys.readouterr().err


def test_one_that_the_limit_cut_short_ends_like_a_run_does(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid()
    path = Path("evaltui.toml")
    path.write_text(f"max_cost_usd = 0.05\n{path.read_text()}")
    assert run_command(["ab", "other", "--yes"]) == 2
    said = capsys.readouterr()
    assert "25 of 30 trials were not made: `max_cost_usd` of $0.05 is spent" in said.out
    assert len(said.err.splitlines()) == 1, "the report says why"
    assert len(world.asked) == 5
    assert run_command(["ab", "other", "--yes", "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["trials"] == 30
    assert "25 of 30 trials" in json.loads(said.err.splitlines()[-1])["error"]["message"]


def test_what_a_call_may_cost_is_the_same_wherever_it_is_told(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid()
    asks = ["ab", "other", "--trials", "2"], ["baseline", "pin", "--trials", "4"]
    for asked in asks:
        assert run_command(asked) == 2
        assert "12 trials, cost unknown\n" in capsys.readouterr().err
    assert not world.asked
    for name in ("mine", "other"):
        assert run_command(["run", "--agent", name]) == 0
    for asked in asks:
        capsys.readouterr()
        assert run_command([*asked, "--yes"]) == 0
        assert "12 trials, about $0.12\n" in capsys.readouterr().err


def test_only_the_cases_that_are_named_are_asked(world: World) -> None:
    suite = "evals/find_order.golden.json"
    assert run_command(["ab", "other", f"{suite}::gs-001", "--trials", "2"]) == 0
    assert {request.key.case for _, request in world.asked} == {"gs-001"}
    assert run_command(["ab", "other", "--filter", "nothing like it"]) == 2


def test_an_agent_is_not_compared_with_itself(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["ab", "mine"]) == 2
    assert "`mine` would be compared with itself" in capsys.readouterr().err
    assert not world.asked


def test_nothing_of_the_other_agent_is_started_before_it_is_trusted(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    path = Path("evaltui.toml")
    path.write_text(
        path.read_text() + '[agents.theirs]\ntype = "command"\ncommand = "touch told"\n'
    )
    assert run_command(["ab", "theirs"]) == 2
    assert "nobody agreed" in capsys.readouterr().err
    assert not world.asked
    assert not Path("told").exists()


def test_a_comparison_of_nothing_does_not_end_well(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    def rate(_name: str, _request: AgentRequest) -> float:
        raise ConnectionError("down")

    world.rate = rate
    for flags in ([], ["--json"]):
        assert run_command(["ab", "other", "--trials", "1", *flags]) == 2
        said = capsys.readouterr()
        assert "Nothing was compared: no case has an answer from both sides" in said.err
        assert said.out, "the report is there all the same"


@pytest.mark.parametrize("side", ["mine", "other"])
def test_a_side_that_does_not_answer_is_no_good_end_though_the_other_cases_are_as_before(
    world: World, capsys: pytest.CaptureFixture[str], side: str
) -> None:
    def rate(name: str, request: AgentRequest) -> float:
        if name == side and "0" in request.key.case[-1] and request.trial < 4:
            raise ConnectionError("down")
        return float(name == "other" or request.key.case[-1] != "0")

    world.rate = rate
    before, now = (0, 4) if side == "mine" else (4, 0)
    for trials, answers in ((4, 0), (5, 1)):
        assert run_command(["ab", "other", "--trials", str(trials)]) == 1
        said = capsys.readouterr().out
        lost = f"! 4 attempts got no answer ({before} before, {now} now), in 1 case: the others do "
        assert f"{lost}not tell how these would have gone: agent: " in said
        assert ("1 of them have no answer from both sides" in said) is not bool(answers)
        assert run_command(["ab", "other", "--trials", str(trials), "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert told["incomplete"] == 1
        (pair,) = [one for one in told["pairs"] if one["errors"]]
        assert (pair["before"]["errors"], pair["now"]["errors"]) == (before, now)
        assert pair["now" if side == "mine" else "before"]["trials"] == answers


def registry(*names: str) -> None:
    path = Path("evaltui.toml")
    path.write_text(f"registry = {json.dumps(names)}\n{path.read_text()}")


def commit() -> None:
    git(Path(), "init", "-q")
    git(Path(), "add", ".")
    git(Path(), "commit", "-qm", "first")


UNKNOWN = "cannot tell what kind of registry `tools.jsonl` is"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("tools.jsonl", '{"name": "find_order"}\n', UNKNOWN),
        ("tools.py", "raise ValueError", "the tools cannot be read: ValueError"),
    ],
)
def test_where_no_tool_can_be_read_nothing_is_compared(
    world: World, capsys: pytest.CaptureFixture[str], name: str, text: str, why: str
) -> None:
    Path(name).write_text(text)
    registry(name)
    commit()
    for against in ("HEAD", "other"):
        assert run_command(["ab", against, "--yes"]) == 2
        said = capsys.readouterr()
        assert why in said.err
        assert not said.out
    assert not world.asked
    assert run_command(["run"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_list_that_is_broken_now_is_no_regression(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    registry("tools.json")
    commit()
    Path("tools.json").write_text('{"tools": [')
    assert run_command(["ab", "HEAD", "--yes"]) == 2
    assert "tools.json:1:12: not valid JSON" in capsys.readouterr().err
    assert not world.asked


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_source_that_cannot_be_read_beside_others_is_not_the_same_on_both_sides(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("tools.jsonl").write_text("{}")
    Path("more.py").write_text('TOOLS = [{"name": "wave", "description": "Waves."}]')
    registry("tools.json", "tools.jsonl", "more.py")
    commit()
    assert run_command(["ab", "HEAD", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sameOnBothSides"] == ["more.py"]
    assert [UNKNOWN in one for one in told["unread"]] == [True]
    assert run_command(["ab", "HEAD", "--yes"]) == 0
    said = capsys.readouterr().out
    assert f"Not all tools can be read now: {UNKNOWN}" in said
    assert "`tools.jsonl` is the same" not in said
    Path("tools.json").write_text(Path("tools.json").read_text().replace("Finds.", "Seeks."))
    assert run_command(["ab", "HEAD", "--yes"]) == 0
    assert f"Not all tools can be read now: {UNKNOWN}" in capsys.readouterr().out
    assert world.asked
