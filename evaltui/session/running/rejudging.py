"""Judging kept answers again: what a run does in place of asking when only checks changed."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Collection, Container, Coroutine, Iterator, Mapping
from contextlib import aclosing
from itertools import groupby, islice
from typing import Any, NoReturn

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.bearing import are_judged_by_same, is_judge_asked_alike
from evaltui.core.case import Case, CaseKey
from evaltui.core.check import CheckContext
from evaltui.core.config import Config
from evaltui.core.errors import AgentError
from evaltui.core.frame import TURN_S
from evaltui.core.inputs import Inputs, unmentioned
from evaltui.core.judge import JudgeRequest, Panel
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, can_be_judged_again
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.judge_turn import turn_judge
from evaltui.judging.rejudge import rejudge
from evaltui.kinds import asks_judge, plan_of, settled_by_plan
from evaltui.project import Project
from evaltui.scenarios.kept_conversation import judged_again
from evaltui.session.inputs_of import InputsOf
from evaltui.store.board import Board

_TOGETHER = 64
"""Answers that are judged at once where evaluators in other processes do so."""
_JUDGED = ("", "assertion", "judge_error")
"""Categories of results that an answer was judged for; all others tell why there was none."""


class Rejudging:
    """Of one agent's answers, by the checks of one reading of the project."""

    def __init__(
        self,
        project: Project,
        agent: Agent,
        board: Board,
        config: Config,
        panel: Panel | None = None,
        *,
        asks_judge: bool = True,
    ) -> None:
        """Unless it `asks_judge`, what that said of the same answers is all that there is of it."""
        self._project = project
        self._board = board
        self._inputs_of = InputsOf(project, agent)
        self._unasked: UnaskedJudge | None = None
        if panel is not None and not asks_judge:
            panel, self._unasked = unasked(panel)
        self._panel = panel
        self._concurrency = config.concurrency
        """Judges are asked about so many answers at once."""
        self._rules = ContractConfig(multiset_tools=config.multiset_tools)

    def can_judge(self, case: Case, suite: Suite) -> bool:
        """Whether the last answer is one that would be given now, so that it can be judged."""
        row = self._board.rows.get(case.key)
        if row is None or row.result is None or (asks_judge(case) and self._panel is None):
            return False
        if self._project.untrusted_evaluators(case, row.result.inputs):
            return False  # they are not there to be asked
        now = self._inputs_of(case, suite, row.result.inputs)
        if self._unasked is not None and not is_judge_asked_alike(row.result.inputs, now):
            return False
        changed = self._inputs_of.changed(case, suite, row.result)
        is_asked_otherwise = changed is not None and changed[0] is Degree.AFFECTED
        return can_be_judged_again(row.result, now) and not is_asked_otherwise

    @property
    def unjudged(self) -> Collection[CaseKey]:
        """Those that take an answer of the judge that nobody may ask."""
        return self._unasked.wanted if self._unasked is not None else ()

    async def judge(
        self, suite: Suite, whole: SuiteResult, keys: Container[object]
    ) -> AsyncGenerator[CaseResult]:
        """New results of these cases; none for a case whose answer is not kept any more, none for a
        conversation that the new verdicts would have ended at another turn, none of `unjudged`.

        `whole` has the last results with their answers.
        """
        cases, turn = {case.key: case for case in suite.cases}, time.perf_counter()
        chosen = (one for one in whole.cases if one.key in keys and not _is_lost(one))
        for together, results in groupby(chosen, lambda r: self._together(cases[r.key])):
            if together == 1:
                for result in results:
                    if judged := await self._judge_one(cases[result.key], suite, result):
                        yield judged
                    if time.perf_counter() - turn > TURN_S:  # it does not wait by itself
                        await asyncio.sleep(0)
                        turn = time.perf_counter()
                continue
            asked = (self._judge_one(cases[result.key], suite, result) for result in results)
            async with aclosing(_in_order(asked, together)) as found:
                async for judged in found:
                    if judged is not None:
                        yield judged

    def _together(self, case: Case) -> int:
        """How many of such cases are judged at once."""
        if asks_judge(case):
            return self._concurrency
        return _TOGETHER if self._project.evaluators_for(case) is not None else 1

    async def _judge_one(self, case: Case, suite: Suite, result: CaseResult) -> CaseResult | None:
        now = self._inputs_of(case, suite, result.inputs)
        response, known = result.response, self._project.evaluators_for(case)
        plan = plan_of(case, config=self._rules, panel=self._panel, evaluators=known)
        certain, answered = settled_by_plan(case, plan), None
        if response is not None and certain is None:
            answered = CheckContext(
                case,
                response,
                seed=self._project.seed,
                messages=response.messages,
                kept=_kept(result, now) if asks_judge(case) else {},
            )
            if response.conversation:
                response = await judged_again(case, response, turn_judge(plan, answered))
                if response is None:
                    return None
                answered = replace(answered, response=response)
                result = replace(result, response=response)
        judged = await rejudge(result, answered, plan, now, certain=certain)
        if case.key in self.unjudged:
            return None
        by_mentions = self._inputs_of(case, suite)
        if judged.inputs.tools.keys() == by_mentions.tools.keys():
            return judged
        others = self._inputs_of.reached(case, result.inputs).others
        are_same = others == () or (others is None and now.registry == result.inputs.registry)
        return self._by_tools_of_now(judged, by_mentions, are_others_same=are_same)

    def _by_tools_of_now(
        self, result: CaseResult, now: Inputs, *, are_others_same: bool
    ) -> CaseResult:
        """With the tools that the case mentions now, where that is not what it was asked with.

        None of those that it mentioned then changed, else it would be asked again. If one of the
        others did, the result stays possibly affected.
        """
        before = result.inputs
        calls = result.response.tool_calls if result.response is not None else ()
        called = [tool.name for tool in unmentioned(calls, self._project.registry, now)]
        inputs = replace(
            before,
            tools=now.tools,
            registry=now.registry if are_others_same else before.registry,
            all_tools=now.all_tools if are_others_same else "",
            called=self._project.tool_prints.of_called(called),
        )
        return replace(result, inputs=inputs)


async def _in_order(
    asked: Iterator[Coroutine[Any, Any, CaseResult | None]], most: int
) -> AsyncGenerator[CaseResult | None]:
    """What they come to, in their order; so many are asked at once, also while one is taken in."""
    open_: deque[asyncio.Task[CaseResult | None]] = deque()
    try:
        while True:
            open_ += map(asyncio.create_task, islice(asked, most - len(open_)))
            if not open_:
                return
            yield await open_[0]
            open_.popleft()
    finally:
        for one in open_:
            one.cancel()
        await asyncio.gather(*open_, return_exceptions=True)


def _kept(result: CaseResult, now: Inputs) -> Mapping[int, tuple[Verdict, ...]]:
    """By turn, its verdicts, where whoever judges with a model is the same."""
    if not are_judged_by_same(result.inputs, now):
        return {}
    turns = result.response.conversation if result.response is not None else ()
    return dict(enumerate((turn.verdicts for turn in turns), 1)) or {1: result.verdicts}


def _is_lost(result: CaseResult) -> bool:
    return (
        result.response is None
        and result.status is not CaseStatus.SKIPPED
        and result.category in _JUDGED
    )


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
    return replace(panel, judge=judge, player=None), judge
