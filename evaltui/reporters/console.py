"""The contract's console summary: what begins, the blocks of suites, and what a run came to."""

import os
from typing import TextIO

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseResult
from evaltui.reporters.agent_turns import AgentTurns
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.baseline_marks import BaselineMarks
from evaltui.reporters.console_end import change_lines, end_lines, side_by_side
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.suite_blocks import SuiteBlocks
from evaltui.reporters.trials import rate_text


class ConsoleReporter:
    """Several agents may run at once: the events of one are told after those of the other."""

    hears = (
        frozenset({ProjectRead, RunStarted, CaseFinished, RunFinished, ProblemFound})
        | Mutes.hears
        | BaselineMarks.hears
    )

    def __init__(self, out: TextIO, *, explain: bool = False) -> None:
        """`explain`: say of every case, in full, why the agent chose its tools."""
        self._ink = Ink(out.isatty() and "NO_COLOR" not in os.environ)
        self._mutes = Mutes()
        self._marks = BaselineMarks()
        self._framed = FramedOutput(out)
        self._blocks = SuiteBlocks(self._framed, self._ink, self._mutes, explain=explain)
        self._resumed: dict[str, frozenset[CaseKey]] = {}
        self._is_first_part: dict[str, bool] = {}
        """By agent: whether the run that goes on after this one tells all that both came to."""
        self._finished: dict[str, dict[CaseKey, CaseResult]] = {}
        """By agent: the last result of each case of its run."""
        self._again: dict[str, dict[CaseKey, CaseResult]] = {}
        """By agent: what undecided cases came to with their further trials."""
        self._told: dict[CaseKey, CaseResult] = {}
        """What their lines told of them, of the agent whose run is shown."""
        self._order: tuple[str, ...] = ()
        """All agents of the project, the first one first, whichever of them begins."""
        self._turns = AgentTurns(self._tell)

    def handle(self, event: Event) -> None:
        self._mutes.handle(event)
        self._marks.handle(event)
        if isinstance(event, RunStarted):
            self._blocks.agents.add(event.agent)
        self._turns.handle(event)

    def close(self) -> None:
        self._turns.close()
        if self._blocks.are_open:  # a run whose process died is played, and its end is missing
            self._blocks.close()
            self._print(self._ink.warn("The run was cut off before all cases were run."))
        else:
            asked = [agent for agent in self._order if agent in self._finished]
            found = {agent: self._finished[agent] for agent in asked or self._finished}
            suites = self._blocks.suites.values()
            for line in side_by_side(found, suites, self._mutes, self._ink):
                self._print(line)
        self._framed.close()

    def _tell(self, event: Event) -> None:
        match event:
            # What comes with every case stands first: they are tried in order.
            case CaseFinished(_, result):
                known = self._finished.get(result.agent)
                if known is None:
                    known = self._finished[result.agent] = {}
                before, known[result.key] = known.get(result.key), result
                if result.key in self._resumed.get(result.agent, ()):  # told at the end
                    self._again.setdefault(result.agent, {})[result.key] = result
                elif before is None:
                    self._blocks.add(result)
                else:
                    self._finish_again(before, result)
            case ProjectRead(suites, registry):
                self._blocks.read(suites, registry)
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
                self._blocks.expect(event.agent, (*event.cases, *event.resumed))
            case RunFinished():
                self._end(event)
            case ProblemFound(problem):
                self._print(self._ink.warn(f"  ⚠ {plain(str(problem))}"))
                self._framed.show()
            case _:
                pass

    def _finish_again(self, before: CaseResult, result: CaseResult) -> None:
        """An undecided case was tried again: its result takes the place of the one before."""
        self._blocks.replace(before, result)
        self._told.setdefault(result.key, before)
        self._again.setdefault(result.agent, {})[result.key] = result

    def _end(self, event: RunFinished) -> None:
        resumed = self._resumed.pop(event.agent, frozenset())
        for result in (case for suite in event.suites for case in suite.cases):
            if result.key in resumed:
                self._blocks.add(result)
        self._blocks.close(event.agent)
        for result in self._again.pop(event.agent, {}).values():
            came = rate_text(result) or ("" if result.trials_judged.count else _NO_ANSWER)
            said = f"  tried again: {plain(result.key.case)}  {came}"
            told = self._told.pop(result.key, result)
            if told.status is not result.status:  # what its line said counts no more
                said += f": {told.status} → {result.status}, {result.duration_ms:.0f}ms"
            self._print(self._ink.dim(said))
            if result.unjudged:
                self._print(f"    → {plain(result.unjudged)}")
        self._blocks.sum_up(event.agent)
        whose = f"{plain(event.agent)}: " if self._blocks.are_of_several else ""
        lines = end_lines(event, self._marks, self._mutes, self._ink, resumed, whose=whose)
        if self._is_first_part.pop(event.agent, False) and event.end is RunEnd.COMPLETED:
            lines = change_lines(event, self._mutes, self._ink, whose=whose)
        for line in lines:
            self._print(line)
        self._framed.close()

    def _print(self, line: str) -> None:
        self._framed.add(line + "\n")


_NO_ANSWER = "no answer again"
"""Of a case that got none, as often as it was tried."""
