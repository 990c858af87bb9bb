"""One dimension of a rubric as a check: asks the judge, counts its votes, makes the verdict."""

from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.budget import BUDGET, BudgetSpentError
from evaltui.core.case import Case, RubricCase, RubricDimension
from evaltui.core.check import CheckContext, Stage
from evaltui.core.errors import AgentError
from evaltui.core.fingerprint import fingerprint
from evaltui.core.json_value import Json
from evaltui.core.judge import JudgeRequest, Panel
from evaltui.core.verdict import RUBRIC, Kind, Verdict, VerdictStatus
from evaltui.judging.json_answer import json_answer
from evaltui.scenarios.rubric_prompt import rubric_prompt

_KEYS = {"score", "rationale"}
_LONGEST = 2_000
"""Characters of a rationale that are kept."""


class Score(Struct, frozen=True, gc=False):
    """One judgement."""

    score: int
    rationale: str


def read_score(text: str, dimension: RubricDimension) -> Score:
    """Raises ValueError with what is wrong: anything but the two keys that were asked for."""
    answer = json_answer(text)
    if answer.keys() != _KEYS:
        keys = ", ".join(f"`{key[:40]}`" for key in sorted(answer)[:5]) or "none"
        raise ValueError(f"it has other keys than `score` and `rationale`: {keys}")
    score, rationale = answer["score"], answer["rationale"]
    most = dimension.max_score
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError(f"`score` is not a number: {str(score)[:40]}")
    if not 0 <= score <= most:
        raise ValueError(f"`score` is {str(score)[:40]}, not between 0 and {most:g}")
    if score != int(score):
        raise ValueError(f"`score` is not a whole number: {score:g}")
    if not isinstance(rationale, str) or not rationale.strip():
        raise ValueError("`rationale` is not text")
    return Score(int(score), rationale.strip()[:_LONGEST])


def rubric_stage(case: Case, panel: Panel) -> Stage:
    """A check for each dimension; they run side by side."""
    assert isinstance(case.body, RubricCase)
    return tuple(RubricCheck(case.body, one, panel) for one in case.body.dimensions)


class Fault(Struct, frozen=True, gc=False):
    """Why one judgement says nothing."""

    why: str
    category: str = "judge_error"


class Vote(Struct, frozen=True, gc=False):
    """One judgement, and what it cost."""

    said: Score | Fault
    cost_usd: float | None = None


class RubricCheck(Struct, frozen=True):
    """Binary dimensions (`maxScore` 1) are assertions; graded ones metrics, or assertions too where
    the panel has a threshold."""

    body: RubricCase
    dimension: RubricDimension
    panel: Panel

    @property
    def name(self) -> str:
        return f"{RUBRIC}{self.dimension.dimension}"

    @property
    def passes_from(self) -> float | None:
        """The lowest score that passes, of the threshold as it is written: 0.55 of 100 are 55;
        `None` where none can fail."""
        from fractions import Fraction

        most, threshold = self.dimension.max_score, self.panel.threshold
        if most == 1:
            return 1.0
        return None if threshold is None else float(Fraction(str(threshold)) * Fraction(str(most)))

    async def run(self, context: CheckContext) -> Verdict:
        """The verdict of the majority; inconclusive, which is never a pass, where there is none."""
        from asyncio import gather

        began = perf_counter()
        prompt = rubric_prompt(self.body, self.dimension, context.response)
        asked = fingerprint(prompt)
        if known := context.known(self.name, asked):
            return known
        requests = [
            JudgeRequest(context.case.key, prompt, vote) for vote in range(self.panel.votes)
        ]
        votes = await gather(*map(self._vote, requests))
        verdict = self._verdict(votes, (perf_counter() - began) * 1000)
        is_whole = all(isinstance(vote.said, Score) for vote in votes)
        return replace(verdict, asked=asked) if is_whole else verdict

    async def _vote(self, request: JudgeRequest) -> Vote:
        try:
            reply = await self.panel.judge.ask(request)
        except BudgetSpentError as error:
            return Vote(Fault(f"{error.what}. {error.hint}", error.category))
        except AgentError as error:
            return Vote(Fault(f"the judge gave no answer: {error.what}"))
        try:
            return Vote(read_score(reply.text, self.dimension), reply.cost_usd)
        except ValueError as error:
            said = " ".join(reply.text.split())[:200] or "nothing"
            why = f"the judge's answer cannot be used: {error}. It said: {said}"
            return Vote(Fault(why), reply.cost_usd)

    def _verdict(self, votes: Sequence[Vote], duration_ms: float) -> Verdict:
        most, known = self.dimension.max_score, [vote.cost_usd for vote in votes]
        evidence: dict[str, Json] = {
            "maxScore": most,
            "criteria": self.dimension.criteria,
            "judge": self.panel.judge.name,
            "votes": [vote.said.score if isinstance(vote.said, Score) else None for vote in votes],
        }
        paid = [usd for usd in known if usd is not None]
        cost_usd = round(sum(paid), 9) if paid else None
        decided = _majority([vote.said for vote in votes], is_binary=most == 1)
        if isinstance(decided, Fault):
            return Verdict(
                self.name,
                VerdictStatus.ERROR,
                f"{self.name}: {decided.why}",
                evidence=evidence,
                duration_ms=duration_ms,
                category=decided.category,
                cost_usd=cost_usd,
            )
        alike = sum(
            isinstance(vote.said, Score) and vote.said.score == decided.score for vote in votes
        )
        evidence = {"score": decided.score, **evidence}
        among = ""
        if len(votes) > 1:
            evidence["agreement"] = f"{alike} of {len(votes)}"
            among = f", {alike} of {len(votes)} votes agree"
        least = self.passes_from
        is_passed = least is None or decided.score >= least
        wanted = "" if is_passed or least == most else f", {least:g} would pass"
        return Verdict(
            self.name,
            VerdictStatus.PASSED if is_passed else VerdictStatus.FAILED,
            f"{self.name}: {decided.score:g} of {most:g}{among}{wanted}: {decided.rationale}",
            kind=Kind.METRIC if least is None else Kind.ASSERTION,
            value=decided.score / most,
            evidence=evidence,
            duration_ms=duration_ms,
            category="" if is_passed else "assertion",
            cost_usd=cost_usd,
        )


def _majority(said: Sequence[Score | Fault], *, is_binary: bool) -> Score | Fault:
    """The score most votes gave, or of grades the middle one, with the reason of one who gave it.

    Votes that cannot be used count as given to nobody: more than half of all must stand behind a
    binary score, and more than half must be usable for a grade.
    """
    scores = [one for one in said if isinstance(one, Score)]
    if not scores:
        return _fault(said) or Fault("nobody judged")
    values = [one.score for one in scores]
    if is_binary:
        value, behind = Counter(values).most_common(1)[0]
    else:
        value, behind = sorted(values)[(len(values) - 1) // 2], len(values)
    if behind * 2 <= len(said):
        fault = _fault(said)
        why = f"no majority among {len(said)} votes"
        return Fault(why) if fault is None else Fault(f"{why}: {fault.why}", fault.category)
    return next(one for one in scores if one.score == value)


def _fault(said: Sequence[Score | Fault]) -> Fault | None:
    """Why votes are missing: before all that nobody was asked."""
    faults = [one for one in said if isinstance(one, Fault)]
    return min(faults, key=lambda one: one.category != BUDGET, default=None)
