"""A file or case that is renamed leaves its baseline behind: that is said, and it can be moved."""

import asyncio
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.events import ProjectChecked
from evaltui.project.left_behind import CODE
from tests.driver import Driver
from tests.sample_project import FIND_ORDER, Line, at_the_line, copy_samples
from tests.session.test_session import opened

NEW_FILE = "evals/orders.golden.json"
CASE, NEW_ID = "gs-find-order-002", "gs-find-order-renamed"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return copy_samples(tmp_path / "samples")


def rename_file(root: Path) -> None:
    (root / FIND_ORDER).rename(root / NEW_FILE)


def rename_case(root: Path) -> None:
    path = root / FIND_ORDER
    path.write_text(path.read_text().replace(f'"{CASE}"', f'"{NEW_ID}"'))


def said(line: Line) -> list[str]:
    return [one.what for one in line.session.store.problems.reported if one.code == CODE]


def check(root: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run_command(["check", "-C", str(root)]) == 0
    return capsys.readouterr().out


async def move(driver: Driver) -> None:
    await driver.press("B", "m")


async def test_a_renamed_case_is_told_moved_and_moved_back(samples: Path) -> None:
    old, new = CaseKey(FIND_ORDER, CASE), CaseKey(FIND_ORDER, NEW_ID)
    async with at_the_line(samples) as line:
        pins = line.session.baselines
        agent = line.session.agents[0]
        rename_case(samples)
        await line.until(lambda: bool(said(line)))
        assert said(line) == [f"The baseline of `{NEW_ID}` is left behind under `{CASE}`"]
        assert line.row(NEW_ID).baseline is None
        await move(line.driver)
        await line.until(lambda: line.row(NEW_ID).baseline is not None)
        await line.until(lambda: not said(line))
        assert pins.detail(new, agent) is not None and pins.detail(old, agent) is None
        await line.driver.press("z")
        await line.until(lambda: line.row(NEW_ID).baseline is None)
        await line.until(lambda: bool(said(line)))
        assert pins.detail(old, agent) is not None and pins.detail(new, agent) is None


@pytest.mark.slow
async def test_a_renamed_file_is_told_and_all_of_its_baseline_moves(samples: Path) -> None:
    async with at_the_line(samples) as line:
        pinned = {r.key.case for r in line.board.rows.values() if r.baseline is not None}
        rename_file(samples)
        await line.until(lambda: bool(said(line)))
        assert said(line) == [f"The baseline of 4 cases is left behind under `{FIND_ORDER}`"]
        await move(line.driver)
        await line.until(lambda: not said(line))
        now = {row.key.case for row in line.board.rows.values() if row.baseline is not None}
        assert now == pinned


def test_check_tells_it_and_the_command_moves_it(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "left behind" not in check(samples, capsys)
    rename_file(samples)
    rename_case_in_new = (samples / NEW_FILE).read_text().replace(f'"{CASE}"', f'"{NEW_ID}"')
    (samples / NEW_FILE).write_text(rename_case_in_new)
    told = check(samples, capsys)
    assert f"The baseline of 4 cases is left behind under `{FIND_ORDER}`" in told
    assert "`evaltui baseline move`" in told
    assert run_command(["baseline", "move", "-C", str(samples)]) == 0
    moved = capsys.readouterr().out
    assert f"{FIND_ORDER}::{CASE}  {NEW_FILE}::{NEW_ID}" in moved
    assert moved.count("moved") == 4
    assert "left behind" not in check(samples, capsys)
    assert run_command(["baseline", "move", "-C", str(samples)]) == 0
    assert "Nothing is left behind" in capsys.readouterr().out


@pytest.mark.parametrize("wanted", [None, "release"])
async def test_check_and_the_dashboard_look_at_the_baseline_in_force(
    samples: Path, capsys: pytest.CaptureFixture[str], wanted: str | None
) -> None:
    """The case has its old name in the default baseline, and the new one in that of the release."""
    rename_case(samples)
    chosen = {"baseline": wanted} if wanted else {}
    flags = [part for name, value in chosen.items() for part in (f"--{name}", value)]
    for command in ["run"], ["baseline", "pin", "--name", "release"], ["check", *flags]:
        capsys.readouterr()
        await asyncio.to_thread(run_command, [*command, "-C", str(samples)])
    told = [line for line in capsys.readouterr().out.splitlines() if "left behind" in line]
    assert len(told) == (0 if wanted else 1)
    async with opened(samples, **chosen) as (session, ear):
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        found = [one for one in session.store.problems.reported if one.code == CODE]
        assert [f"⚠ warning   {one}" for one in found] == told
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def test_a_deleted_case_and_a_file_that_is_left_out_leave_nothing_behind(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (samples / "evals" / "check_stock.golden.json").unlink()
    assert "left behind" not in check(samples, capsys)
    assert run_command(["check", "-C", str(samples), FIND_ORDER]) == 0
    assert "left behind" not in capsys.readouterr().out


@pytest.mark.slow
async def test_a_file_that_is_broken_for_a_moment_is_not_renamed(samples: Path) -> None:
    async with at_the_line(samples) as line:
        text = line.read(FIND_ORDER)
        line.save(FIND_ORDER, text[: len(text) // 2])
        await line.until(lambda: bool(line.session.store.problems.reported))
        line.save("evals/copy.golden.json", text)
        await line.until(lambda: CaseKey("evals/copy.golden.json", CASE) in line.board.rows)
        await asyncio.to_thread(line.session.baselines.find_left_behind, line.session.project)
        assert not said(line)


def test_a_file_that_cannot_be_read_keeps_its_baseline(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (samples / FIND_ORDER).read_text()
    (samples / FIND_ORDER).write_text(text[: len(text) // 2])
    (samples / "evals" / "copy.golden.json").write_text(text)
    assert run_command(["check", "-C", str(samples)]) == 2
    assert "left behind" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("gates", "code"),
    [(["proven"], 2), (["changed"], 2), (["failures", "proven"], 1), (["never"], 0)],
)
def test_a_run_tells_it_and_a_gate_that_could_not_compare_is_no_success(
    samples: Path, capsys: pytest.CaptureFixture[str], gates: list[str], code: int
) -> None:
    rename_file(samples)
    flags = [part for gate in gates for part in ("--fail-on", gate)]
    assert run_command(["run", "-C", str(samples), *flags]) == code
    told = capsys.readouterr().err
    assert f"The baseline of 4 cases is left behind under `{FIND_ORDER}`" in told
    assert "`evaltui baseline move`" in told


def test_cases_that_did_not_run_are_none_of_a_gates_business(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rename_file(samples)
    other = "evals/check_stock.golden.json"
    assert run_command(["run", "-C", str(samples), other, "--fail-on", "proven"]) == 0
    assert "left behind" not in capsys.readouterr().err


def test_a_comparison_with_the_baseline_tells_it_and_is_no_success(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, diff = (["run", "--fail-on", "never"], ["baseline", "diff"])
    place, other = ("-C", str(samples)), "evals/check_stock.golden.json"
    assert run_command([*run, *place]) == 0
    rename_file(samples)
    capsys.readouterr()
    assert run_command([*diff, *place]) == 2
    told = capsys.readouterr()
    assert f"The baseline of 4 cases is left behind under `{FIND_ORDER}`" in told.err
    assert "No case changed" not in told.out
    assert run_command([*diff, *place, other]) == 0, "no case of this file was renamed"
    assert run_command(["baseline", "move", *place]) == 0
    assert run_command([*run, *place]) == 0
    assert run_command([*diff, *place]) == 0
