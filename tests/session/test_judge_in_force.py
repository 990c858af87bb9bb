"""What judging costs by the judge in force, and which recordings it is played from."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.agents.recordings.recorder import Recorder
from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.config import Config
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
