"""The baseline in force as a side of a comparison, and the gate between it and the board."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError
from evaltui.core.result import CaseStatus
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.pinned_side import pinned_row, pinned_side
from evaltui.evidence.compared.side import Side
from evaltui.evidence.gates.gate_decision import GateDecision
from evaltui.evidence.gates.gating import gate, read_thresholds
from evaltui.evidence.judge_code import KEY
from evaltui.evidence.run_of_agent import dataset_of
from evaltui.files import is_absent, stamp
from evaltui.session.board_as_pack import BoardEvidence, moment_of
from evaltui.store.board import Board


def side_in_force(board: Board, evidence: BoardEvidence) -> Side | None:
    """What the board is held against: the baseline in force by the rules of now, with what its
    cases asserted; `None` where nothing is pinned. As it was pinned: `side_pinned_as`."""
    baselines = board.standards.baselines.values()
    rows = [
        pinned_row(str(key), case, evidence.demands.get(key))
        for baseline in baselines
        for id_, case in baseline.cases.items()
        if case.status is not CaseStatus.SKIPPED
        for key in (CaseKey(baseline.suite, id_),)
    ]
    if not rows:
        return None
    name = next((one.name for one in baselines if one.name), "baseline")
    dataset = dataset_of(CaseKey.parse(row.case_id).suite for row in rows)
    return pinned_side(rows, name, dataset, {KEY: evidence.pinned_code})


class BoardGate:
    """Whether what a board shows may be released: worked out anew when thresholds, what is pinned
    or the results are others. The one who says so, to all who ask."""

    def __init__(self, file: Path, evidence: BoardEvidence) -> None:
        self._file, self._evidence = file, evidence
        self._report_of: object = None
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
        of = (stamp(self._file), self._report_of)
        if of != self._decision_of:
            self._decision_of, self._decision = of, self._decide()
        return self._decision

    def _hold(self, board: Board) -> None:
        moment = moment_of(board)
        is_held = moment == self._report_of
        if is_held or board.runs.is_on or not self._evidence.is_of(board):
            return
        self._report_of, self._report = moment, None
        if (before := side_in_force(board, self._evidence)) is not None:
            after = self._evidence.side(board)
            self._report = compare(before, after, reference={}, allow_incompatible=True)

    def _decide(self) -> GateDecision:
        try:
            thresholds = read_thresholds(self._file)
            if self._report is None:
                return GateDecision(False, ("nothing is pinned to compare the results with",))
            made = gate(self._report, thresholds)
        except (OSError, EvaltuiError) as error:
            return GateDecision(False, (str(error),))
        failures, warnings = tuple(made["failures"]), tuple(made["warnings"])
        return GateDecision(made["passed"], failures, made["thresholds"], warnings=warnings)
