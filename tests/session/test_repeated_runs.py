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


async def test_baselines_compare_rates_when_there_are_trials(tmp_path: Path) -> None:
    project(tmp_path)
    pinned, _ = await passing(tmp_path, TRIALS, pin=True)
    assert (pinned.passes, pinned.trials, pinned.status) == (12, 12, CaseStatus.PASSED)
    flaky, run = await passing(tmp_path, 10)
    assert (flaky.passes, flaky.trials, flaky.status) == (10, 12, CaseStatus.FAILED)
    assert run.suites[0].regressions == (), "10 of 12 may well be what 12 of 12 were"
    broken, run = await passing(tmp_path, 2)
    assert broken.passes == 2
    assert run.suites[0].regressions == ("gs-find-order-001",)
    written = written_by(run)
    assert written["regressions"] == ["gs-find-order-001"]
    (entry,) = written["cases"]
    assert (entry["passes"], entry["trials"]) == (2, 12)


async def test_a_rate_that_rises_beyond_doubt_is_a_new_pass(tmp_path: Path) -> None:
    project(tmp_path)
    await passing(tmp_path, 1, pin=True)
    _, run = await passing(tmp_path, 3)
    assert (run.suites[0].regressions, run.suites[0].new_passes) == ((), ())
    better, run = await passing(tmp_path, 11)
    assert better.status is CaseStatus.FAILED, "one attempt failed"
    assert run.suites[0].new_passes == ("gs-find-order-001",)


async def test_a_single_run_is_compared_by_its_verdict(tmp_path: Path) -> None:
    project(tmp_path)
    await passing(tmp_path, TRIALS, pin=True)
    (tmp_path / "state").write_text("0 0")
    async with opened(tmp_path) as (session, ear):
        await session.run(all_keys(session))
        assert _last(ear).suites[0].regressions == ("gs-find-order-001",)
