"""The contract's console summary: a block a suite, a line a case as it ends."""

import os
from typing import TextIO

from evaltui.core.case import Case, CaseKey
from evaltui.core.cells import cells
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.expectations.outdated import outdated
from evaltui.reporters.agent_turns import AgentTurns
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.baseline_marks import BaselineMarks
from evaltui.reporters.console_end import change_lines, end_lines, side_by_side
from evaltui.reporters.console_lines import (
    LONGEST,
    WIDTH,
    bar,
    case_lines,
    figures,
    titled,
)
from evaltui.reporters.explanation import in_full, in_short
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.measurements import measurements
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.trials import rate_text, trials_line


class ConsoleReporter:
    """One suite streams at a time; another one is shown whole once it is complete.

    Cases of several suites may be in flight together, and a block must not be torn apart; so may
    those of several agents, which come one after the other.
    """

    hears = (
        frozenset({ProjectRead, RunStarted, CaseFinished, RunFinished, ProblemFound})
        | Mutes.hears
        | BaselineMarks.hears
    )

    def __init__(self, out: TextIO, *, explain: bool = False) -> None:
        """`explain`: say of every case, in full, why the agent chose its tools."""
        self._explain = explain
        self._ink = Ink(out.isatty() and "NO_COLOR" not in os.environ)
        self._mutes = Mutes()
        self._marks = BaselineMarks()
        self._suites: dict[str, Suite] = {}
        self._traces: dict[CaseKey, Case] = {}
        self._widths: dict[str, int] = {}
        self._registry = ToolRegistry(configured=False)
        self._blocks: dict[tuple[str, str], _Block] = {}
        self._streaming: tuple[str, str] | None = None
        self._is_torn = False
        """Whether another suite stands below the lines of the one that streams."""
        self._resumed: dict[str, frozenset[CaseKey]] = {}
        self._is_first_part: dict[str, bool] = {}
        """By agent: whether the run that goes on after this one tells all that both came to."""
        self._summarized: dict[str, list[list[CaseResult]]] = {}
        """By agent: the results of each suite whose figures were said."""
        self._finished: dict[str, dict[CaseKey, CaseResult]] = {}
        """By agent: the last result of each case of its run."""
        self._again: dict[str, dict[CaseKey, CaseResult]] = {}
        """By agent: what undecided cases came to with their further trials."""
        self._told: dict[CaseKey, CaseResult] = {}
        """What their lines told of them, of the agent whose run is shown."""
        self._agents: set[str] = set()
        """Those that run."""
        self._order: tuple[str, ...] = ()
        """All agents of the project, the first one first, whichever of them begins."""
        self._turns = AgentTurns(self._tell)
        self._framed = FramedOutput(out)

    def handle(self, event: Event) -> None:
        self._mutes.handle(event)
        self._marks.handle(event)
        if isinstance(event, RunStarted):
            self._agents.add(event.agent)
        self._turns.handle(event)

    def close(self) -> None:
        self._turns.close()
        if self._blocks:  # the end of a run is missing where its process died, and it is played
            self._close_blocks()
            self._print(self._ink.warn("The run was cut off before all cases were run."))
        else:
            asked = [agent for agent in self._order if agent in self._finished]
            found = {agent: self._finished[agent] for agent in asked or self._finished}
            for line in side_by_side(found, self._suites.values(), self._ink):
                self._print(line)
        self._framed.close()

    def _tell(self, event: Event) -> None:
        match event:
            case ProjectRead(suites, registry):
                self._suites = {suite.id: suite for suite in suites}
                traces = (suite.cases for suite in suites if not suite.asks_agent)
                self._traces = {case.key: case for cases in traces for case in cases}
                self._widths.clear()
                self._registry = registry
                self._order = event.agents
            case RunStarted():
                if event.settings:
                    self._print(self._ink.dim(plain(f"{event.agent} {event.settings}")))
                if event.resumed:
                    done = f"{len(event.resumed):,} finished before, {len(event.cases):,} to go"
                    self._print(self._ink.dim(plain(f"{event.agent}: {done}")))
                if event.is_rejudging:
                    number = len(event.cases)
                    cases = f"{number:,} case{'' if number == 1 else 's'}"
                    line = f"{event.agent}: {cases} judged again from kept answers, none is asked"
                    self._print(self._ink.dim(plain(line)))
                self._resumed[event.agent] = frozenset(event.resumed)
                self._is_first_part[event.agent] = event.is_rejudging and bool(event.left)
                self._finished[event.agent] = {}
                for key in (*event.cases, *event.resumed):
                    block = self._blocks.setdefault((event.agent, key.suite), _Block())
                    block.expected += 1
            case CaseFinished(_, result):
                known = self._finished.setdefault(result.agent, {})
                before, known[result.key] = known.get(result.key), result
                if result.key in self._resumed.get(result.agent, ()):  # told at the end
                    self._again.setdefault(result.agent, {})[result.key] = result
                elif before is None:
                    self._finish(result)
                else:
                    self._finish_again(before, result)
            case RunFinished():
                self._end(event)
            case ProblemFound(problem):
                self._print(self._ink.warn(f"  ⚠ {plain(str(problem))}"))
                self._framed.show()
            case _:
                pass

    def _finish(self, result: CaseResult) -> None:
        name = (result.agent, result.key.suite)
        block = self._blocks.setdefault(name, _Block())
        block.results.append(result)
        if self._streaming is None:
            self._streaming = name
            self._title(name)
            self._lines(block)
        elif self._streaming == name:
            self._resume(name)
            self._lines(block)
        if len(block.results) >= block.expected:
            self._complete(name, block)
        self._framed.show()

    def _finish_again(self, before: CaseResult, result: CaseResult) -> None:
        """An undecided case was tried again: its result takes the place of the one before."""
        block = self._blocks.get((result.agent, result.key.suite))
        suites = self._summarized.get(result.agent, [])
        for results in (*suites, *([block.results] if block is not None else [])):
            for place, one in enumerate(results):
                if one is before:
                    results[place] = result
        self._told.setdefault(result.key, before)
        self._again.setdefault(result.agent, {})[result.key] = result

    def _complete(self, name: tuple[str, str], block: "_Block") -> None:
        interrupted = self._streaming != name
        if interrupted:
            self._title(name)
            self._lines(block)
        self._totals(name, block)
        del self._blocks[name]
        if interrupted:
            self._is_torn = self._streaming is not None
            return
        self._streaming = next((n for n, b in self._blocks.items() if b.results), None)
        if self._streaming is not None:
            self._title(self._streaming)
            self._lines(self._blocks[self._streaming])

    def _resume(self, name: tuple[str, str]) -> None:
        """Only once there is a line to stand below the heading."""
        if self._is_torn:
            self._title(name, continued=True)
            self._is_torn = False

    def _title(self, name: tuple[str, str], *, continued: bool = False) -> None:
        agent, suite_id = name
        suite = self._suites.get(suite_id)
        label = titled(suite) if suite else suite_id
        if len(self._agents) > 1:
            label += f" · {agent}"
        if continued:
            label += " (continued)"
        self._print(self._ink.bold(bar(f"═══ {plain(label)} ")))

    def _lines(self, block: "_Block") -> None:
        for result in block.results[block.shown :]:
            muted, width = self._mutes.reason(result), self._width(result.key.suite)
            case = self._traces.get(result.key)
            for line in case_lines(result, self._ink, width, case=case, muted=muted):
                self._print(line)
            for line in self._why(result):
                self._print(self._ink.dim(f"    · {plain(line)}"))
        block.shown = len(block.results)

    def _why(self, result: CaseResult) -> list[str]:
        explanation = result.response.explanation if result.response else {}
        measured = measurements(result)
        if self._explain:
            return [*measured, *in_full(explanation)]
        short = in_short(explanation) if result.status is CaseStatus.FAILED else ""
        return [*measured, short] if short else measured

    def _width(self, suite_id: str) -> int:
        """Columns of glyph, id and description, so that times stand below each other."""
        width = self._widths.get(suite_id)
        if width is None:
            suite = self._suites.get(suite_id)
            cases = suite.cases if suite else ()
            longest = max((cells(case.id) + cells(case.description) for case in cases), default=0)
            width = self._widths[suite_id] = min(max(longest + 6, WIDTH - 10), LONGEST)
        return width

    def _totals(self, name: tuple[str, str], block: "_Block") -> None:
        self._print("─" * WIDTH)
        self._print(f"  {figures(block.results, self._mutes, self._suites)}")
        self._summarized.setdefault(name[0], []).append(block.results)
        if repeated := trials_line(block.results):
            self._print(f"  {repeated}")
        suite = self._suites.get(name[1])
        if suite is not None:
            for warning in outdated(suite, self._registry).warnings:
                self._print(self._ink.warn(f"  ⚠ {plain(warning)}"))

    def _end(self, event: RunFinished) -> None:
        resumed = self._resumed.pop(event.agent, frozenset())
        for result in (case for suite in event.suites for case in suite.cases):
            if result.key in resumed:
                self._finish(result)
        self._close_blocks(event.agent)
        for result in self._again.pop(event.agent, {}).values():
            came = rate_text(result) or ("" if result.trials_judged.count else _NO_ANSWER)
            said = f"  tried again: {plain(result.key.case)}  {came}"
            told = self._told.pop(result.key, result)
            if told.status is not result.status:  # what its line said counts no more
                said += f": {told.status} → {result.status}, {result.duration_ms:.0f}ms"
            self._print(self._ink.dim(said))
            if result.unjudged:
                self._print(f"    → {plain(result.unjudged)}")
        blocks = self._summarized.pop(event.agent, [])
        if len(blocks) > 1:
            whose = f" of {plain(event.agent)}" if len(self._agents) > 1 else ""
            total = figures(
                [result for block in blocks for result in block], self._mutes, self._suites
            )
            self._print(self._ink.bold(f"All {len(blocks)} suites{whose}: {total}"))
        whose = f"{plain(event.agent)}: " if len(self._agents) > 1 else ""
        lines = end_lines(event, self._marks, self._mutes, self._ink, resumed, whose=whose)
        if self._is_first_part.pop(event.agent, False) and event.end is RunEnd.COMPLETED:
            lines = change_lines(event, self._mutes, self._ink, whose=whose)
        for line in lines:
            self._print(line)
        self._framed.close()

    def _close_blocks(self, agent: str = "") -> None:
        """Show what is known of suites that are not complete, of one agent or of all."""
        for name in [name for name in self._blocks if agent in ("", name[0])]:
            block = self._blocks.pop(name)
            if block.results:
                if self._streaming != name:
                    self._title(name)
                    self._lines(block)
                else:
                    self._resume(name)
                self._totals(name, block)
        self._streaming, self._is_torn = None, False

    def _print(self, line: str) -> None:
        self._framed.add(line + "\n")


_NO_ANSWER = "no answer again"
"""Of a case that got none, as often as it was tried."""


class _Block:
    """A suite that is being run: results in completion order, and how many were shown."""

    __slots__ = ("expected", "results", "shown")

    def __init__(self) -> None:
        self.expected = 0
        self.results: list[CaseResult] = []
        self.shown = 0
