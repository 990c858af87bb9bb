"""A model that judges may judge otherwise the next time, whoever answers: its cases take trials."""

from pathlib import Path

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.response import AgentResponse
from tests.project.commits.test_tools_at import git
from tests.projects import with_description, write_tools
from tests.scenarios.judges import says
from tests.session.test_rubrics import KEY, FakeJudge, project
from tests.session.test_rubrics import judge as judging
from tests.session.test_session import AGENT, all_keys, opened

judge = judging


async def test_a_coin_flip_of_the_judge_is_no_proof(
    tmp_path: Path, judge: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def respond(self: FakeJudge, request: AgentRequest) -> AgentResponse:
        self.asked.append(request)
        return AgentResponse(says(len(self.asked) % 2))

    monkeypatch.setattr(FakeJudge, "respond", respond)
    root = project(tmp_path)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")
    write_tools(root, with_description("find_order", "Looks up an order, or a parcel, by number."))
    async with opened(root, trust=True) as (session, _):
        plan = await session.ab.plan("HEAD", AGENT, all_keys(session), seed=1)
        assert plan.varying == (KEY,) and len(plan.keys) > 1
        report = await session.ab.run(plan)
        assert session.ab.estimate(plan).cases == plan.calls == report.calls
    sides = {key: pair.sides for key, pair in report.pairs.items()}
    assert sides[KEY].baseline.count == sides[KEY].now.count == 5
    assert {two.now.count for key, two in sides.items() if key != KEY} == {1}
    assert KEY not in report.worse
    assert len(judge.asked) == 10
