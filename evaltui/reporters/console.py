"""The contract's console summary: a block a suite, a line a case as it ends."""

import os
from collections.abc import Iterator, Sequence
from typing import TextIO

from evaltui.core.case import CaseKey, Tier
from evaltui.core.cells import cells, fit_cells
from evaltui.core.comparison import Effect, RunChanges, in_words
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.paired_runs import paired_results
from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry, same_tool_name
from evaltui.expectations.outdated import outdated
from evaltui.reporters.agent_turns import AgentTurns
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.baseline_marks import GLYPHS, BaselineMarks, as_noun
from evaltui.reporters.carried import NOT_RUN, is_carried, others_in_words
from evaltui.reporters.explanation import in_full, in_short
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.measurements import measurements
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.trials import rate_text, trials_line
from evaltui.store.counts import Counts, summarize
from evaltui.store.row import RowMark

WIDTH = 67
LONGEST = 110
"""Columns after which a description is cut, with a mark."""


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
        self._widths: dict[str, int] = {}
        self._registry = ToolRegistry(configured=False)
        self._blocks: dict[tuple[str, str], _Block] = {}
        self._streaming: tuple[str, str] | None = None
        self._is_torn = False
        """Whether another suite stands below the lines of the one that streams."""
        self._resumed: dict[str, frozenset[CaseKey]] = {}
        self._told: dict[str, list[list[CaseResult]]] = {}
        """By agent: the results of each suite whose figures were said."""
        self._finished: dict[str, dict[CaseKey, CaseResult]] = {}
        """By agent: the last result of each case of its run."""
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
            for line in self._side_by_side():
                self._print(line)
        self._framed.close()

    def _side_by_side(self) -> Iterator[str]:
        """Each other agent against the first one, over all cases that both were judged on."""
        asked = [agent for agent in self._order if agent in self._finished]
        first, *others = asked or self._finished or [""]
        for other in others:
            then, now = self._finished[first], self._finished[other]
            whole = paired_results(then, now, self._suites.values())
            if whole is not None:
                yield f"{plain(other)} against {plain(first)}: {whole.difference}"
                if whole.unseen:
                    yield self._ink.dim(f"  {whole.unseen}")

    def _tell(self, event: Event) -> None:
        match event:
            case ProjectRead(suites, registry):
                self._suites = {suite.id: suite for suite in suites}
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
                    told = f"{event.agent}: {cases} judged again from kept answers, none is asked"
                    self._print(self._ink.dim(plain(told)))
                self._resumed[event.agent] = frozenset(event.resumed)
                self._finished[event.agent] = {}
                for key in (*event.cases, *event.resumed):
                    block = self._blocks.setdefault((event.agent, key.suite), _Block())
                    block.expected += 1
            case CaseFinished(_, result):
                known = self._finished.setdefault(result.agent, {})
                before, known[result.key] = known.get(result.key), result
                if before is None:
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
        told = self._told.get(result.agent, [])
        for results in (*told, *([block.results] if block is not None else [])):
            for place, one in enumerate(results):
                if one is before:
                    results[place] = result
        self._print(self._ink.dim(f"  tried again: {plain(result.key.case)}  {rate_text(result)}"))
        self._framed.show()

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
        label = _titled(suite) if suite else suite_id
        if len(self._agents) > 1:
            label += f" · {agent}"
        if continued:
            label += " (continued)"
        self._print(self._ink.bold(_bar(f"═══ {plain(label)} ")))

    def _lines(self, block: "_Block") -> None:
        for result in block.results[block.shown :]:
            muted, width = self._mutes.reason(result), self._width(result.key.suite)
            for line in case_lines(result, self._ink, width, muted=muted):
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
        self._print(f"  {self._figures(block.results)}")
        self._told.setdefault(name[0], []).append(block.results)
        if repeated := trials_line(block.results):
            self._print(f"  {repeated}")
        suite = self._suites.get(name[1])
        if suite is not None:
            for warning in outdated(suite, self._registry).warnings:
                self._print(self._ink.warn(f"  ⚠ {plain(warning)}"))

    def _figures(self, results: Sequence[CaseResult]) -> str:
        summary = summarize(tuple(results))
        counts = Counts.of_results(results, self._mutes.covers)
        errors = f" | {counts.errors} errors" if counts.errors else ""
        muted = f" | {counts.muted} muted" if counts.muted else ""
        idle = counts.nothing_asserted
        nothing = f" | {idle} nothing asserted" if idle else ""
        return (
            f"{counts.passed}/{counts.judged} passed | "
            f"{counts.failed} failed{errors}{muted}{nothing} | "
            f"{summary.skipped_assertions} skipped assertions | "
            f"{self._times(results)}"
        )

    def _times(self, results: Sequence[CaseResult]) -> str:
        """What the agents took now; what traces tell of another time is said apart."""
        recorded = [one.duration_ms for one in results if self._is_recorded(one)]
        ran = [one.duration_ms for one in results if not self._is_recorded(one)]
        said = [f"{sum(ran):.0f}ms total"] if ran or not recorded else []
        return " | ".join([*said, *([f"{sum(recorded):.0f}ms recorded"] if recorded else [])])

    def _is_recorded(self, result: CaseResult) -> bool:
        suite = self._suites.get(result.key.suite)
        return suite is not None and suite.tier is Tier.TRACE

    def _end(self, event: RunFinished) -> None:
        resumed = self._resumed.pop(event.agent, frozenset())
        for result in (case for suite in event.suites for case in suite.cases):
            if result.key in resumed:
                self._finish(result)
        self._close_blocks(event.agent)
        ink = self._ink
        blocks = self._told.pop(event.agent, [])
        if len(blocks) > 1:
            whose = f" of {plain(event.agent)}" if len(self._agents) > 1 else ""
            figures = self._figures([result for block in blocks for result in block])
            self._print(ink.bold(f"All {len(blocks)} suites{whose}: {figures}"))
        carried: set[CaseKey] = set()
        for suite in event.suites:
            carried |= {one.key for one in suite.cases if is_carried(one, resumed)}
            results = {one.key: one for one in suite.cases}
            for key, mark in self._marks.fallen((suite,), self._mutes).items():
                reason = self._marks.why(results[key]) if key in results else ""
                when = f" ({NOT_RUN})" if key in carried else ""
                fall = f"{GLYPHS[mark]} {as_noun(mark).upper()}"
                self._print(ink.bad(f"{fall} {plain(key.case)}{when}: {plain(reason)}"))
                if known := self._marks.evidence(event.agent, key):
                    self._print(ink.dim(f"    · {known}"))
        risen = self._marks.risen(event.suites, self._mutes)
        for mark in (RowMark.IMPROVED, RowMark.MOVED_UP):
            if fresh := {key for key, found in risen.items() if found is mark}:
                when = f", {len(fresh & carried)} of them {NOT_RUN}" if fresh & carried else ""
                said = f"{GLYPHS[mark]} {len(fresh)} {mark.value} since the baseline{when}"
                self._print(ink.good(said))
        if others := others_in_words(event, self._mutes, self._marks, resumed):
            self._print(ink.dim(f"{others}."))
        if changed := _changed(event.changes):
            whose = f"{plain(event.agent)}: " if len(self._agents) > 1 else ""
            self._print(f"{whose}{' · '.join(changed.values())}")
            for key in event.changes.worse:
                if not self._mutes.covers(key):
                    self._print(ink.bad(f"  worse  {plain(key.case)}"))
            for key in event.changes.calls_differ:
                self._print(ink.dim(f"  calls differ  {plain(key.case)}"))
        if event.end is not RunEnd.COMPLETED:
            self._print(ink.warn(f"The run was {event.end} before all cases were run."))
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


class _Block:
    """A suite that is being run: results in completion order, and how many were shown."""

    __slots__ = ("expected", "results", "shown")

    def __init__(self) -> None:
        self.expected = 0
        self.results: list[CaseResult] = []
        self.shown = 0


def _titled(suite: Suite) -> str:
    """In the contract's words, and the file's name where it is not the tool's: the suite is shown
    by that everywhere else."""
    if not suite.tool_name:  # a file of scenarios is about no tool
        return f"{suite.short_name} — {suite.tier}s"
    title = f"{suite.tool_name} — {suite.tier} evals"
    is_same = same_tool_name(suite.short_name, suite.tool_name)
    return title if is_same else f"{title} · {suite.name}"


def _bar(title: str) -> str:
    """A title wider than the others keeps its words."""
    return title + "═" * (WIDTH - cells(title))


def case_lines(
    result: CaseResult, ink: Ink, width: int = WIDTH - 10, *, muted: str = ""
) -> list[str]:
    """The case's line, its reason when it did not pass, and what a reader must know besides.

    `width` is in columns, up to where the duration begins; `muted` is why a failure does not count.
    """
    glyph, paint = ("⊘", Ink.dim) if muted else _GLYPHS[result.shown_status]
    said = rate_text(result)
    rate = f"  {said}" if said else ""
    came = "".join(f"  {fact}" for fact in how_it_came(result.response))
    # Without the glyph most lines are ASCII, which is measured at once.
    left = fit_cells(f"{plain(result.key.case)}  {plain(result.description)}", width - 4)
    lines = [f"  {glyph} {left} {result.duration_ms:8.0f}ms{rate}{came}"]
    if result.error or muted:
        why = [plain(result.error)] if result.error else []
        why += [f"muted: {plain(muted)}"] if muted else []
        lines.append(f"    → {' · '.join(why)}")
    elif result.status is CaseStatus.PASSED and not result.assertions_run:
        lines.append("    nothing asserted")
    if result.response is not None:
        lines += [f"    ⚠ {plain(note)}" for note in result.response.notes]
    lines[0] = paint(ink, lines[0])
    return lines


def _changed(changes: RunChanges) -> dict[Effect | None, str]:
    return in_words(changes.counts, changes.muted, changes.new_failed)


_GLYPHS = {
    CaseStatus.PASSED: ("✓", Ink.good),
    CaseStatus.FAILED: ("✗", Ink.bad),
    CaseStatus.ERROR: ("!", Ink.warn),
    CaseStatus.SKIPPED: ("○", Ink.dim),
}
