"""What an interleaved comparison of two states came to."""

from collections.abc import Hashable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.json_value import JsonObject
from evaltui.core.statistics.e_value import e_value
from evaltui.core.statistics.next_trial import undecided
from evaltui.core.statistics.paired import PairedDifference, mcnemar, paired_difference
from evaltui.core.statistics.power import smallest_visible_drop
from evaltui.core.statistics.proven import proven
from evaltui.core.statistics.trials import Trials, TwoSides


class AbPair(Struct, frozen=True):
    """One case on both sides."""

    sides: TwoSides = TwoSides()
    errors: int = 0
    """Attempts of either side that were not answered: they are no trials."""
    reason: str = ""
    """Of its last failure now, or of an error."""
    cluster: Hashable = None

    def after(self, trial: Trials, *, is_now: bool) -> "AbPair":
        """With one more trial of a side."""
        then, now = self.sides.baseline, self.sides.now
        sides = TwoSides(then, now + trial) if is_now else TwoSides(then + trial, now)
        return AbPair(sides, self.errors, self.reason, self.cluster)

    @property
    def is_judged(self) -> bool:
        """Whether both sides answered at least once."""
        return bool(self.sides.baseline.count and self.sides.now.count)

    @property
    def change(self) -> float:
        """Share of passes now less before."""
        then, now = self.sides.baseline, self.sides.now
        return now.passes / now.count - then.passes / then.count


class AbReport(Struct, frozen=True):
    """Passes of the same cases, asked in one run and in random order."""

    before: str
    """What is compared with: a commit or an agent."""
    now: str
    agents: tuple[str, str]
    cases: int
    """All there are; the others than `pairs` cannot differ."""
    pairs: Mapping[CaseKey, AbPair]
    """Those that can, as fixed before the first trial."""
    seed: int
    alpha: float
    max_trials: int
    is_sampled: bool = True
    """Whether the same request may be answered otherwise the next time."""
    calls: int = 0
    cost_usd: float | None = None
    stopped: str = ""
    """Why not all trials were made, in words; empty when they were."""
    as_now: tuple[str, ...] = ()
    """Sources of tools that are the same on both sides, since a commit does not hold them."""

    @property
    def worse(self) -> tuple[CaseKey, ...]:
        """Proven to pass less often now, the surest first."""
        return self._proven({key: pair.sides for key, pair in self._judged.items()})

    @property
    def better(self) -> tuple[CaseKey, ...]:
        """Proven to pass more often now."""
        return self._proven({key: pair.sides.exchanged for key, pair in self._judged.items()})

    def moved(self, *, is_up: bool) -> dict[CaseKey, int | None]:
        """Cases that pass less often now (more often, if `is_up`) and are not proven to, each with
        how many further trials a side would prove it, if all went that way; `None`: too many."""
        known = self.better if is_up else self.worse
        sides = {
            key: pair.sides.exchanged if is_up else pair.sides for key, pair in self._judged.items()
        }
        found = undecided(sides, len(self.pairs), self.alpha, self.max_trials, has_both=True)
        return {
            key: found.get(key)
            for key, pair in self._judged.items()
            if (pair.change > 0 if is_up else pair.change < 0) and key not in known
        }

    @property
    def difference(self) -> PairedDifference | None:
        """Of the cases that can differ; `None` without any."""
        found = self._judged.values()
        if not found:
            return None
        clusters = [pair.cluster for pair in found]
        is_grouped = len(set(clusters)) < len(clusters)
        changes = [pair.change for pair in found]
        return paired_difference(changes, clusters if is_grouped else None)

    @property
    def lost_gained(self) -> tuple[int, int]:
        """Cases that passed every time and do not now, and the other way round."""
        lost = gained = 0
        for pair in self._judged.values():
            then, now = pair.sides.baseline.failures == 0, pair.sides.now.failures == 0
            lost += then and not now
            gained += now and not then
        return lost, gained

    @property
    def p_value(self) -> float:
        """Exact, two-sided, of so many lost and gained."""
        return mcnemar(*self.lost_gained)

    @property
    def visible_drop(self) -> float | None:
        """The drop of the mean that this would have seen four times of five, in shares of one."""
        found = self.difference
        return None if found is None else smallest_visible_drop(found)

    def document(self) -> JsonObject:
        """For programs."""
        found, (lost, gained) = self.difference, self.lost_gained
        rows = dict.fromkeys(self.worse, "regressed") | dict.fromkeys(self.better, "improved")
        return {
            "before": self.before,
            "now": self.now,
            "agents": list(self.agents),
            "cases": self.cases,
            "affected": len(self.pairs),
            "seed": self.seed,
            "alpha": self.alpha,
            "calls": self.calls,
            "costUsd": self.cost_usd,
            "stopped": self.stopped,
            "sameOnBothSides": list(self.as_now),
            "regressed": [str(key) for key in self.worse],
            "improved": [str(key) for key in self.better],
            "lost": lost,
            "gained": gained,
            "pValue": self.p_value,
            "difference": None
            if found is None
            else {"mean": found.mean, "low": found.low, "high": found.high, "error": found.error},
            "smallestVisibleDrop": self.visible_drop,
            "pairs": [
                {
                    "case": str(key),
                    "before": _counted(pair.sides.baseline),
                    "now": _counted(pair.sides.now),
                    "errors": pair.errors,
                    "e": e_value(pair.sides) if self.is_sampled else None,
                    "verdict": rows.get(key, "undecided" if pair.is_judged else "not judged"),
                    "reason": pair.reason,
                }
                for key, pair in self.pairs.items()
            ],
        }

    @property
    def _judged(self) -> dict[CaseKey, AbPair]:
        return {key: pair for key, pair in self.pairs.items() if pair.is_judged}

    def _proven(self, sides: Mapping[CaseKey, TwoSides]) -> tuple[CaseKey, ...]:
        if not self.is_sampled:  # what is answered the same way every time needs no proof
            return tuple(key for key, two in sides.items() if two.now.passes < two.baseline.passes)
        return proven(sides, len(self.pairs), self.alpha)


def _counted(trials: Trials) -> JsonObject:
    return {"passes": trials.passes, "trials": trials.count}


def lines(report: AbReport) -> Iterator[str]:
    """The report in words, a line each."""
    who = report.agents[1] if len(set(report.agents)) == 1 else " → ".join(report.agents)
    yield f"{report.before} → {report.now}, {who} (seed {report.seed})"
    if not report.pairs:
        yield f"Nothing that the {report.cases:,} cases depend on differs between the two."
        return
    cost = "" if report.cost_usd is None else f", ${report.cost_usd:.4f}"
    yield (
        f"{len(report.pairs):,} of {report.cases:,} cases can differ · {report.calls:,} calls{cost}"
    )
    for source in report.as_now:
        yield f"`{source}` is the same on both sides: a commit does not hold what it answers."
    if report.stopped:
        yield f"Not all trials were made: {report.stopped}"
    for keys, mark in ((report.worse, "↓ regressed"), (report.better, "↑ improved")):
        yield from (_proven_line(report, key, mark) for key in keys)
    for is_up, mark in ((False, "↓? moved"), (True, "↑? moved up")):
        for key, further in report.moved(is_up=is_up).items():
            yield f"{mark}  {key}  {report.pairs[key].sides}  {_further(further)}"
    unanswered = [pair for pair in report.pairs.values() if not pair.is_judged]
    if unanswered:
        why = unanswered[0].reason
        said = f"! {len(unanswered):,} of them have no answer of both sides, and do not count"
        yield f"{said}: {why}" if why else f"{said}."
    yield from _whole(report)


def _proven_line(report: AbReport, key: CaseKey, mark: str) -> str:
    pair = report.pairs[key]
    down = mark.startswith("↓")
    said = f"{mark}  {key}  {pair.sides}"
    if report.is_sampled:
        said += f", e = {e_value(pair.sides if down else pair.sides.exchanged):.0f}"
    return f"{said}  {pair.reason}" if down and pair.reason else said


def _further(further: int | None) -> str:
    if further is None:
        return "undecided"
    trials = "1 trial" if further == 1 else f"{further} trials"
    return f"undecided: {trials} more a side would prove it, if they all went that way"


def _whole(report: AbReport) -> Iterator[str]:
    found, drop = report.difference, report.visible_drop
    if found is None or drop is None:
        return
    lost, gained = report.lost_gained
    yield (
        f"mean difference {100 * found.mean:+.1f} points "
        f"(95 %: {100 * found.low:+.1f} to {100 * found.high:+.1f}) · "
        f"lost {lost:,}, gained {gained:,}, p = {report.p_value:.3g} (McNemar)"
    )
    if found.low <= 0:
        yield f"A drop of less than {100 * drop:.1f} points might not have been seen (80 % power)."
