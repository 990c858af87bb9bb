"""A result is newer than those before it, whatever the clock says."""

import time
from pathlib import Path

import pytest

from evaltui.core.result import CaseStatus
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.projects import write_suite, write_tools
from tests.session.test_session import all_keys

TOOLS = [{"name": "find_order", "description": "Finds an order by its number.", "parameters": {}}]
P, F = CaseStatus.PASSED, CaseStatus.FAILED


def project(root: Path, *, expects: str) -> None:
    write_tools(root, TOOLS)
    asked = {"message": "Find the order by its number"}
    cases = [
        {"id": f"gs-{n}", "input": asked, "expect": {expects: ["find_order"]}} for n in range(2)
    ]
    write_suite(root, "find_order", cases)


async def statuses(root: Path, seconds: float) -> set[CaseStatus]:
    """What a run says, and the history after it, where the clock stands so far ahead."""
    session = Session(load_config(root).config, clock=lambda: time.time() + seconds)
    await session.open()
    try:
        finished = await session.run(all_keys(session))
        said = {case.status for run in finished for suite in run.suites for case in suite.cases}
        known = session.history.last_results(session.agents[0]).results
        return said | {result.status for result in known}
    finally:
        await session.close()


@pytest.mark.parametrize("back_s", [2.0, 86_400.0])
async def test_a_failure_stays_one_where_the_clock_was_set_back(
    tmp_path: Path, back_s: float
) -> None:
    project(tmp_path, expects="toolsCalled")
    assert await statuses(tmp_path, 0) == {P}
    project(tmp_path, expects="toolsNotCalled")
    assert await statuses(tmp_path, -back_s) == {F}
    assert await statuses(tmp_path, -back_s) == {F}


async def test_result_files_of_a_clock_ahead_hide_no_failure(tmp_path: Path) -> None:
    project(tmp_path, expects="toolsCalled")
    assert await statuses(tmp_path, 3_600) == {P}
    (tmp_path / ".evaltui").rename(tmp_path / "gone")
    project(tmp_path, expects="toolsNotCalled")
    assert await statuses(tmp_path, 0) == {F}
    assert await newest(tmp_path) < time.time() + 60, "nor does it go on ahead"


async def newest(root: Path) -> float:
    session = Session(load_config(root).config)
    await session.open()
    try:
        return session.history.newest_at()
    finally:
        await session.close()
