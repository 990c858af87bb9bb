"""What was tried under its old name counts for a case whose baseline was moved to its new one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.statistics.trials import Trials, TwoSides
from tests.projects import write_tools
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import simulate, simulated_project

OLD, NEW = "evals/find_order.golden.json", "evals/orders.golden.json"


def of_file(root: Path) -> None:
    (root / OLD).rename(root / NEW)


def of_case(root: Path) -> None:
    path = root / OLD
    path.write_text(path.read_text().replace("gs-000", "renamed"))


def edit_back(root: Path) -> None:
    write_tools(root, [{"name": "find_order", "description": "Finds.", "parameters": {}}])


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One case that passed, was pinned, and passed eight times since."""
    simulate(monkeypatch)
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)
    for command in ["run"], ["baseline", "pin"], ["run", "--trials", "8"]:
        assert run_command(command) == 0
    return root


@pytest.fixture
def fallen(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    edit(root)
    simulate(monkeypatch).rate = failing("gs-000", "renamed")
    return root


def run_at(trials: int, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    code = run_command(["run", "--trials", str(trials), "--fail-on", "proven"])
    return f"{capsys.readouterr().out} code {code}"


@pytest.mark.parametrize("rename", [of_file, of_case])
def test_a_fall_after_a_rename_is_proven_as_before_it(
    fallen: Path, capsys: pytest.CaptureFixture[str], rename: Callable[[Path], None]
) -> None:
    rename(fallen)
    assert run_command(["baseline", "move"]) == 0
    said = run_at(4, capsys)
    assert "8/8 → 0/4" in said and said.endswith("code 1")


def test_so_do_failures_under_the_old_name_and_passes_under_one_that_it_never_had_do_not(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_case(root)
    run_at(2, capsys)
    (root / OLD).write_text((root / OLD).read_text().replace("renamed", "gs-000"))
    edit(root)
    simulate(monkeypatch).rate = failing("gs-000", "renamed")
    assert "8/8 → 0/1" in run_at(1, capsys)
    of_case(root)
    of_file(root)
    assert run_command(["baseline", "move"]) == 0
    assert "8/8 → 0/2" in run_at(1, capsys)


def test_what_failed_under_the_new_name_before_the_move_counts_for_the_baseline(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what ran under it before the pin does not, as of an older case that was called so."""
    of_case(root)
    run_at(3, capsys)
    (root / OLD).write_text((root / OLD).read_text().replace("renamed", "gs-000"))
    run_at(1, capsys)
    assert run_command(["baseline", "unpin"]) == 0
    assert run_command(["baseline", "pin", "--trials", "5", "--yes"]) == 0
    of_case(root)
    simulate(monkeypatch).rate = failing("renamed")
    run_at(6, capsys)
    assert run_command(["baseline", "move"]) == 0
    edit(root)
    said = run_at(4, capsys)
    assert "5/11 → 0/4" in said and said.endswith("code 0")


def test_what_is_moved_and_did_not_run_since_is_no_good_difference(
    fallen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_at(4, capsys)
    of_case(fallen)
    assert run_command(["baseline", "move"]) == 0
    capsys.readouterr()
    assert run_command(["baseline", "diff"]) == 2
    said = capsys.readouterr()
    assert "1 pinned case of `mine` has no result yet and was not compared" in said.err
    assert f"{OLD}::renamed" in said.err and "No case changed" not in said.out
    run_at(1, capsys)
    assert run_command(["baseline", "diff"]) == 1
    assert "8/8 → 0/5" in capsys.readouterr().out


def test_a_second_move_keeps_them_and_one_back_does(
    fallen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rename in of_case, of_file, lambda root: (root / NEW).rename(root / OLD):
        rename(fallen)
        assert run_command(["baseline", "move"]) == 0
    path = fallen / OLD
    path.write_text(path.read_text().replace("renamed", "gs-000"))
    assert run_command(["baseline", "move"]) == 0
    assert "8/8 → 0/4" in run_at(4, capsys)


@pytest.mark.parametrize("name", ["default", "another"])
@pytest.mark.parametrize("is_pinned_between", [False, True])
def test_a_pin_anew_after_the_move_keeps_what_other_inputs_did_under_the_old_name(
    fallen: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    *,
    is_pinned_between: bool,
) -> None:
    """Also one of another name, and one that comes after a pin of those other inputs."""
    assert "8/8 → 0/4" in run_at(4, capsys)
    of_case(fallen)
    of_file(fallen)
    assert run_command(["baseline", "move"]) == 0
    if is_pinned_between:
        run_at(1, capsys)
        assert run_command(["baseline", "pin"]) == 0
    edit_back(fallen)
    simulate(monkeypatch)
    assert run_command(["baseline", "pin", "--trials", "8", "--yes", "--name", name]) == 0
    edit(fallen)
    simulate(monkeypatch).rate = failing("renamed")
    capsys.readouterr()
    run_command(["run", "--baseline", name])
    passes = 16 if name == "default" and not is_pinned_between else 8
    failures = 6 if is_pinned_between else 5
    assert f"{passes}/{passes} → 0/{failures}" in capsys.readouterr().out


async def test_the_dashboard_moves_them_and_back_and_a_pin_anew_keeps_them(root: Path) -> None:
    of_file(root)
    old, new = CaseKey(OLD, "gs-000"), CaseKey(NEW, "gs-000")
    async with opened(root) as (session, ear):
        agent = session.agents[0]
        await session.evidence(agent).load()

        async def until(key: CaseKey, baseline: Trials) -> None:
            sides = TwoSides(baseline)
            rows = session.store.board(agent).rows
            await ear.until(lambda: (one := rows[key].proof) is not None and one.sides == sides)

        session.baselines.find_left_behind(session.project)
        await session.baselines.move(agent, session.baselines.moved_cases(agent))
        await session.run(all_keys(session))
        await until(new, Trials(9, 0))
        await session.baselines.pin(all_keys(session), agent)
        await session.run(all_keys(session))
        await until(new, Trials(10, 0))
        (root / NEW).rename(root / OLD)
    async with opened(root) as (session, ear):
        await session.evidence(agent).load()
        session.baselines.find_left_behind(session.project)
        await session.baselines.move(agent, session.baselines.moved_cases(agent))
        await until(old, Trials(10, 0))
        session.undo.undo()
        assert session.baselines.detail(old, agent) is None
        session.undo.redo()
        await until(old, Trials(10, 0))


def edit_message(root: Path) -> None:
    path = root / OLD
    path.write_text(path.read_text().replace('"message": "find_order"', '"message": "order?"'))


def test_a_case_that_is_edited_and_then_renamed_is_found_by_what_ran_last(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a rename would make a proven regression a new case."""
    edit_message(root)
    simulate(monkeypatch).rate = failing("gs-000", "renamed")
    assert run_at(4, capsys).endswith("code 1")
    of_case(root)
    assert run_at(1, capsys).endswith("code 2")
    assert run_command(["baseline", "move"]) == 0
    assert f"{OLD}::gs-000  {OLD}::renamed" in capsys.readouterr().out
    said = run_at(1, capsys)
    assert "8/8 → 0/6" in said and said.endswith("code 1")
