"""Repeated cases along the whole line: rates are pinned, compared and read from disk again."""

from pathlib import Path

from evaltui.core.events import RunFinished
from evaltui.core.result import CaseResult, CaseStatus
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import Ear, all_keys, opened, written_by

FUNCTION = """
from pathlib import Path

PLACE = Path(__file__).with_name("state")

def answer(message):
    asked, good = map(int, PLACE.read_text().split())
    PLACE.write_text(f"{asked + 1} {good}")
    calls = [{"name": "find_order", "params": {}, "success": True}] if asked < good else []
    return {"response": "done", "toolCalls": calls}
"""
TRIALS = 12


def project(root: Path) -> Path:
    make_project(root)
    for file in (root / "evals").iterdir():
        file.unlink()
    write_suite(root, "find_order", ORDERS[:1])
    (root / "mine.py").write_text(FUNCTION)
    (root / "evaltui.toml").write_text(
        'agent = "mine"\n[agents.mine]\ntype = "python"\nfunction = "mine.py:answer"\n'
    )
    return root


async def passing(root: Path, good: int, *, pin: bool = False) -> tuple[CaseResult, RunFinished]:
    """Run the case twelve times in a session of its own, so often with success."""
    (root / "state").write_text(f"0 {good}")
    async with opened(root) as (session, ear):
        await session.run(all_keys(session), trials=TRIALS)
        if pin:
            await session.baselines.pin(all_keys(session), "mine")
        run = _last(ear)
    (case,) = run.suites[0].cases
    return case, run


def _last(ear: Ear) -> RunFinished:
    return ear.runs()[-1]


async def test_what_passed_every_time_has_fallen_once_one_of_its_trials_fails(
    tmp_path: Path,
) -> None:
    project(tmp_path)
    pinned, _ = await passing(tmp_path, TRIALS, pin=True)
    assert (pinned.passes, pinned.trials, pinned.status) == (12, 12, CaseStatus.PASSED)
    slipped, run = await passing(tmp_path, 11)
    assert (slipped.passes, slipped.trials, slipped.status) == (11, 12, CaseStatus.FAILED)
    assert run.suites[0].regressions == ("gs-find-order-001",)
    written = written_by(run)
    assert written["regressions"] == ["gs-find-order-001"]
    (entry,) = written["cases"]
    assert (entry["passes"], entry["trials"]) == (11, 12)
    _, run = await passing(tmp_path, TRIALS)
    assert run.suites[0].regressions == ()


async def test_a_rate_that_rises_beyond_doubt_is_a_new_pass_once_every_trial_passes(
    tmp_path: Path,
) -> None:
    project(tmp_path)
    await passing(tmp_path, 1, pin=True)
    better, run = await passing(tmp_path, 11)
    assert better.status is CaseStatus.FAILED, "one attempt failed"
    assert (run.suites[0].regressions, run.suites[0].new_passes) == ((), ())
    _, run = await passing(tmp_path, TRIALS)
    assert run.suites[0].new_passes == ("gs-find-order-001",)


async def test_a_rise_that_may_be_chance_is_no_new_pass(tmp_path: Path) -> None:
    project(tmp_path)
    await passing(tmp_path, 11, pin=True)
    _, run = await passing(tmp_path, TRIALS)
    assert run.suites[0].new_passes == ()


async def test_a_single_run_is_compared_by_its_verdict(tmp_path: Path) -> None:
    project(tmp_path)
    await passing(tmp_path, TRIALS, pin=True)
    (tmp_path / "state").write_text("0 0")
    async with opened(tmp_path) as (session, ear):
        await session.run(all_keys(session))
        assert _last(ear).suites[0].regressions == ("gs-find-order-001",)
