"""Agents are exchanged when what they are made of changes, and closed when they are gone."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from evaltui.agents.metered import MeteredAgent
from evaltui.agents.recordings.recorded_agents import RecordedAgent
from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.asked import AgentTraits
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import MissingSecretError, UserError
from evaltui.core.key_path import KeyPath
from evaltui.core.spent import Spent
from evaltui.net.secret_sources import ENV_FILE
from evaltui.project import JUDGE_TABLE, gate
from evaltui.session import agent_queues
from evaltui.session.agent_queues import AgentQueues, _baseline_problem
from evaltui.session.baselines import Baselines
from evaltui.session.event_bus import EventBus
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.judges import Judges
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.undo import UndoStack
from evaltui.store.store import Store
from tests.projects import make_project


class Made(Agent):
    traits = AgentTraits(is_free=True)

    def __init__(self, name: str, print_: str) -> None:
        self.name, self.fingerprint = name, print_
        self.is_closed = False
        self.traits = AgentTraits(is_deterministic=name != "sampled")

    async def close(self) -> None:
        self.is_closed = True


class Workshop:
    """Makes agents by their profiles: `url` is what answers depend on; `broken` cannot be made."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[Made] = []
        self.awaited = frozenset[Path]()
        monkeypatch.setattr(gate, "make_agent", self._make)
        self.state = ProjectState(Config(root), {}, (), EventBus(Store()))
        judge, baselines = JudgeInForce(self.state), Baselines(self.state, UndoStack())
        spending = Spending(self.state, judge)
        judges = Judges(self.state, judge, spending)
        self.queues = AgentQueues(self.state, spending, baselines, judges)

    def _make(self, _type: str, name: str, options: dict[str, str], **_: object) -> Agent:
        if name == "broken":
            raise UserError("it has no key", "Set one.")
        self.made.append(Made(name, options.get("url", "")))
        self.made[-1].awaited = self.awaited
        return self.made[-1]

    async def update(self, *profiles: AgentProfile, is_strict: bool = False, **more: str) -> bool:
        self.state.settings.config = replace(self.state.config, agents=profiles, **more)
        return await self.queues.update(is_strict=is_strict)

    def open_agents(self) -> list[str]:
        return [one.name for one in self.made if not one.is_closed]


def profile(name: str, url: str = "a", max_cost_usd: float | None = None) -> AgentProfile:
    return AgentProfile(name, "http", {"url": url}, max_cost_usd=max_cost_usd)


@pytest.fixture
async def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Workshop]:
    made = Workshop(make_project(tmp_path), monkeypatch)
    await made.state.open()
    yield made
    await made.queues.close()
    await made.state.close()


async def test_an_agent_that_is_the_same_keeps_its_queue(shop: Workshop) -> None:
    assert await shop.update(profile("one"), profile("two"))
    before = dict(shop.queues.by_name)
    assert not await shop.update(profile("one"), profile("two"))
    assert shop.queues.by_name == before
    assert shop.open_agents() == ["one", "two"]
    assert [one.is_closed for one in shop.made] == [False, False, True, True]


async def test_one_that_would_answer_otherwise_takes_its_place(shop: Workshop) -> None:
    await shop.update(profile("one"), profile("two"))
    before = dict(shop.queues.by_name)
    assert await shop.update(profile("one", "b"), profile("two"))
    assert shop.queues.by_name["one"] is not before["one"]
    assert shop.queues.by_name["two"] is before["two"]
    assert [one.is_closed for one in shop.made] == [True, False, False, True]


async def test_one_that_is_gone_is_closed_and_one_that_comes_is_made(shop: Workshop) -> None:
    await shop.update(profile("one"))
    assert await shop.update(profile("one"), profile("two"))
    assert await shop.update(profile("two"))
    assert list(shop.queues.by_name) == ["two"]
    assert shop.open_agents() == ["two"]


async def test_the_order_is_that_of_the_settings(shop: Workshop) -> None:
    await shop.update(profile("one"), profile("two"))
    await shop.update(profile("two"), profile("one"))
    assert list(shop.queues.by_name) == ["two", "one"]
    assert [queue.agent.name for queue in shop.queues.chosen(["one", "three"])] == ["one"]
    assert len(shop.queues.chosen(None)) == 2


async def test_what_cannot_be_made_is_a_problem_or_strictly_an_error(shop: Workshop) -> None:
    await shop.update(profile("broken"), profile("one"))
    assert list(shop.queues.by_name) == ["one"]
    (problem,) = shop.state.agent_problems
    assert "it has no key" in problem.what
    await shop.update(profile("one"))
    assert shop.state.agent_problems == ()
    with pytest.raises(UserError, match="it has no key"):
        await shop.update(profile("broken"), profile("one"), is_strict=True)


async def test_agents_that_may_answer_otherwise_the_next_time_are_named(shop: Workshop) -> None:
    await shop.update(profile("one"), profile("sampled"))
    assert shop.state.sampled_agents == ("sampled",)
    assert shop.state.agents == ("one", "sampled")


@pytest.mark.parametrize("mode", ["off", "record", "replay", "auto"])
async def test_only_with_recordings_an_agent_is_recorded(shop: Workshop, mode: str) -> None:
    embedded = AgentProfile("inside", "embedded")
    await shop.update(profile("one"), embedded, recordings=mode)
    kinds = [type(queue.agent) for queue in shop.queues.by_name.values()]
    assert kinds == [MeteredAgent if mode == "off" else RecordedAgent, Made]


async def test_what_is_answered_from_a_recording_is_not_counted(shop: Workshop) -> None:
    await shop.update(profile("one"), recordings="auto")
    (queue,) = shop.queues.by_name.values()
    assert isinstance(queue.agent, RecordedAgent)
    assert isinstance(queue.agent.agent, MeteredAgent), "the meter is behind the recording"


async def test_what_an_interrupted_run_spent_is_of_its_agent_while_that_is_asked_here(
    shop: Workshop,
) -> None:
    await shop.update(profile("one", max_cost_usd=1.0), profile("two"))
    budgets = shop.queues._spending.budgets
    shop.queues.take_over("one", Spent(0.75))
    assert budgets.budget("one").left_usd == 0.25
    assert budgets.budget("two").spent_usd == 0.0
    shop.queues.take_over("one of before", Spent(2.0))
    shop.queues.take_over(ALL_JUDGING, Spent(0.5))
    assert budgets.budget("one").left_usd == 0.25, "by others"
    assert budgets.of_judging.usd == 0.5
    around = budgets.budget("two").chain()[-1]
    assert around.spent_usd == 2.75, "all within the one limit; judging is paid by who is judged"


async def test_variables_in_settings_are_followed_where_they_are_written(
    shop: Workshop, tmp_path: Path
) -> None:
    written = tmp_path / ENV_FILE
    await shop.update(profile("one"))
    assert shop.queues.concerned_by([written]) == set()
    await shop.update(profile("one"), profile("two", "${HOST}"))
    assert shop.queues.concerned_by([written, tmp_path / "another"]) == {written}


async def test_an_agent_that_is_the_same_waits_for_the_files_of_now(shop: Workshop) -> None:
    await shop.update(profile("one"))
    shop.awaited = frozenset({Path("models")})
    assert not await shop.update(profile("one"))
    assert shop.queues.watched >= shop.awaited
    assert shop.queues.concerned_by([Path("models"), Path("models/a"), Path("b/a")]) == {
        Path("models"),
        Path("models/a"),
    }


async def test_agents_are_chosen_by_name(shop: Workshop) -> None:
    await shop.update(profile("one"), profile("two"))
    one, two = shop.queues.by_name.values()
    chosen = [shop.queues.chosen(names) for names in (None, ["two"], ["two", "one"], ())]
    assert chosen == [[one, two], [two], [one, two], []]
    assert not shop.queues.is_busy


async def test_what_cannot_be_made_while_watching_is_a_problem_and_no_end(shop: Workshop) -> None:
    config = replace(shop.state.config, agents=(profile("broken"), profile("one")))
    shop.state.settings.config = config
    assert await shop.queues.update()
    assert [one.what for one in shop.state.agent_problems] != []
    assert [*shop.queues.by_name] == ["one"]


async def test_a_baseline_that_is_not_there_is_told_at_its_place_in_the_settings(
    shop: Workshop,
) -> None:
    error = UserError("There is no baseline `x`.", "Name another one.")
    told = _baseline_problem(shop.state.config, error)
    assert (told.file, told.line, told.what) == ("", 0, error.what)
    (shop.state.config.root / "evaltui.toml").write_text('agent = "one"\nbaseline_run_id = "x"\n')
    told = _baseline_problem(replace(shop.state.config, file="evaltui.toml"), error)
    assert (told.file, told.line, told.key) == ("evaltui.toml", 2, "baseline_run_id")
    assert (told.what, told.hint, told.code) == (error.what, error.hint, "baseline")


async def test_a_judge_that_cannot_be_made_is_a_problem_beside_those_of_agents(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    why: dict[KeyPath, UserError] = {JUDGE_TABLE: UserError("it has no model", "Name one.")}
    monkeypatch.setattr(shop.queues._judges, "update", lambda *_, **__: why)
    await shop.update(profile("broken"), profile("one"))
    told = [one.what for one in shop.state.agent_problems]
    assert len(told) == 2 and any("it has no model" in what for what in told)
    assert shop.state.unmade_judge
    why[JUDGE_TABLE] = MissingSecretError("its key is not set", "Set it.")
    await shop.update(profile("one"))
    assert not shop.state.unmade_judge, "it is only missing here"


async def test_a_run_that_breaks_off_leaves_no_other_behind(shop: Workshop) -> None:
    class Fails:
        async def execute(self, _request: object) -> None:
            raise ValueError("it broke off")

    class Waits:
        is_over = False

        async def execute(self, _request: object) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                self.is_over = True

    waiting = Waits()
    with pytest.raises(ValueError, match="it broke off"):
        await shop.queues.execute(cast("Any", {Fails(): None, waiting: None}))
    assert waiting.is_over


async def test_secrets_have_to_be_there_where_nobody_says_otherwise(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_lack: list[bool] = []

    def made(*_: object, may_lack_secrets: bool) -> Agent:
        may_lack.append(may_lack_secrets)
        return Made("one", "a")

    monkeypatch.setattr(agent_queues, "trusted_agent", made)
    await shop.update(profile("one"))
    await shop.queues.update(may_lack_secrets=True)
    assert may_lack == [False, True]


async def test_why_an_agent_cannot_be_asked_is_known_once_its_settings_were_tried(
    shop: Workshop,
) -> None:
    assert shop.queues.why_not_ask("broken") == "", "nobody tried yet"
    await shop.update(profile("broken"), profile("one"))
    assert shop.queues.why_not_ask("broken") == "its settings cannot be used: 4 says why"
    assert shop.queues.why_not_ask("one") == ""


async def test_what_is_due_of_an_agent_that_a_save_added_is_the_doing_of_that_save(
    shop: Workshop,
) -> None:
    await shop.update(profile("one"))
    await shop.update(profile("one"), profile("two"))
    opened = {name: queue.due.is_opened for name, queue in shop.queues.by_name.items()}
    assert opened == {"one": False, "two": True}
