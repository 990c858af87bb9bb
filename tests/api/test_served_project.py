"""The project that is served is read again once something changed, however soon."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.api import served_project
from evaltui.api.served_project import ServedProject
from evaltui.project import read_project
from tests.api.served import RAIN, write


async def test_what_is_written_while_it_is_read_is_known_the_next_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = iter(("evals/b.scenario.json", "evals/c.scenario.json"))
    served, readings = ServedProject(root, {}), list[int]()

    def reading(*given: Any) -> Any:
        project = read_project(*given)
        readings.append(len(project.suites))
        if file := next(late, ""):
            write(root, file, RAIN)
        return project

    monkeypatch.setattr(served_project, "read_project", reading)
    found = [len((await served.read()).suites) for _ in range(6)]
    await served.close()
    first = found[0]
    assert found == [first, first + 1, *[first + 2] * 4]
    assert len(readings) <= 4  # once nothing changes, nothing is read
