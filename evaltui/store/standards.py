"""What the cases of a board are held against besides their checks."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.baseline import Baseline, BaselineCase, Change, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.proof import Proof, Standing
from evaltui.store.row import Row


class Standards(Struct):
    """The baselines and mutes in force, and what a fall says of this agent."""

    baselines: dict[str, Baseline] = field(default_factory=dict)
    """By suite id."""
    mutes: Mapping[str, str] = field(default_factory=dict)
    """Reasons by `suite::case`."""
    is_sampled: bool = False
    """Whether the agent may answer the same request otherwise the next time."""

    def fit(self, row: Row) -> None:
        """Give a new row what holds for its case."""
        row.muted = self.mutes.get(str(row.key), "") if self.mutes else ""
        row.baseline = self._baseline(row)

    def mark(self, row: Row) -> None:
        """Compare a row whose result, baseline or mute changed."""
        change = _against(row)
        fell, rose = change is Change.REGRESSED, change is Change.NEWLY_PASSED
        if self.is_sampled and row.case.asks_agent:
            proven = row.proof.standing if row.proof is not None and not row.muted else None
            row.regressed = proven is Standing.REGRESSED
            row.newly_passed = proven is Standing.IMPROVED
        else:
            row.regressed, row.newly_passed = fell, rose
        row.moved = fell and not row.regressed
        row.moved_up = rose and not row.newly_passed

    def mute(self, mutes: Mapping[str, str], rows: Mapping[CaseKey, Row]) -> Iterable[Row]:
        """Replace the mutes in force. Yields rows whose mute changed."""
        before, self.mutes = self.mutes, mutes
        for name, _ in before.items() ^ mutes.items():
            row = rows.get(CaseKey(*name.split("::", 1))) if "::" in name else None
            if row is not None:
                row.muted = mutes.get(name, "")
                yield row

    def follow_sampling(self, is_sampled: bool, rows: Iterable[Row]) -> Iterable[Row]:
        """Whether falls are proof or not. Yields rows whose mark changes."""
        if self.is_sampled is not is_sampled:
            self.is_sampled = is_sampled
            yield from (row for row in rows if _is_marked(row))

    def weigh(
        self, proofs: Iterable[Proof], rows: Mapping[CaseKey, Row], *, is_whole: bool
    ) -> Iterable[tuple[Row, bool]]:
        """What trials prove now; `is_whole`: of no other case is anything known. Yields rows of
        which something else is known, and whether one that counts: most trials more do not."""
        told = {proof.key: proof for proof in proofs}
        for row in rows.values() if is_whole else (rows[key] for key in told.keys() & rows.keys()):
            proof = told.get(row.key)
            if row.proof != proof:
                counted, row.proof = _counted(row.proof), proof
                yield row, counted != _counted(proof)

    def compare_with(self, baselines: Iterable[Baseline], rows: Iterable[Row]) -> Iterable[Row]:
        """Replace the baselines in force. Yields rows whose own changed."""
        self.baselines = {baseline.suite: baseline for baseline in baselines}
        for row in rows:
            then = self._baseline(row)
            if then != row.baseline:
                row.baseline = then
                yield row

    def _baseline(self, row: Row) -> BaselineCase | None:
        baseline = self.baselines.get(row.key.suite)
        return baseline.cases.get(row.key.case) if baseline else None


def _counted(proof: Proof | None) -> tuple[Standing, bool]:
    """What of it marks a row."""
    return (Standing.OPEN, False) if proof is None else (proof.standing, proof.is_flaky)


def _is_marked(row: Row) -> bool:
    return row.regressed or row.moved or row.newly_passed or row.moved_up or row.proof is not None


def _against(row: Row) -> Change:
    """How the row moved against its baseline; one that is muted does not."""
    if row.baseline is None or row.result is None or row.muted:
        return Change.SAME
    return judge_change(row.baseline, row.result)
