"""Looking for other processes: what goes wrong with it is said, once, and it goes on."""

from pathlib import Path

import pytest

from evaltui.core.events import ProblemFound
from evaltui.session import other_processes
from evaltui.session.who_runs import WhoRuns
from tests.projects import make_project
from tests.session.test_session import opened
from tests.session.test_two_dashboards import until


async def test_what_goes_wrong_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def fail(_: WhoRuns) -> bool:
        looks.append("looked")
        raise OSError("the folder cannot be read")

    monkeypatch.setattr(other_processes, "LOOK_S", 0.0)
    monkeypatch.setattr(WhoRuns, "claim", fail)
    async with opened(make_project(tmp_path)) as (session, ear):
        session._others.begin()
        await until(lambda: len(looks) > 3)
        (told,) = ear.all(ProblemFound)
        assert isinstance(told, ProblemFound)
        assert told.problem.what == "the folder cannot be read"
        assert told.problem.code == "other-processes"
