"""Stands in for a judge that may not be asked: its earlier judgements still count."""

from typing import NoReturn

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.judge import JudgeRequest, Panel


class UnaskedJudge:
    def __init__(self, name: str) -> None:
        self.name = name
        self.wanted: set[CaseKey] = set()
        """About which it would have been asked: these cannot be judged without it."""

    async def ask(self, request: JudgeRequest) -> NoReturn:
        self.wanted.add(request.key)
        raise AgentError("nobody agreed to what it costs")


def unasked(panel: Panel) -> tuple[Panel, UnaskedJudge]:
    """The panel without the judge, and who stands for it."""
    judge = UnaskedJudge(panel.judge.name)
    return replace(panel, judge=judge), judge
