"""What the cases of a board are held against besides their checks."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.baseline import Baseline, BaselineCase, Change, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.proof import Proof, Standing, has_moved
from evaltui.core.result import CaseResult
from evaltui.core.varying import may_differ
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark


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
        row.baseline = self.baseline(row.key)

    def mark(self, row: Row) -> None:
        """Compare a row whose result, baseline or mute changed."""
        row.against = None
        # Without a pin and without trials there is nothing to hold it against.
        if not row.muted and (row.baseline is not None or row.proof is not None):
            change = judge_change(row.baseline, row.result)
            differs = may_differ(row.case, is_sampled=self.is_sampled)
            row.against = against_baseline(change, row.proof, row.result, may_differ=differs)

    def mute(self, mutes: Mapping[str, str], rows: Mapping[CaseKey, Row]) -> Iterable[Row]:
        """Replace the mutes in force. Yields rows whose mute changed."""
        before, self.mutes = self.mutes, mutes
        for name, _ in before.items() ^ mutes.items():
            row = rows.get(CaseKey.parse(name))
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
        """Note what trials prove of the cases. `is_whole`: of those that are not among `proofs`
        nothing is known any more. Yields each row whose proof changed, and whether that can change
        its marks: after most further trials it cannot."""
        by_key = {proof.key: proof for proof in proofs}
        for row in (
            rows.values() if is_whole else (rows[key] for key in by_key.keys() & rows.keys())
        ):
            proof = by_key.get(row.key)
            if row.proof != proof:
                counted, row.proof = _counted(row.proof), proof
                yield row, counted != _counted(proof)

    def compare_with(self, baselines: Iterable[Baseline], rows: Iterable[Row]) -> Iterable[Row]:
        """Replace the baselines in force. Yields rows whose own changed."""
        self.baselines = {baseline.suite: baseline for baseline in baselines}
        for row in rows:
            then = self.baseline(row.key)
            if then != row.baseline:
                row.baseline = then
                yield row

    def is_told_by(self, row: Row) -> bool:
        """Whether what a run made of the row's case is told by what is pinned of it now: that it
        was pinned before that run had its result, or is not pinned any more."""
        baseline, result = self.baselines.get(row.key.suite), row.compared.came_to
        if baseline is None or row.key.case not in baseline.cases:
            return True
        if result is None:
            return False
        is_itself = baseline.run_id == result.run_id
        return not is_itself and baseline.pinned_when(row.key.case) < result.finished_at

    def baseline(self, key: CaseKey) -> BaselineCase | None:
        """Of a case, also of one that is on no board; `None` where it is not pinned."""
        baseline = self.baselines.get(key.suite)
        return baseline.cases.get(key.case) if baseline else None


def _counted(proof: Proof | None) -> tuple[Standing, bool, bool]:
    """What of it marks a row."""
    if proof is None:
        return Standing.OPEN, False, False
    return proof.standing, proof.is_flaky, proof.passed_as_a_rule


def against_baseline(
    change: Change, proof: Proof | None, result: CaseResult | None, *, may_differ: bool
) -> RowMark | None:
    """The mark of a case that is not muted, on the board and in every report.

    `change`: by the contract's list; `result`: its last one. `may_differ`: whether its agent may
    answer otherwise the next time, so that a change is none until trials prove it; what they prove
    holds whichever way the last one went.
    """
    if not may_differ:
        return _AT_ONCE.get(change)
    if proof is not None and (proven := _PROVEN.get(proof.standing)):
        return proven
    if has_moved(change, proof, result):
        return RowMark.MOVED
    return RowMark.MOVED_UP if change is Change.NEWLY_PASSED else None


_AT_ONCE = {Change.REGRESSED: RowMark.REGRESSED, Change.NEWLY_PASSED: RowMark.IMPROVED}
_PROVEN = {Standing.REGRESSED: RowMark.REGRESSED, Standing.IMPROVED: RowMark.IMPROVED}


def _is_marked(row: Row) -> bool:
    return row.against is not None or row.proof is not None
