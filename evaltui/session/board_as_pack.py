"""The results on a board as evidence: each read completely once, as a pack would hold it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Self, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.baseline import Baseline
from evaltui.core.case import Case, CaseKey
from evaltui.core.clusters import group_in
from evaltui.core.fingerprint import is_print_of
from evaltui.core.result import CaseResult
from evaltui.disk.baselines.baseline_reading import PinnedDemands
from evaltui.disk.codec import convert
from evaltui.disk.history.history import History
from evaltui.evidence.case_row import Asserted, CaseRow
from evaltui.evidence.compared.side import Side
from evaltui.evidence.judge_code import KEY, Code, code_of_checks
from evaltui.evidence.measurements import Measurements
from evaltui.evidence.run_of_agent import dataset_of, judges_of, trace_of, verdicts_of
from evaltui.evidence.summary import SummaryCounts
from evaltui.kinds import asks_judge
from evaltui.store.board import Board

Shown: TypeAlias = Sequence[tuple[Case, CaseResult]]
Demands: TypeAlias = Mapping[CaseKey, PinnedDemands]


class Pins(Struct, frozen=True, eq=False):
    """What is pinned. Two of them are equal if they hold the same object: comparing all cases of a
    large project would take too long, since it is done for every frame."""

    baselines: Mapping[str, Baseline]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pins) and other.baselines is self.baselines

    def __hash__(self) -> int:
        return id(self.baselines)


Moment: TypeAlias = tuple[float, int, int, Pins]


class CaseEvidence(Struct, frozen=True):
    """Of one result: no more than a comparison and a gate look at."""

    run_id: str
    finished_at: float
    case: Case
    """As it was in the files when this was read."""
    row: CaseRow
    judges: tuple[str, ...]
    measured: Mapping[str, list[float]]
    checks: Mapping[str, str]
    """As `Inputs.checks`."""

    @classmethod
    def of(cls, case: Case, result: CaseResult) -> Self:
        """A result whose verdicts are not kept any more still tells whether it passed. Of a case
        that was edited since it is not known what it asserted when it was run."""
        ran = case if is_print_of(result.inputs.case, case) else None
        verdicts = verdicts_of(ran, result)
        measured = Measurements()
        if ran is not None or case.asks_agent:  # else what happened is another trace
            measured.add(trace_of(ran, result))
        row = convert(verdicts, CaseRow)
        if result.lacks_verdicts:
            row = CaseRow(
                row.case_id,
                row.passed,
                row.hard_failed,
                attempts=row.attempts,
                planned=row.planned,
                erred=row.erred,
            )
        names = judges_of(ran, result)
        checks = result.inputs.checks
        return cls(result.run_id, result.finished_at, case, row, names, measured.values(), checks)


class BoardEvidence:
    """Of one agent's board. `shown` and `side` are for the thread of the board, `read` is for
    another one: it reads files."""

    def __init__(self, agent: str, history: History, pins: Callable[[str], Demands]) -> None:
        """`pins`: reads what is known of the checks of what is pinned."""
        self._agent, self._history, self._pins = agent, history, pins
        self.demands: Mapping[CaseKey, Asserted | None] = {}
        """What each pinned case asserted, as it was read last; `None` where it is not known."""
        self.pinned_code: Code = {}
        """Of the evaluators that judged what is pinned."""
        self._known: dict[CaseKey, CaseEvidence] = {}
        self._moment: Moment | None = None

    def is_of(self, board: Board) -> bool:
        """Whether what was read last is what is shown, and what is pinned."""
        return self._moment == moment_of(board)

    def shown(self, board: Board) -> Shown:
        """Cases with a result that counts: those that were not run, or assert nothing, do not."""
        return [
            (row.case, result)
            for row in board.rows.values()
            if (result := row.result) is not None and not result.is_nothing_asserted
        ]

    def read(self, shown: Shown, moment: Moment) -> None:
        """Raises HistoryError."""
        known = self._known
        found = {case.key: known[case.key] for case, one in shown if self._is_known(case, one)}
        wanted = [(case, one) for case, one in shown if case.key not in found]
        for suite, group in groupby(wanted, key=lambda each: each[0].key.suite):
            of_suite = list(group)
            light = tuple(one for _, one in of_suite)
            whole = self._history.whole_of(self._agent, suite, light)
            for (case, _), one in zip(of_suite, whole, strict=True):
                found[case.key] = CaseEvidence.of(case, one)
        self._known = {case.key: found[case.key] for case, _ in shown}
        cases = {case.key: case for case, _ in shown}
        pinned = self._pins(self._agent)
        self.demands = {key: self._asserted(cases.get(key), one) for key, one in pinned.items()}
        self.pinned_code = code_of_checks(one.checks for one in pinned.values())
        self._moment = moment

    def _asserted(self, case: Case | None, pinned: PinnedDemands) -> Asserted | None:
        """A pin that does not tell it asserted what the same case asserts now, unless that is also
        for settings and evaluators to say, which may have been others."""
        is_same = case is not None and is_print_of(pinned.case, case)
        if pinned.asserted is not None or case is None or not is_same:
            return pinned.asserted
        if case.body.evaluators or asks_judge(case):
            return None
        return self._known[case.key].row.asserted

    def side(self, board: Board) -> Side:
        """What was read last, as one side of a comparison; groups are those of the files now."""
        run_id = f"#{board.runs.number}" if board.runs.number else "results"
        groups = {case.key: group_in(case, of) for of in board.suites for case in of.cases}
        counts, measured = SummaryCounts(), Measurements()
        judges: dict[str, None] = {}
        rows: dict[str, CaseRow] = {}
        for key, one in self._known.items():
            counts.add(msgspec.to_builtins(one.row))
            measured.extend(one.measured)
            judges |= dict.fromkeys(one.judges)
            rows[str(key)] = replace(one.row, group=groups.get(key, ""))
        summary = counts.document(run_id, dataset_of(key.suite for key in self._known))
        code = code_of_checks(one.checks for one in self._known.values())
        config: Mapping[str, Any] = {"judges": list(judges), KEY: code}
        return Side(Path(), summary, config, rows, measured.document())

    def _is_known(self, case: Case, result: CaseResult) -> bool:
        one = self._known.get(case.key)
        if one is None or (one.case is not case and one.case != case):
            return False
        return (one.run_id, one.finished_at) == (result.run_id, result.finished_at)


def moment_of(board: Board) -> Moment:
    """Is another one when other results are shown, or something else is pinned."""
    return board.results_at, len(board.rows), board.runs.number, Pins(board.standards.baselines)
