"""What the board shows, and what it is held against, as the sides of a comparison of runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.errors import EvaltuiError
from evaltui.core.result import CaseStatus
from evaltui.disk.codec import convert
from evaltui.evidence.comparing import compare
from evaltui.evidence.gating import gate, read_thresholds
from evaltui.evidence.pack_reading import GateDecision
from evaltui.evidence.run_of_agent import dataset_of, verdicts_of
from evaltui.evidence.side import CaseRow, Side
from evaltui.evidence.summary import SummaryCounts
from evaltui.files import is_file, stamp
from evaltui.store.board import Board

GATE = Path("config/gate.json")
"""Thresholds below the project's folder."""


def results_side(board: Board) -> Side:
    """The results that are shown; those that were not run, or assert nothing, do not count."""
    counts = SummaryCounts()
    rows: dict[str, CaseRow] = {}
    suites: set[str] = set()
    for row in board.rows.values():
        result = row.result
        if result is None or not result.has_run or result.is_nothing_asserted:
            continue
        verdicts = verdicts_of(result)
        counts.add(verdicts)
        rows[str(row.key)] = convert(verdicts, CaseRow)
        suites.add(row.key.suite)
    run_id = f"#{board.run_number}" if board.run_number else "results"
    return Side(Path(), counts.document(run_id, dataset_of(suites)), {}, rows)


def pinned_side(board: Board) -> Side | None:
    """The baseline in force; `None` where nothing is pinned."""
    rows: dict[str, CaseRow] = {}
    baselines = board.standards.baselines.values()
    for baseline in baselines:
        for id_, case in baseline.cases.items():
            if case.status is CaseStatus.SKIPPED:
                continue
            key, passed = f"{baseline.suite}::{id_}", case.status is CaseStatus.PASSED
            rows[key] = CaseRow(key, passed, not passed)
    if not rows:
        return None
    passed_cases = sum(row.passed for row in rows.values())
    failed = len(rows) - passed_cases
    name = next((one.name for one in baselines if one.name), "baseline")
    summary: Mapping[str, Any] = {
        "run_id": name,
        "dataset_id": dataset_of(key.rpartition("::")[0] for key in rows),
        "total_cases": len(rows),
        "passed_cases": passed_cases,
        "failed_cases": failed,
        "hard_fail_cases": failed,
        "pass_rate": passed_cases / len(rows),
        "hard_fail_rate": failed / len(rows),
    }
    return Side(Path(), summary, {}, rows)


class BoardGate(Struct):
    """Whether what a board shows may be released; worked out where `config/gate.json` says when."""

    file: Path
    _of: object = None
    _baselines: object = None
    _known: GateDecision | None = None

    def decision(self, board: Board) -> GateDecision | None:
        """`None` without thresholds; while a run is on, that of before it."""
        if not is_file(self.file):
            self._of = self._known = None
            return None
        baselines = board.standards.baselines
        of = (stamp(self.file), board.results_at, len(board.rows))
        is_known = of == self._of and baselines is self._baselines
        if not is_known and not board.is_running:
            self._of, self._baselines, self._known = of, baselines, self._decide(board)
        return self._known

    def _decide(self, board: Board) -> GateDecision:
        try:
            thresholds = read_thresholds(self.file)
            before = pinned_side(board)
            if before is None:
                return GateDecision(False, ("nothing is pinned to hold the results against",))
            report = compare(before, results_side(board), reference={}, allow_incompatible=True)
            made = gate(report, thresholds)
        except (OSError, EvaltuiError) as error:
            return GateDecision(False, (str(error),))
        return GateDecision(made["passed"], tuple(made["failures"]), made["thresholds"])
