"""Trials made to be pinned count for the baseline, whatever they come to."""

import json
from pathlib import Path
from shutil import rmtree

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import UserError
from evaltui.core.statistics.trials import Trials
from evaltui.store.row_status import RowMark
from tests.projects import case, write_suite, write_tools
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import World, simulate, simulated_project


def edit(root: Path) -> None:
    write_tools(root, [{"name": "find_order", "description": "Other.", "parameters": {}}])


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


async def test_what_they_came_to_is_evidence_also_for_others_who_take_over_the_pins(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 3)
    rates = {"gs-000": 1.0, "gs-001": 0.5, "gs-002": 0.0}
    world.rate = lambda _, request: rates[request.key.case]
    async with opened(root) as (session, _):
        fresh = (await session.fresh_pins.pin(all_keys(session), "mine", 20)).pinned
    assert {key.case: of.count for key, of in fresh.items()} == dict.fromkeys(rates, 20)
    assert len(world.asked) == 60
    for path in (root / ".evaltui").glob("history*"):
        path.unlink()  # as in another copy of the project
    edit(root)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        rows = session.store.board("mine").rows
        sides = {key.case: row.proof.sides.baseline for key, row in rows.items() if row.proof}
        assert sides == {key.case: of for key, of in fresh.items()}
        half = next(row for key, row in rows.items() if key.case == "gs-001")
        assert RowMark.MOVED_UP not in half.marks, "that it passes at times is no news"


async def test_nothing_is_pinned_of_what_is_not_fresh(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 2)
    async with opened(root, cassettes="auto") as (session, _):
        with pytest.raises(UserError, match="recorded answers are not fresh trials"):
            await session.fresh_pins.pin(all_keys(session), "mine", 20)
    assert not world.asked


async def test_an_agent_that_always_answers_alike_needs_none(tmp_path: Path) -> None:
    root = simulated_project(tmp_path, 2)
    async with opened(root, agent=["embedded"]) as (session, _):
        assert "the same way every time" in session.fresh_pins.why_not("embedded/2")


def test_the_command_makes_them_once_somebody_agreed(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 2)
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "20"]) == 2
    assert "2 cases of `mine`, 20 trials each: 40 trials, cost unknown" in capsys.readouterr().err
    assert not world.asked
    assert run_command(["baseline", "pin", "--trials", "20", "--yes", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["cases"], told["trials"], len(world.asked)) == (2, 40, 40)
    assert run_command(["baseline", "pin"]) == 0
    said = capsys.readouterr().err
    assert said == "2 cases have the same inputs as before: their fresh trials still count.\n"
    edit(root)
    assert run_command(["run"]) == 0
    capsys.readouterr()
    world.asked.clear()
    assert run_command(["baseline", "pin"]) == 0
    said = capsys.readouterr().err
    assert "`evaltui baseline pin --trials 20` makes fresh trials that do: 40 trials, about" in said
    assert not world.asked, "that was an offer"


def test_a_case_that_calls_as_those_did_that_passed_is_as_before(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)
    world.rate = lambda *_: float(len(world.asked) != 1)  # the first makes no call
    assert run_command(["baseline", "pin", "--trials", "5", "--yes"]) == 0
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "changed"]) == 0
    assert "1 as before" in capsys.readouterr().out


def test_those_of_a_case_count_on_when_it_is_pinned_as_it_is(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    assert run_command(["run"]) == 0
    assert run_command(["baseline", "pin"]) == 0
    edit(root)
    world.rate = lambda *_: 0.0
    assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 1
    path = root / "evals" / "baselines" / "pins.json"
    path.write_text("<<<<<<< HEAD\n" + path.read_text())  # two branches that both pinned
    for _ in range(2):
        assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 1


def test_nobody_chooses_among_them_by_pinning_again(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)
    kept = "1 case has the same inputs as before: their fresh trials still count.\n"
    for rate, said in ((0.0, ""), (0.0, kept), (1.0, kept)):
        world.rate = lambda *_, rate=rate: rate
        assert run_command(["baseline", "pin", "--trials", "5", "--yes", "--json"]) == 0
        told = capsys.readouterr()
        assert (json.loads(told.out)[0]["trials"], kept in told.err) == (5, bool(said))
    edit(root)
    world.rate = lambda *_: 0.0
    assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 0
    assert "5/15 → 0/" in capsys.readouterr().out
    world.rate = lambda *_: 1.0
    assert run_command(["baseline", "pin", "--trials", "5", "--yes"]) == 0
    assert kept not in capsys.readouterr().err, "those were made with other inputs"


async def test_one_that_was_never_judged_is_not_pinned(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 2)

    def rate(_name: str, request: AgentRequest) -> float:
        if request.key.case == "gs-001":
            raise ConnectionError("down")
        return 1.0

    world.rate = rate
    async with opened(root) as (session, _):
        made = await session.fresh_pins.pin(all_keys(session), "mine", 3)
    assert {key.case: of for key, of in made.pinned.items()} == {"gs-000": Trials(3, 0)}
    ((key, why),) = made.left.items()
    assert key.case == "gs-001" and "down" in why


async def test_where_none_was_judged_it_says_why(tmp_path: Path, world: World) -> None:
    def rate(_name: str, _request: AgentRequest) -> float:
        raise ConnectionError("down")

    world.rate = rate
    async with opened(simulated_project(tmp_path, 2)) as (session, _):
        with pytest.raises(UserError, match=r"Nothing was pinned: .*down"):
            await session.fresh_pins.pin(all_keys(session), "mine", 3)


def test_the_command_says_why_nothing_was_pinned(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 2, "max_cost_usd = 0.01\nconcurrency = 1")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 1'))
    world.rate = lambda _name, _request: 1.0
    world.cost_usd = lambda _: None
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "3", "--yes"]) == 2
    assert "Nothing was pinned: " in (said := capsys.readouterr().err)
    assert "max_cost_usd" in said


def test_the_command_tells_which_cases_it_left_out_and_why(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 2)

    def rate(_name: str, request: AgentRequest) -> float:
        if request.key.case == "gs-001":
            raise ConnectionError("down")
        return 1.0

    world.rate = rate
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "3", "--yes"]) == 1
    pinned, left = capsys.readouterr().out.splitlines()
    assert pinned == "pinned  mine  default  1  3 trials"
    assert left.startswith("not pinned  mine  default  ") and "gs-001" in left and "down" in left


@pytest.mark.parametrize("edits", [False, True])
def test_an_error_among_its_trials_does_not_take_a_case_out_of_the_gate(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    edits: bool,
) -> None:
    root = simulated_project(tmp_path, 2)

    def rate(_name: str, request: AgentRequest) -> float:
        if (request.key.case, request.trial) == ("gs-001", 2):
            raise ConnectionError("down")
        return 1.0

    world.rate = rate
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "5", "--yes"]) == 0
    out, said = capsys.readouterr()
    assert out == "pinned  mine  default  2  9 trials\n"
    assert "gs-001` is pinned with 4 trials of 5: " in said and "down" in said
    if edits:
        edit(root)
    world.rate = lambda _name, request: float(request.key.case != "gs-001")
    assert run_command(["run", "--fail-on", "regressions"]) == 1
    said = capsys.readouterr().out
    assert "1 worse" in said and "new" not in said and "gs-001" in said


def test_each_case_that_is_pinned_with_fewer_trials_has_a_line(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def rate(_name: str, request: AgentRequest) -> float:
        if request.trial == 1:
            raise ConnectionError("down")
        return 1.0

    world.rate = rate
    monkeypatch.chdir(simulated_project(tmp_path, 3))
    assert run_command(["baseline", "pin", "--trials", "2", "--yes"]) == 0
    told = [one for one in capsys.readouterr().err.splitlines() if "is pinned with" in one]
    assert [one.count("is pinned with") for one in told] == [1, 1, 1]


def test_the_command_ends_as_a_run_does_that_a_limit_ended(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world.rate = lambda *_: 1.0
    root = simulated_project(tmp_path, 4, "max_cost_usd = 6\nconcurrency = 1")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 1'))
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "2", "--yes", "--json"]) == 2
    said = capsys.readouterr()
    pinned, *left = json.loads(said.out)
    assert (pinned["action"], pinned["cases"], len(left)) == ("pinned", 3, 1)
    assert left[0]["case"].endswith("gs-003")
    assert (
        "max_cost_usd" in json.loads(said.err.splitlines()[-1])["error"]["problems"][0]["message"]
    )
    assert run_command(["baseline", "pin"]) == 0, "what is there is pinned for nothing"


def test_it_does_not_say_that_nothing_was_judged_where_answers_came(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world.rate = lambda *_: 1.0
    root = simulated_project(tmp_path, 4, "max_cost_usd = 5\nconcurrency = 4")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 1'))
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "6", "--yes"]) == 2
    assert len(world.asked) == 5
    said = capsys.readouterr().err
    assert "Nothing was pinned: no case got all of its 6 trials." in said
    assert "`max_cost_usd` of $5" in said


def test_what_failed_between_two_pins_counts_on(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Else whoever pins again whenever all is green has a better baseline than there is."""
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)

    def run(rate: float) -> None:
        world.rate = lambda *_: rate
        run_command(["run", "--fail-on", "never"])

    run(1.0)
    assert run_command(["baseline", "pin"]) == 0  # because it was green: that one does not count
    for rate in (1.0, 0.0, 0.0, 1.0):
        run(rate)
    assert run_command(["baseline", "pin"]) == 0
    run(0.0)
    run(1.0)
    assert run_command(["baseline", "pin", "--trials", "3", "--yes"]) == 0
    run(1.0)
    edit(root)
    capsys.readouterr()
    run(0.0)
    assert "7/10 → 0/1" in capsys.readouterr().out
    for path in (root / ".evaltui", root / "evals" / "results"):
        rmtree(path)  # for everybody who has the same pins
    run(0.0)
    assert "6/9 → 0/1" in capsys.readouterr().out


async def test_a_case_that_asserts_nothing_is_pinned_with_the_others_and_has_no_trials(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 2)
    cases = [case(f"gs-{number:03}", "find_order", "find_order") for number in range(2)]
    cases[0]["expect"] = {}
    write_suite(root, "find_order", cases)
    async with opened(root) as (session, _):
        keys = all_keys(session)
        made = await session.fresh_pins.pin(keys, "mine", 3)
    assert ([*made.pinned.values()], made.left) == ([Trials(), Trials(3, 0)], {})
    assert len(world.asked) == 6
