"""The sum of a run: what `run/summary.json` says."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.verdict import Kind
from evaltui.evidence.packs.shards import ShardNote
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

    def add_shard(self, note: ShardNote) -> None:
        """All cases of a shard."""
        self.total += len(note.case_ids)
        self.passed += note.passed
        self.hard_failed += note.hard_failed
        for name, (passed, judged) in note.by_judge.items():
            counts = self.by_judge.setdefault(name, [0, 0])
            counts[0] += passed
            counts[1] += judged

    def document(self, run_id: str, dataset_id: str) -> dict[str, Any]:
        return {
            "run_id": run_id,
            "dataset_id": dataset_id,
            "schema_version": VERSION,
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
