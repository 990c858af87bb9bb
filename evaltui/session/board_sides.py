"""What is pinned as a side of a comparison, and the gate between it and what a board shows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.core.errors import EvaltuiError
from evaltui.core.result import CaseStatus
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.comparing import compare
from evaltui.evidence.gate_decision import GateDecision
from evaltui.evidence.gating import gate, read_thresholds
from evaltui.evidence.run_of_agent import dataset_of
from evaltui.evidence.side import Side
from evaltui.files import is_absent, stamp
from evaltui.session.board_evidence import BoardEvidence, moment_of
from evaltui.store.board import Board


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


class BoardGate:
    """Whether what a board shows may be released: worked out anew when thresholds, what is pinned
    or the results are others. The one who says so, to all who ask."""

    def __init__(self, file: Path, evidence: BoardEvidence) -> None:
        self._file, self._evidence = file, evidence
        self._report_of: object = None
        self._baselines: object = None
        self._report: Mapping[str, Any] | None = None
        self._decision_of: object = None
        self._decision: GateDecision | None = None

    def decision(self, board: Board) -> GateDecision | None:
        """`None` without thresholds, and before the results were read. While a run is on, and until
        what it left is read, that of the results before it."""
        if is_absent(self._file):
            return None
        self._hold(board)
        if self._report_of is None:
            return None
        of = (stamp(self._file), self._report_of, id(self._report))
        if of != self._decision_of:
            self._decision_of, self._decision = of, self._decide()
        return self._decision

    def _hold(self, board: Board) -> None:
        baselines, moment = board.standards.baselines, moment_of(board)
        is_held = moment == self._report_of and baselines is self._baselines
        if is_held or board.is_running or not self._evidence.is_of(board):
            return
        self._report_of, self._baselines = moment, baselines
        self._report = None
        if (before := pinned_side(board)) is not None:
            after = self._evidence.side(board)
            self._report = compare(before, after, reference={}, allow_incompatible=True)

    def _decide(self) -> GateDecision:
        try:
            thresholds = read_thresholds(self._file)
            if self._report is None:
                return GateDecision(False, ("nothing is pinned to hold the results against",))
            made = gate(self._report, thresholds)
        except (OSError, EvaltuiError) as error:
            return GateDecision(False, (str(error),))
        return GateDecision(made["passed"], tuple(made["failures"]), made["thresholds"])
