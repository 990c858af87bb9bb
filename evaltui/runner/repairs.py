"""Agents that may try again, knowing how the attempt was judged: so many repairs a case."""

from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import PreviousAttempt
from evaltui.core.errors import AgentError, NoMoreError
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.runner.attempt import Attempts
from evaltui.runner.dispatch import Attempt
from evaltui.runner.trials import as_attempt


class Repairs(Struct, frozen=True):
    """Attempts one after the other, until one passes or `most` repairs were made.

    The last one counts, not the best; its notes and `attempts` list those before it.
    """

    attempts: Attempts
    most: int

    async def run(self, attempt: Attempt) -> CaseResult:
        """Raises AgentError when the last attempt got no answer."""
        previous: list[PreviousAttempt] = []
        history: list[TrialResult] = []
        while True:
            started = perf_counter()
            try:
                result = await self.attempts.run(attempt, tuple(previous))
            except NoMoreError:
                raise
            except AgentError as error:
                if error.retryable or len(previous) >= self.most:
                    raise
                elapsed_ms = (perf_counter() - started) * 1000
                previous.append(PreviousAttempt(error=error.what))
                said = f"{error.who}: {error.what}"
                history.append(TrialResult(len(history), CaseStatus.ERROR, elapsed_ms, said))
                continue
            was_asked = attempt.state.job.is_asked and (
                bool(result.verdicts) or result.response is not None
            )
            is_over = result.status is CaseStatus.PASSED or len(previous) >= self.most
            if is_over or not was_asked:
                return self._with_history(result, history)
            previous.append(PreviousAttempt(result.verdicts, result.response, result.error))
            history.append(as_attempt(result, len(history)))

    def _with_history(self, result: CaseResult, history: list[TrialResult]) -> CaseResult:
        if not history:
            return result
        number = len(history) + 1
        notes = (
            f"attempt {number} of at most {self.most + 1} counts",
            *(f"attempt {each.trial + 1} {each.status}: {each.error}" for each in history),
        )
        response = result.response
        if response is not None:
            response = replace(response, notes=(*response.notes, *notes))
        attempts = (*history, as_attempt(result, len(history)))
        return replace(result, response=response, attempts=attempts)
