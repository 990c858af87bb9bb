"""What the cases of a board are held against besides their checks."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.baseline import Baseline, BaselineCase, Change, judge_change
from evaltui.core.case import CaseKey
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
        row.regressed = change is Change.REGRESSED and not self.is_sampled
        row.moved = change is Change.REGRESSED and self.is_sampled
        row.newly_passed = change is Change.NEWLY_PASSED

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
            yield from (row for row in rows if row.regressed or row.moved)

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


def _against(row: Row) -> Change:
    """How the row moved against its baseline; one that is muted does not."""
    if row.baseline is None or row.result is None or row.muted:
        return Change.SAME
    return judge_change(row.baseline, row.result)
