"""What an interleaved comparison of two states came to."""

from collections.abc import Hashable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.json_value import JsonObject
from evaltui.core.paired_runs import PairedCase, PairedRuns
from evaltui.core.statistics.e_value import e_value
from evaltui.core.statistics.next_trial import undecided
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
        return _share(self.sides.now) - _share(self.sides.baseline)


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
    def whole(self) -> PairedRuns | None:
        """All cases that can differ together; `None` where none was answered on both sides."""
        return PairedRuns.of(
            PairedCase(_share(pair.sides.baseline), _share(pair.sides.now), pair.cluster)
            for pair in self._judged.values()
        )

    def document(self) -> JsonObject:
        """For programs."""
        whole = self.whole
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
            "paired": None if whole is None else whole.document(),
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


def _share(trials: Trials) -> float:
    return trials.passes / trials.count


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
    if (whole := report.whole) is not None:
        yield from whole.lines()


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
