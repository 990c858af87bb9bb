"""Settings that no judge can be made of never mean another one: nothing runs until they can."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.agent import Agent
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import MissingSecretError, UserError
from evaltui.core.events import ProjectRead
from tests.session.test_rubrics import KEY, SETTINGS, FakeJudge, project, result_of, watching
from tests.session.test_session import AGENT, opened
from tests.workspaces import write_config, write_workspace


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    """Made of a profile as it is in `SETTINGS` only."""
    fake = FakeJudge()

    def made(_: Config, profile: AgentProfile, **__: Any) -> Agent:
        if "no_key" in profile.options:
            raise MissingSecretError("`KEY` is not set.", "Set it.")
        if profile.options != {"model": "m"}:
            raise UserError("There is no such option.", "Correct it.")
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


@pytest.mark.parametrize(
    "broken",
    [
        SETTINGS.replace("model", "modle"),
        SETTINGS + "[judge.person]\nmodel = 'p'\n",
        SETTINGS + "votes = 'many'\n",
        SETTINGS.replace("[judge]", "[judge]\nagent = 'nobody'"),
    ],
    ids=["an option", "the table of who plays users", "its votes", "its agent"],
)
async def test_a_judge_that_is_misspelt_judges_nothing_and_nothing_is_paid_again(
    tmp_path: Path, judge: FakeJudge, broken: str
) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        before, asked = result_of(session), len(judge.asked)
        (tmp_path / "evaltui.toml").write_text(broken)
        await ear.until(lambda: bool(ear.all(ProjectRead)))
        assert session.why_not_run.startswith("the settings cannot be used (evaltui.toml")
        assert any(one.key.startswith("judge") for one in session.store.problems.mistakes)
        with pytest.raises(UserError, match="cannot be used"):
            await session.run([KEY])
        session.watch_loop.pause()
        session.watch_loop.resume()
        (tmp_path / "evaltui.toml").write_text(SETTINGS)
        await ear.until(lambda: not (session.why_not_run or session.requests.due_keys(AGENT)))
        session.watch_loop.pause()
        session.watch_loop.resume()
        assert not session.is_running
        assert (result_of(session), len(judge.asked)) == (before, asked)


async def test_a_secret_that_is_not_set_here_leaves_the_rest_to_run(
    tmp_path: Path, judge: FakeJudge
) -> None:
    async with watching(project(tmp_path, SETTINGS + "no_key = true\n")) as (session, _):
        assert session.why_not_run == ""
        assert judge.asked == []


async def test_in_a_workspace_of_evalstudio_it_is_told_where_that_names_who_judges(
    tmp_path: Path, judge: FakeJudge
) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, llmSettings={"provider": "openai", "apiKey": "k"})
    async with opened(tmp_path) as (session, _):
        assert session.why_not_run.startswith("the settings cannot be used (evalstudio.config.json")
        assert judge.asked == []
