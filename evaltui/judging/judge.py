"""The only ways to an outcome: a response is judged, or it is certain why there is none."""

from evaltui.core.case import CaseKey
from evaltui.core.check import CheckContext, Plan
from evaltui.core.errors import AgentError
from evaltui.core.outcome import Outcome
from evaltui.core.result import LATE, CaseStatus
from evaltui.core.verdict import TIMEOUT, Verdict, VerdictStatus
from evaltui.judging.aggregate import aggregate, aggregate_turns
from evaltui.judging.run_plan import run_plan

RULES = "2"
"""The version of how answers are judged: part of each result's Inputs. Raise it when the same
answer to the same case can get another verdict; kept answers are then judged again."""


async def judge(plan: Plan, context: CheckContext) -> Outcome:
    """What the plan makes of a response. An empty plan asserts nothing: the case passes.

    What a check raises becomes its verdict; being cancelled propagates. A conversation was judged
    turn by turn while it went on: the verdicts of its last turn decide.
    """
    if turns := context.response.conversation:
        return aggregate_turns(turns)
    return aggregate(await run_plan(plan, context))


def not_answered(error: AgentError, retries: int = 0) -> Outcome:
    """The agent, or who plays the user, gave no answer: error, never a failure (contract B1)."""
    after = f" (after {retries} {'retry' if retries == 1 else 'retries'})" if retries else ""
    return Outcome(CaseStatus.ERROR, f"{error.who}: {error.what}{after}", error.category)


def not_asked(why: str, category: str) -> Outcome:
    """What asking takes is not there: status error, and nobody was asked."""
    return Outcome(CaseStatus.ERROR, why, category)


def timed_out(elapsed_ms: float, limit_ms: float) -> Outcome:
    """No answer within the limit: failed, by a verdict that is no assertion of the case."""
    reason = (
        f"timeout: no complete answer after {elapsed_ms:.0f} ms "
        f"(limit {limit_ms:.0f} ms). Make the agent faster, or raise `timeoutMs`."
    )
    verdict = Verdict(TIMEOUT, VerdictStatus.FAILED, reason, category=LATE)
    return Outcome(CaseStatus.FAILED, reason, LATE, verdicts=(verdict,))


def not_judgeable(reason: str) -> Outcome:
    """The case itself is wrong: failed without being asked."""
    return Outcome(CaseStatus.FAILED, reason, "contract_violation")


def not_run(reason: str) -> Outcome:
    """Nobody asks or judges such a case: skipped, not counted as passed."""
    return Outcome(CaseStatus.SKIPPED, reason)


def held_back(failing: CaseKey) -> Outcome:
    """A rubric while a deterministic case of its tool does not pass: skipped, nobody is asked."""
    why = f"not run: `{failing}` did not pass, and rubrics wait for the other cases of their tool"
    return Outcome(CaseStatus.SKIPPED, why, HELD)


HELD = "held"
"""Category of what waits for other cases."""
