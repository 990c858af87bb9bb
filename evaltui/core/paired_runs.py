"""Two runs of the same cases as a whole: how much they differ, how surely, what went unseen."""

from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.clusters import cluster_of
from evaltui.core.json_value import JsonObject
from evaltui.core.result import CaseResult
from evaltui.core.statistics.trials import Planned
from evaltui.core.suite import Suite


class PairedCase(Struct, frozen=True, gc=False):
    """One case in both runs."""

    before: float
    """Share of its attempts that passed."""
    now: float
    cluster: Hashable = None
    """The same for cases that belong together."""
    is_tried_alike: bool = True
    """Whether both sides made as many attempts: a case that fails at times seldom passes twenty of
    them, and often the only one."""
    is_cut: bool = False
    """Whether fewer of them were judged on one side, which lost the others to errors."""
    step: float = 1.0
    """The least by which both can differ: one attempt of the side that has fewer."""

    @classmethod
    def of(cls, before: Planned, now: Planned, cluster: Hashable) -> Self | None:
        """The pair of a case; none where a side has no trial that was judged."""
        was, is_ = before.judged.count, now.judged.count
        if not was or not is_:
            return None
        is_cut = was != is_ and was + before.erred == is_ + now.erred
        shares = before.judged.passes / was, now.judged.passes / is_
        return cls(*shares, cluster, is_cut or was == is_, is_cut, 1 / min(was, is_))


class PairedRuns(Struct, frozen=True, gc=False):
    """Of at least two cases; shares of one."""

    cases: int
    mean: float
    """Now less before."""
    low: float
    """Ends of the 95 % interval of the mean."""
    high: float
    verdicts: "LostAndGained | None"
    """`None` where a case was tried more often on one side than on the other: passing every time
    says less of the side with fewer trials. So it does of one that lost attempts to errors, which
    is left out alone."""
    visible_drop: float
    """The smallest drop of the mean that this would have seen four times of five."""
    groups: int = 0
    """Of cases that belong together; 0 where each stands for itself. One group tells no interval:
    it is all there can be then."""
    left_out: int = 0
    """Cases besides, of which a side has no judged attempt."""
    muted: int = 0
    """Cases besides that count for nothing, where that is told here."""

    @classmethod
    def of(cls, cases: Iterable[PairedCase | None]) -> Self | None:
        """`None` of fewer than two, which tell nothing of how much they vary; `None` among the
        cases is one that is left out."""
        from evaltui.core.statistics.paired import paired_difference
        from evaltui.core.statistics.power import smallest_visible_drop

        all_ = tuple(cases)
        found = tuple(one for one in all_ if one is not None)
        if len(found) < 2:
            return None
        clusters = [one.cluster for one in found]
        is_grouped = None not in clusters and len({*clusters}) < len(clusters)
        changes = [one.now - one.before for one in found]
        difference = paired_difference(changes, clusters if is_grouped else None)
        groups = len({*clusters}) if is_grouped else 0
        low, high = difference.low, difference.high
        if groups == 1 and len({*changes}) > 1:
            low, high = -1.0, 1.0
        seen = difference
        if groups and difference.error < _NO_SPREAD:
            # Where no group differed the next one might: there are no more than they to tell.
            seen = replace(difference, cases=groups)
        return cls(
            len(found),
            difference.mean,
            max(-1.0, low),  # no mean of shares lies beyond, though the formula may
            min(1.0, high),
            LostAndGained.of(found),
            smallest_visible_drop(seen, sum(one.step for one in found) / len(found)),
            groups,
            len(all_) - len(found),
        )

    @property
    def difference(self) -> str:
        """`mean difference -2.4 points (95 %: -7.0 to +2.3), lost 1, gained 0, p = 1 (McNemar)`;
        in place of the latter that it cannot be told where the sides were not tried alike."""
        interval = f"95 %: {_points(self.low)} to {_points(self.high)}"
        if not self._has_spread:
            interval = "the same in every group" if self.groups else "the same in every case"
        elif self.groups == 1:
            interval = "all cases are one group, which tells no interval"
        verdicts = self.verdicts or "lost and gained not compared: one side has more trials"
        return f"mean difference {_points(self.mean)} points ({interval}), {verdicts}"

    @property
    def unseen(self) -> str:
        """What beside a result that found no drop says how little that may mean; else empty."""
        if self.high < 0:
            return ""
        drop = f"{100 * self.visible_drop:.1f} points"
        return f"a drop of less than {drop} might not have been seen (80 % power)"

    @property
    def disagreement(self) -> str:
        """Why the interval and p may part, where only one of them shows a change; else empty."""
        if self.verdicts is None or not self._has_spread or self.groups == 1:
            return ""
        is_apart = self.low > 0 or self.high < 0
        if is_apart == (self.verdicts.p_value < _LIMIT):
            return ""
        return (
            "the interval is of the mean over all cases, p of the turned verdicts alone: "
            "where only one of them shows a change, it is not sure"
        )

    @property
    def _has_spread(self) -> bool:
        return self.high - self.low >= _NO_SPREAD

    @property
    def without(self) -> str:
        """`without 3 cases that were not judged on both sides`; empty where there are none."""
        if not self.left_out:
            return ""
        cases = "1 case that was" if self.left_out == 1 else f"{self.left_out:,} cases that were"
        return f"without {cases} not judged on both sides"

    @property
    def without_muted(self) -> str:
        """`without 3 muted cases`; empty where there are none."""
        if not self.muted:
            return ""
        return f"without {self.muted:,} muted case{'s' * (self.muted > 1)}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said beside the difference, a line each."""
        unlike = self.verdicts.without if self.verdicts is not None else ""
        few = ""
        if 1 < self.groups < _FEW_GROUPS and self._has_spread:
            few = f"only {self.groups} groups: an interval of 95 % would be wider"
        left_out = (self.without, self.without_muted, unlike)
        return tuple(filter(None, (few, self.disagreement, self.unseen, *left_out)))

    def lines(self) -> Iterator[str]:
        """All of it."""
        yield self.difference
        yield from self.notes

    def document(self) -> JsonObject:
        """For programs; shares of one."""
        return {
            "cases": self.cases,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "lost": None if self.verdicts is None else self.verdicts.lost,
            "gained": None if self.verdicts is None else self.verdicts.gained,
            "p_value": None if self.verdicts is None else self.verdicts.p_value,
            "lost_and_gained_left_out": None if self.verdicts is None else self.verdicts.left_out,
            "smallest_visible_drop": self.visible_drop,
            "groups": self.groups,
            "left_out": self.left_out,
        }


class LostAndGained(Struct, frozen=True, gc=False):
    """Cases whose verdict is another, each judged as often before as now."""

    lost: int
    """Cases that passed every time and do not now."""
    gained: int
    p_value: float
    """Exact and two-sided, of so many lost and gained (McNemar)."""
    left_out: int = 0
    """Cases besides, of which a side lost attempts to errors: passing the rest says less."""

    @classmethod
    def of(cls, cases: Collection[PairedCase]) -> Self | None:
        """`None` where a case was not tried alike, or each was cut."""
        from evaltui.core.statistics.paired import mcnemar

        whole = [one for one in cases if not one.is_cut]
        if not whole or not all(one.is_tried_alike for one in cases):
            return None
        lost = sum(one.before == 1 and one.now < 1 for one in whole)
        gained = sum(one.now == 1 and one.before < 1 for one in whole)
        return cls(lost, gained, mcnemar(lost, gained), len(cases) - len(whole))

    @property
    def without(self) -> str:
        """`lost and gained without 1 case that lost attempts to errors`; empty where there are
        none."""
        if not self.left_out:
            return ""
        cases = "1 case" if self.left_out == 1 else f"{self.left_out:,} cases"
        return f"lost and gained without {cases} that lost attempts to errors"

    def __str__(self) -> str:
        return f"lost {self.lost:,}, gained {self.gained:,}, p = {self.p_value:.3g} (McNemar)"


_FEW_GROUPS = 10
"""Below it the spread between groups is hardly known: of 3 such an interval holds 74 times in 100,
of 6 it does 87 times, of 12 it does 92 times."""
_LIMIT = 0.05
"""Of p, below which it shows what an interval of 95 % without 0 does."""
_NO_SPREAD = 1e-12
"""Rounding leaves so much of a standard error of nothing, and of an interval without width."""


def _points(share: float) -> str:
    """`+2.4`, `-7.0`; what is rounded to nothing has no sign."""
    said = f"{100 * share:+.1f}"
    return "0.0" if float(said) == 0 else said


def paired_results(
    before: Mapping[CaseKey, CaseResult],
    now: Mapping[CaseKey, CaseResult],
    suites: Iterable[Suite],
    muted: Container[str],
) -> PairedRuns | None:
    """Of the cases that were asked and judged on both sides, by key; `None` where they are too
    few. `muted`: those that count for nothing, as `suite::case`."""
    both = [(key, then, now[key]) for key, then in before.items() if key in now]
    planned = {
        key: (then.as_planned, since.as_planned)
        for key, then, since in both
        if not (then.is_nothing_asserted or since.is_nothing_asserted)
    }
    counted = {key: sides for key, sides in planned.items() if str(key) not in muted}
    found = paired_trials(counted, suites)
    return found and replace(found, muted=len(planned) - len(counted))


def paired_trials(
    planned: Mapping[CaseKey, tuple[Planned, Planned]], suites: Iterable[Suite]
) -> PairedRuns | None:
    """Of cases with what was planned before and now. Errors are no trials however the others went:
    else a case would be left out only where these passed. What is read and not asked tells nothing
    of an agent."""
    return PairedRuns.of(
        PairedCase.of(*planned[case.key], cluster_of(case, suite))
        for suite in suites
        for case in suite.cases
        if case.asks_agent and case.key in planned
    )


def against_first(
    finished: Mapping[str, Mapping[CaseKey, CaseResult]],
    suites: Collection[Suite],
    muted: Container[str],
) -> Iterator[tuple[str, str, PairedRuns]]:
    """Each other agent and the first one, over all cases that both were judged on; `finished` are
    the last results, by agent, `muted` as for `paired_results`."""
    first, *others = finished or [""]
    for other in others:
        whole = paired_results(finished[first], finished[other], suites, muted)
        if whole is not None:
            yield other, first, whole
