"""The sum of a run: what `run/summary.json` says."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from evaltui.core.verdict import Kind
from evaltui.evidence.case_row import CaseRow
from evaltui.traces.reading import VERSION


class SummaryCounts:
    """Counts case by case, so that none needs to be kept."""

    def __init__(self) -> None:
        self.total = self.passed = self.hard_failed = 0
        self.by_judge: dict[str, list[int]] = {}
        """Passed, and judged at all; what only measures is no judge."""

    @property
    def failed(self) -> int:
        return self.total - self.passed

    def add(self, verdicts: Mapping[str, Any]) -> None:
        """A case, as `case_verdicts` makes it."""
        self.total += 1
        self.passed += verdicts["passed"]
        self.hard_failed += verdicts["hard_failed"]
        for result in verdicts["judge_results"]:
            if not result["skipped"] and result.get("kind") != Kind.METRIC:
                counts = self.by_judge.setdefault(result["judge_id"], [0, 0])
                counts[0] += result["passed"]
                counts[1] += 1

    def add_rows(self, rows: Collection[CaseRow]) -> None:
        """Cases that were written before, read again, and do not contradict themselves: where one
        passed, no judge of it failed."""
        self.total += len(rows)
        self.passed += sum(row.passed for row in rows)
        self.hard_failed += sum(row.hard_failed for row in rows)
        metric = Kind.METRIC
        judged = Counter(
            [
                one.judge_id
                for row in rows
                for one in row.judge_results
                if not one.skipped and one.kind is not metric
            ]
        )
        failed = Counter(
            one.judge_id
            for row in rows
            if not row.passed
            for one in row.failed_judges
            if one.kind is not metric
        )
        for name, count in judged.items():
            counts = self.by_judge.setdefault(name, [0, 0])
            counts[0] += count - failed[name]
            counts[1] += count

    def document(self, run_id: str, dataset_id: str) -> dict[str, Any]:
        named = {"run_id": run_id, "dataset_id": dataset_id, "schema_version": VERSION}
        return {**named, **self.numbers()}

    def numbers(self) -> dict[str, Any]:
        """All that follows from the cases."""
        return {
            "total_cases": self.total,
            "passed_cases": self.passed,
            "failed_cases": self.failed,
            "hard_fail_cases": self.hard_failed,
            "pass_rate": _rate(self.passed, self.total),
            "hard_fail_rate": _rate(self.hard_failed, self.total),
            "judge_pass_rates": {
                name: _rate(*counts) for name, counts in sorted(self.by_judge.items())
            },
        }


def _rate(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
