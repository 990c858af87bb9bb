"""Fingerprints of the model that judges and that plays users, as the settings name it."""

from collections.abc import Mapping
from functools import cached_property

from evaltui.core.agent_name import JUDGE
from evaltui.core.case import Case, CaseBody
from evaltui.core.config import AgentProfile, JudgeConfig, shaping
from evaltui.core.fingerprint import fingerprint
from evaltui.core.json_value import Json
from evaltui.kinds import asks_judge, asks_persona, kind_of
from evaltui.scenarios import persona_player


class JudgePrints:
    """Equal ones are shared: most cases of a board have the same."""

    def __init__(self, judge: JudgeConfig | None) -> None:
        self._judge = judge
        self._by_kind: dict[type[CaseBody], Mapping[str, str]] = {}

    def checks(self, case: Case) -> Mapping[str, str]:
        """Who judges with a model, and how, as an input of a verdict; empty where none does.

        What counts of the settings differs by the kind of case: another number of votes is no
        reason to judge criteria again, of which each is asked about once.
        """
        if self._judge is None or not asks_judge(case):
            return _NOBODY
        kind = type(case.body)
        if kind not in self._by_kind:
            parts = [*_model(self._judge.profile), *kind_of(case).judged_by(self._judge)]
            self._by_kind[kind] = {JUDGE: fingerprint(parts)}
        return self._by_kind[kind]

    def player(self, case: Case) -> str:
        """Who plays the user, and how it is told to; empty where no model does."""
        return self._player if asks_persona(case) else ""

    @cached_property
    def _player(self) -> str:
        model = [] if self._judge is None else _model(self._judge.profiles[-1])
        return fingerprint([*model, persona_player.VERSION])


def _model(profile: AgentProfile) -> list[Json]:
    return [profile.type, shaping(profile.options, is_model=True)]


_NOBODY: Mapping[str, str] = {}
