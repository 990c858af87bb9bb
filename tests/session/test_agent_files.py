"""Results belong to the files that an agent was made of, as far as they were known."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.staleness import Degree
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import Simulated, simulate, simulated_project


@pytest.mark.parametrize(
    ("content", "former", "stale"),
    [
        ("then", "", None),
        ("now", "", (Degree.AFFECTED, ("files of the agent changed",))),
        ("now", "other", (Degree.AFFECTED, ("files of the agent changed",))),
        ("now", "then", (Degree.POSSIBLY, ("not all files of the agent were known",))),
    ],
)
async def test_a_result_that_tells_of_fewer_files_is_never_asked_again_by_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str,
    former: str,
    stale: tuple[Degree, tuple[str, ...]] | None,
) -> None:
    """As earlier versions made it: whether it is of these files nobody knows."""
    simulate(monkeypatch)
    root, own, made_of = simulated_project(tmp_path, 1), Simulated.__init__, ("then", "")

    def init(self: Simulated, *args: Any) -> None:
        own(self, *args)
        self.content, self.former_content = made_of

    monkeypatch.setattr(Simulated, "__init__", init)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    made_of = content, former
    async with opened(root) as (session, _):
        cases = session._queues.by_name["mine"].due.cases
        assert [(case.degree, case.reasons) for case in cases] == ([stale] if stale else [])
