"""The one stage that judges a trace: judges, then the evaluators that the case names."""

from collections.abc import Awaitable, Mapping, Sequence
from inspect import isawaitable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext, Stage
from evaltui.core.verdict import Verdict

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry


class Named(Struct, frozen=True):
    """A check whose verdicts go by another name than its own."""

    name: str
    check: Check

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        answer = self.check.run(context)
        return self._awaited(answer) if isawaitable(answer) else replace(answer, check=self.name)

    async def _awaited(self, answer: Awaitable[Verdict]) -> Verdict:
        return replace(await answer, check=self.name)


def trace_stage(case: Case, judges: Stage, registry: "EvaluatorRegistry | None" = None) -> Stage:
    """Everybody in it is heard; each has a name of its own, on the board as in a pack.

    `registry`: all evaluators there are; without it those that come along.
    """
    uses = case.body.evaluators
    if not uses:
        return judges
    from evaltui.evaluators.evaluator_check import evaluator_stage
    from evaltui.evaluators.registry import create_registry

    known = create_registry() if registry is None else registry
    return (*judges, *map(Named, case.body.evaluator_names, evaluator_stage(uses, known)))


def by_these_names(case: Case, verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """The verdicts of a result; early versions kept those of a trace's evaluators by type alone."""
    body = case.body
    judges = max(len(verdicts) - len(body.evaluators), 0)
    last = verdicts[judges:]
    if [one.check for one in last] != [use.type for use in body.evaluators]:
        return verdicts
    named = zip(last, body.evaluator_names, strict=True)
    return (*verdicts[:judges], *(replace(one, check=name) for one, name in named))


def measured_by_these_names(
    case: Case, measured: Mapping[str, float] | None
) -> Mapping[str, float] | None:
    """The same of what a past run measured; of two of one type it kept the value of the last."""
    body = case.body
    types = (use.type for use in body.evaluators)
    names = dict(zip(types, body.evaluator_names, strict=True))
    if measured is None or names.keys().isdisjoint(measured):
        return measured
    return {names.get(one, one): value for one, value in measured.items()}
