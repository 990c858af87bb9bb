"""Runs evaluators from a program or a test, without a project around them."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from inspect import isawaitable, iscoroutinefunction
from threading import Thread
from time import perf_counter
from typing import Any

from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.evaluators.kit.evaltui import EvaluatorContext, EvaluatorDefinition
from evaltui.evaluators.result_reading import error_verdict, verdict_of
from evaltui.evaluators.result_row import row_of
from evaltui.evaluators.worker.unchangeable import unchangeable
from evaltui.judging.aggregate import aggregate


class EvaluationSummary(Struct, frozen=True):
    """All of them summed up."""

    success: bool
    """Whether every assertion holds."""
    score: float | None
    """The lowest value of an assertion; `None` where none has one."""
    reason: str
    """Of the first assertion that does not hold."""
    verdicts: tuple[Verdict, ...]
    """In the order in which the evaluators were given."""
    metrics: Mapping[str, float]
    """What was measured, by type."""

    def to_json(self) -> dict[str, Json]:
        """With the keys of the evaluators' contract."""
        document: dict[str, Json] = {"success": self.success}
        if self.score is not None:
            document["score"] = self.score
        document["reason"] = self.reason
        document["evaluatorResults"] = [row_of(one) for one in self.verdicts]
        document["metrics"] = dict(self.metrics)
        return document


async def run_evaluators(
    evaluators: Iterable[tuple[EvaluatorDefinition, Mapping[str, Any]]],
    context: EvaluatorContext,
) -> EvaluationSummary:
    """Have each judge the context with its settings, all at the same time.

    One that raises, whatever it is, returns something else or outlasts its `timeout` costs its own
    verdict, and so does one that changes what the others look at. Those that are no coroutines run
    in threads. Who is cancelled from outside, or interrupted, ends with all of them.
    """
    seen = EvaluatorContext.from_json(unchangeable(context.raw))
    judged = (_judged(one, seen.with_config(unchangeable(config))) for one, config in evaluators)
    verdicts = tuple(await asyncio.gather(*judged))
    summary = aggregate(verdicts)
    return EvaluationSummary(
        summary.success, summary.score, summary.reason, verdicts, summary.metrics
    )


async def _judged(definition: EvaluatorDefinition, seen: EvaluatorContext) -> Verdict:
    began = perf_counter()
    limit = asyncio.timeout(definition.timeout)
    try:
        async with limit:
            if iscoroutinefunction(definition.evaluate):
                said = await definition.evaluate(seen)
            else:
                said = await _called(definition.evaluate, seen)
            if isawaitable(said):
                said = await said
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise  # by whoever waits for all of them
        why = _said_by(error)
        if limit.expired():
            why = f"timed out after {definition.timeout:g} s"
        return error_verdict(definition, why, _ms(began))
    return said if isinstance(said, Verdict) else verdict_of(definition, said, _ms(began))


async def _called(function: Callable[[EvaluatorContext], Any], seen: EvaluatorContext) -> Any:
    """What a function returns that blocks.

    In a thread that nobody waits for: one of a pool that is given up keeps the program from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(said: Any, error: BaseException | None) -> None:
        if future.done():
            return  # given up meanwhile
        if error is None:
            future.set_result(said)
        else:
            future.set_exception(error)

    def work() -> None:
        said: Any = None
        failed: BaseException | None = None
        try:
            said = function(seen)
        except BaseException as error:
            can_be_held = isinstance(error, Exception) and not isinstance(error, StopIteration)
            failed = error if can_be_held else RuntimeError(_said_by(error))  # by a future
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, said, failed)

    Thread(target=work, daemon=True).start()
    return await future


def _said_by(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"it called sys.exit({error.code!r})"
    said = str(error)
    if isinstance(error, KeyError) and said:  # its text is the key alone
        return f"KeyError: {said}"
    return said or type(error).__name__


def _ms(began: float) -> float:
    return (perf_counter() - began) * 1000
