"""An evaluator and its settings as a check of a case; all of a case make one stage."""

import asyncio
from collections.abc import Awaitable, Mapping
from inspect import isawaitable
from time import perf_counter
from typing import Any

from msgspec import Struct

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import Check, CheckContext, Plan, Stage
from evaltui.core.json_value import Json
from evaltui.core.key_path import format_key
from evaltui.core.outcome import Outcome
from evaltui.core.verdict import Verdict
from evaltui.evaluators.judges_elsewhere import JudgesElsewhere
from evaltui.evaluators.kit.evaltui import EvaluatorContext, EvaluatorDefinition
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.evaluators.result_reading import error_verdict, verdict_of
from evaltui.evaluators.seen_by_evaluators import context_json
from evaltui.evaluators.use_mistakes import use_mistakes
from evaltui.judging.aggregate import aggregate


class SharedContext:
    """What the evaluators of one case see, made once for each answer."""

    def __init__(self) -> None:
        self._of: CheckContext | None = None
        self._raw: dict[str, Json] = {}
        self._made: EvaluatorContext | None = None

    def raw(self, context: CheckContext) -> dict[str, Json]:
        """In the shape of the contract; the same object for all of them."""
        if self._of is not context:
            self._of, self._raw, self._made = context, context_json(context), None
        return self._raw

    def get(self, context: CheckContext) -> EvaluatorContext:
        raw = self.raw(context)
        if self._made is None:
            self._made = EvaluatorContext.from_json(raw)
        return self._made


class EvaluatorCheck:
    """Judges by one evaluator; whatever that does, it costs its own verdict only."""

    def __init__(
        self, definition: EvaluatorDefinition, config: Mapping[str, Any], shared: SharedContext
    ) -> None:
        self.name = definition.type
        self.label = definition.label
        self._definition = definition
        self._config = config
        self._shared = shared

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        definition, began = self._definition, perf_counter()
        evaluate = definition.evaluate
        try:
            if isinstance(evaluate, JudgesElsewhere):  # it says nothing but verdicts
                return evaluate.ask(self._shared.raw(context), self._config)
            seen = self._shared.get(context).with_config(self._config)
            said: object = evaluate(seen)
        except Exception as error:
            return error_verdict(definition, str(error) or type(error).__name__, _since(began))
        if isinstance(said, Verdict):
            return said
        if isawaitable(said):
            return self._awaited(said, began)
        return verdict_of(definition, said, _since(began))

    async def _awaited(self, said: Awaitable[object], began: float) -> Verdict:
        definition = self._definition
        try:
            answer = await said
        except asyncio.CancelledError:
            raise  # the run was stopped: that is no verdict
        except Exception as error:
            return error_verdict(definition, str(error) or type(error).__name__, _since(began))
        if isinstance(answer, Verdict):
            return answer
        return verdict_of(definition, answer, _since(began))


class UnusableEvaluator(Struct, frozen=True):
    """In the place of an evaluator that is not known, or whose settings are wrong."""

    name: str
    verdict: Verdict

    def run(self, context: CheckContext) -> Verdict:  # noqa: ARG002
        return self.verdict


def evaluator_stage(uses: tuple[EvaluatorUse, ...], registry: EvaluatorRegistry) -> Stage:
    """One check for each, in their order; what cannot judge says so in its verdict."""
    shared = SharedContext()
    return tuple(_check(use, registry, shared) for use in uses)


def _check(use: EvaluatorUse, registry: EvaluatorRegistry, shared: SharedContext) -> Check:
    definition = registry.get(use.type)
    mistakes = [*use_mistakes(use, registry)]
    if definition is None:
        return _unusable(use.type, "; ".join(f"{one.what}. {one.hint}" for one in mistakes))
    if mistakes:
        reasons = (f"`{format_key(one.path)}`: {one.what}" for one in mistakes)
        return _unusable(use.type, "; ".join(reasons), definition)
    return EvaluatorCheck(definition, use.config, shared)


def unusable(plan: Plan) -> Outcome | None:
    """What is certain of a case that names an evaluator which cannot judge: no answer passes, so
    that nobody need be asked for one. `None` where all can, or only a metric cannot."""
    checks = (check for stage in plan for check in stage)
    found = [one.verdict for one in checks if isinstance(one, UnusableEvaluator)]
    outcome = aggregate(found) if found else None
    return None if outcome is None or outcome.success else outcome


def _unusable(
    type_: str, why: str, definition: EvaluatorDefinition | None = None
) -> "UnusableEvaluator":
    known = definition or EvaluatorDefinition(type_, type_, "assertion", lambda _: None)
    return UnusableEvaluator(type_, error_verdict(known, why))


def _since(began: float) -> float:
    return (perf_counter() - began) * 1000
