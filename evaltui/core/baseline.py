"""Comparing a suite's results with an earlier run of it."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from typing import Self

from msgspec import Struct

from evaltui.core.result import (
    FAILING,
    JUDGED,
    CaseResult,
    CaseStatus,
    judged_trials,
    usual_verdict,
)
from evaltui.core.statistics.rates import pass_rate
from evaltui.core.statistics.trials import Planned, Trials


class BaselineCase(Struct, frozen=True, gc=False):
    """What a baseline remembers of one case."""

    status: CaseStatus
    """As it counts: of a pass of nothing that it was skipped."""
    pass_rate: float | None = None
    """Share of passed attempts when there were several; `None` for a single one."""
    trials: int = 1
    erred: int = 0
    """As of a `CaseResult`."""
    by_other_rules: bool = False
    """Whether it was judged by other rules of judging than those of now, and cannot be judged by
    them: nothing is held against it."""
    planned: Planned | None = None
    """As of a `CaseResult`; ask `as_planned`."""

    @classmethod
    def of(
        cls,
        status: CaseStatus,
        passes: int,
        trials: int,
        erred: int = 0,
        planned: Planned | None = None,
    ) -> Self:
        """From what a result keeps: it passed if all of its trials did. An error among them is no
        trial, though in files it outweighs passes: only where none was judged it counts as one.
        The one owner of what a pin came to."""
        judged = judged_trials(status, passes, trials)
        if status is CaseStatus.ERROR and judged.count:
            status = CaseStatus.FAILED if judged.failures else CaseStatus.PASSED
        if trials > 1:
            return cls(status, passes / trials, trials, erred, planned=planned)
        return cls(status, erred=erred, planned=planned)

    @property
    def is_standard(self) -> bool:
        """Neither of nothing asserted, nor saying nothing of now: then whatever the case comes to
        now makes no difference."""
        return self.status is not CaseStatus.SKIPPED and not self.by_other_rules

    @property
    def judged(self) -> Trials:
        """Its attempts that passed and failed; none where none was judged by the rules of now."""
        if self.status not in JUDGED or self.by_other_rules:
            return Trials()
        share = (
            float(self.status is CaseStatus.PASSED) if self.pass_rate is None else self.pass_rate
        )
        passes = round(share * self.trials)
        return Trials(passes, self.trials - passes)

    @property
    def as_planned(self) -> Planned:
        """What counts of it where a whole run is told of."""
        if self.planned is None or not self.judged.count:
            return Planned(self.judged, self.erred)
        return self.planned

    @property
    def words(self) -> str:
        """`passed`, `nothing asserted`; of several trials, of which all had to pass, `18 of 20
        passed`; of what says nothing of now, by which rules."""
        return f"{self._words}{' by other rules of judging' if self.by_other_rules else ''}"

    @property
    def _words(self) -> str:
        if self.status is CaseStatus.SKIPPED:
            return "nothing asserted"
        if self.pass_rate is None or self.trials == 1 or self.status not in JUDGED:
            return self.status.value
        return f"{round(self.pass_rate * self.trials)} of {self.trials} passed"

    @property
    def usual(self) -> CaseStatus:
        """Its verdict; of several trials, of which all must pass, that of most of them."""
        return usual_verdict(self.status, self.pass_rate or 0.0)


class Baseline(Struct, frozen=True, gc=False):
    """A pinned or named earlier result of one suite; `cases` is by case id."""

    suite: str
    run_id: str
    name: str
    cases: Mapping[str, BaselineCase]
    pinned_at: float = 0.0
    """When most of its cases were pinned, in seconds since the epoch; 0.0 when that is unknown."""
    agent: str = ""
    pinned_apart: Mapping[str, float] = {}
    """When the others were, by case id."""

    @property
    def is_by_other_rules(self) -> bool:
        """Whether other rules of judging than those of now made the verdict of one of them."""
        return any(one.by_other_rules for one in self.cases.values())

    def pinned_when(self, case: str) -> float:
        """In seconds since the epoch; 0.0 when that is unknown."""
        return self.pinned_apart.get(case, self.pinned_at)


class NamedBaseline(Struct, frozen=True, gc=False):
    """All that is pinned under one name for one agent."""

    name: str
    cases: int
    moments: Mapping[float, int] = {}
    """See `pin_moments`."""


def pin_moments(baselines: Iterable[Baseline]) -> dict[float, int]:
    """How many cases were pinned at which moment, the oldest first; at 0.0 those of which it is
    unknown. The one owner of how old a baseline is."""
    found: Counter[float] = Counter()
    for baseline in baselines:
        apart = [at for case, at in baseline.pinned_apart.items() if case in baseline.cases]
        found[baseline.pinned_at] += len(baseline.cases) - len(apart)
        found.update(apart)
    return {at: found[at] for at in sorted(found) if found[at]}


class Comparison(Struct, frozen=True, gc=False):
    """Case ids whose verdict moved; errors are listed apart and never as regressions (B1)."""

    suite: str
    baseline_run_id: str
    regressions: tuple[str, ...]
    new_passes: tuple[str, ...]
    errored: tuple[str, ...]


class Change(StrEnum):
    """How one case moved against its baseline."""

    REGRESSED = "regressed"
    NEWLY_PASSED = "newly passed"
    SAME = "same"


def judge_change(then: BaselineCase | None, now: CaseResult | None) -> Change:
    """Passed then and failed now: regressed; of several trials all had to pass. Errors are neither
    a fall nor a rise, skips and passes of nothing are no passes, and what was judged by other rules
    of judging says nothing.

    That a case passes that passed at times is no news, unless it is repeated and the two 95 %
    intervals of its rates do not overlap.
    """
    if then is None or now is None or then.by_other_rules:
        return Change.SAME
    status = now.shown_status
    if then.status is CaseStatus.PASSED and status is CaseStatus.FAILED:
        return Change.REGRESSED
    if then.status in FAILING and status is CaseStatus.PASSED and _is_news(then, now):
        return Change.NEWLY_PASSED
    return Change.SAME


def _is_news(then: BaselineCase, now: CaseResult) -> bool:
    if then.trials == 1 or not then.pass_rate:
        return True
    before, since = pass_rate(round(then.pass_rate * then.trials), then.trials), now.trials_judged
    return since.count > 1 and pass_rate(since.passes, since.count).low > before.high


def compare(
    suite: str, baseline: Baseline, cases: Iterable[CaseResult], mutes: Container[str] = ()
) -> Comparison:
    """Judge every case that has a result on both sides (contract A52).

    `mutes` are cases by `suite::case` that never regress.
    """
    regressions: list[str] = []
    new_passes: list[str] = []
    errored: list[str] = []
    for case in cases:
        if case.status is CaseStatus.ERROR:
            errored.append(case.key.case)
        then = baseline.cases.get(case.key.case)
        if then is None:
            continue
        change = judge_change(then, case)
        if change is Change.REGRESSED and str(case.key) not in mutes:
            regressions.append(case.key.case)
        elif change is Change.NEWLY_PASSED:
            new_passes.append(case.key.case)
    return Comparison(suite, baseline.run_id, tuple(regressions), tuple(new_passes), tuple(errored))
