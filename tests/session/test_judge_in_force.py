"""What judging costs by the judge in force, and which recordings it is played from."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.agents.recordings.recorder import Recorder
from evaltui.core.agent import Agent
from evaltui.core.agent_name import JUDGE
from evaltui.core.asked import AgentTraits
from evaltui.core.config import Config
from evaltui.core.errors import MissingSecretError, UserError
from evaltui.session import judge_in_force as module
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.project_state import ProjectState


def judge(traits: AgentTraits | None, mode: str = "") -> JudgeInForce:
    state = SimpleNamespace(untrusted=(), config=Config(Path()))
    made = JudgeInForce(cast("ProjectState", state))
    recorder = cast("Recorder", SimpleNamespace(mode=mode)) if mode else None
    assert made.update(recorder, is_strict=True, may_lack_secrets=False) == {}
    assert made.agent is None, "the settings name none"
    if traits is not None:
        made.agent = cast("Agent", SimpleNamespace(traits=traits))
    return made


@pytest.mark.parametrize(
    ("traits", "mode", "is_free", "may_tell"),
    [
        (None, "", True, False),
        (AgentTraits(may_tell_costs=True), "", False, True),
        (AgentTraits(may_tell_costs=True), "record", False, True),
        (AgentTraits(may_tell_costs=True), "replay", True, False),
        (AgentTraits(is_free=True, may_tell_costs=True), "", True, True),
    ],
    ids=["none", "it costs money", "it is recorded", "it is replayed", "it is free"],
)
def test_judging_is_free_without_a_judge_that_is_asked_and_costs_money(
    traits: AgentTraits | None, mode: str, is_free: bool, may_tell: bool
) -> None:
    made = judge(traits, mode)
    assert (made.is_free, made.may_tell_costs) == (is_free, may_tell)


class Hiring:
    """Makes judges, or fails with `error`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: UserError | None = None
        self.made: list[SimpleNamespace] = []
        monkeypatch.setattr(module, "trusted_agent", self._make)
        judge = SimpleNamespace(profiles=("the judge",))
        self.config = SimpleNamespace(judge=judge, recordings="off", recording_dir="r")
        self.state = SimpleNamespace(untrusted=(), config=self.config)
        self.judge = JudgeInForce(cast("ProjectState", self.state))

    def _make(self, *_: object, may_lack_secrets: bool, by: str) -> SimpleNamespace:
        assert (may_lack_secrets, by) == (False, JUDGE)
        if self.error is not None:
            raise self.error
        closed: list[bool] = []

        async def close() -> None:
            closed.append(True)

        self.made.append(SimpleNamespace(closed=closed, close=close))
        return self.made[-1]

    def update(self) -> list[str]:
        found = self.judge.update(None, is_strict=False, may_lack_secrets=False)
        return [error.what for error in found.values()]


async def test_a_judge_is_made_anew_where_the_settings_are_others_and_let_go_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hiring = Hiring(monkeypatch)
    for _ in range(2):
        assert hiring.update() == []
    assert len(hiring.made) == 1
    hiring.config.recordings = "record"
    hiring.update()
    assert hiring.judge.agent is cast("object", hiring.made[1])
    hiring.state.untrusted = ("a grant",)
    hiring.update()
    assert hiring.judge.agent is None
    await hiring.judge.close()
    assert [one.closed for one in hiring.made] == [[True], [True]]


def test_a_judge_that_cannot_be_made_leaves_the_one_before_unless_its_secrets_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hiring = Hiring(monkeypatch)
    hiring.update()
    hiring.config.recordings, hiring.error = "record", UserError("it has no model")
    assert hiring.update() == ["it has no model"]
    assert hiring.judge.agent is cast("object", hiring.made[0])
    hiring.error = MissingSecretError("its key is not set")
    for _ in range(2):
        assert hiring.update() == ["its key is not set"], "each time, as long as it is so"
        assert hiring.judge.agent is None
    hiring.error = None
    assert hiring.update() == []
    assert hiring.judge.agent is cast("object", hiring.made[1])
