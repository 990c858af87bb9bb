"""Suites' results after a run, put together from what the board knows."""

from collections.abc import Container, Iterable, Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from evaltui.core.baseline import Comparison, compare
from evaltui.core.case import Case, CaseKey
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.core.tool import ToolRegistry
from evaltui.disk.history.history import History
from evaltui.expectations.outdated import outdated
from evaltui.store.board import Board
from evaltui.store.counts import summarize


class SuiteResults:
    """Suites with the last results of one agent, as one run leaves them."""

    def __init__(
        self,
        board: Board,
        registry: ToolRegistry,
        history: History,
        run_id: str,
        settings: str = "",
        *,
        is_over: bool = False,
    ) -> None:
        """`settings`: what the agent's results cannot be read without.

        `is_over`: whether the run ended already, maybe in another process.
        """
        self._board = board
        self._registry = registry
        self._history = history
        self._run_id = run_id
        self._settings = settings
        self._is_over = is_over

    def of_all(
        self, suites: Iterable[Suite], now: float
    ) -> tuple[tuple[SuiteResult, ...], tuple[Comparison, ...]]:
        """`now` is in seconds since the epoch. Suites without a result are left out."""
        found = [self.of(suite, now) for suite in suites]
        return (
            tuple(result for result, _ in found if result.cases),
            tuple(comparison for _, comparison in found if comparison is not None),
        )

    def whole(self, suite: Suite, now: float) -> SuiteResult:
        """The suite with the details that only the history has filled in."""
        return self._history.complete(self.of(suite, now)[0], with_own=self._is_over)

    def taken_over(
        self, suites: Iterable[Suite], keys: Container[CaseKey], now: float
    ) -> list[CaseResult]:
        """Earlier results of these cases with their answers, as if they were of this run."""
        found: list[CaseResult] = []
        for suite in suites:
            if any(case.key in keys for case in suite.cases):
                cases = self.whole(suite, now).cases
                found += (one for one in cases if one.key in keys)
        return [
            replace(one, run_id=self._run_id, carried_from="", finished_at=now) for one in found
        ]

    def of(self, suite: Suite, now: float) -> tuple[SuiteResult, Comparison | None]:
        """The suite with every case that has a result, carried ones marked (contract B2) and as
        the board has them. The comparison is `None` without a baseline.
        """
        board, baseline = self._board, self._board.standards.baselines.get(suite.id)
        rows = (board.rows.get(case.key) for case in suite.cases)
        cases = tuple(_carried(row.result, self._run_id) for row in rows if row and row.result)
        found = outdated(suite, self._registry)
        comparison = compare(suite.id, baseline, cases, board.standards.mutes) if baseline else None
        result = SuiteResult(
            suite=suite.id,
            run_id=self._run_id,
            timestamp=datetime.fromtimestamp(now, UTC).isoformat().replace("+00:00", "Z"),
            tier=suite.tier,
            tool_name=suite.tool_name,
            agent=board.agent,
            endpoint=board.agent,
            metadata=current_metadata(suite, self._registry),
            cases=cases,
            summary=summarize(cases),
            staleness_warnings=found.warnings,
            stale=found.is_outdated,
            baseline_run_id=baseline.run_id if baseline else None,
            regressions=comparison.regressions if comparison else (),
            new_passes=comparison.new_passes if comparison else (),
            errored=tuple(case.key.case for case in cases if case.status is CaseStatus.ERROR),
            settings=settings_of_those_asked(self._settings, suite.cases),
        )
        return result, comparison


def last_result(
    suite: Suite, board: Board, registry: ToolRegistry, history: History
) -> SuiteResult | None:
    """The suite as its last run left it, details filled in; `None` when nothing has run."""
    rows = (board.rows.get(case.key) for case in suite.cases)
    known = (row.result for row in rows if row and row.result)
    latest = max(known, key=lambda result: result.finished_at, default=None)
    if latest is None:
        return None
    made = SuiteResults(board, registry, history, latest.run_id, is_over=True)
    return made.whole(suite, latest.finished_at)


def current_metadata(suite: Suite, registry: ToolRegistry) -> Mapping[str, Json]:
    """The contract's `metadata`: values of now; `None` for what cannot be read (A47)."""
    return tool_metadata(suite.tool_name, registry) | {"evalFileHash": suite.file_hash}


def tool_metadata(name: str, registry: ToolRegistry) -> dict[str, Json]:
    """What of it is about the tool and those beside it."""
    tool = registry.find(name)
    return {
        "toolVersion": tool.version if tool else None,
        "descriptionHash": tool.description_hash if tool else None,
        "registrySize": registry.size if registry.configured else None,
    }


def _carried(result: CaseResult, run_id: str) -> CaseResult:
    if result.run_id == run_id:
        return result
    return replace(result, carried_from=result.carried_from or result.run_id)


def settings_of_those_asked(settings: str, cases: Iterable[Case]) -> str:
    """Those of the agent; empty where none of the cases asks it."""
    return settings if any(case.asks_agent for case in cases) else ""
