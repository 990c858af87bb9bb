"""The blocks of suites on the console: a title, a line a case as it ends, the figures."""

from collections import Counter
from collections.abc import Iterable, Mapping

from evaltui.core.case import Case, CaseKey
from evaltui.core.cells import cells
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.expectations.outdated import outdated
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.console_lines import LONGEST, WIDTH, bar, case_lines, figures, named, titled
from evaltui.reporters.explanation import in_full, in_short
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.measurements import measurements
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.trials import trials_line


class _Block:
    """A suite that is being run: results in completion order, and how many were shown."""

    __slots__ = ("expected", "results", "shown")

    def __init__(self) -> None:
        self.expected = 0
        self.results: list[CaseResult] = []
        self.shown = 0


class SuiteBlocks:
    """One suite streams at a time; another one is shown whole once it is complete.

    Cases of several suites may be in flight together, and a block must not be torn apart.
    """

    def __init__(self, out: FramedOutput, ink: Ink, mutes: Mutes, *, explain: bool) -> None:
        """`explain`: say of every case, in full, why the agent chose its tools."""
        self._out, self._ink, self._mutes = out, ink, mutes
        self._explain = explain
        self.agents: set[str] = set()
        """Those that run: named where there are several."""
        self.suites: Mapping[str, Suite] = {}
        """By id."""
        self._traces: dict[CaseKey, Case] = {}
        self._widths: dict[str, int] = {}
        self._registry = ToolRegistry(configured=False)
        self._blocks: dict[tuple[str, str], _Block] = {}
        self._streaming: tuple[str, str] | None = None
        self._is_torn = False
        """Whether another suite stands below the lines of the one that streams."""
        self._summarized: dict[str, list[list[CaseResult]]] = {}
        """By agent: the results of each suite whose figures were said."""

    @property
    def are_of_several(self) -> bool:
        return len(self.agents) > 1

    @property
    def are_open(self) -> bool:
        """Whether there are suites that are not complete."""
        return bool(self._blocks)

    def read(self, suites: Iterable[Suite], registry: ToolRegistry) -> None:
        """Take the project as it is now."""
        self.suites = {suite.id: suite for suite in suites}
        traces = (suite.cases for suite in self.suites.values() if not suite.asks_agent)
        self._traces = {case.key: case for cases in traces for case in cases}
        self._widths.clear()
        self._registry = registry

    def expect(self, agent: str, keys: Iterable[CaseKey]) -> None:
        """These are going to be shown: a suite is complete once all of its own were."""
        for suite, cases in Counter(key.suite for key in keys).items():
            self._block((agent, suite)).expected += cases

    def add(self, result: CaseResult) -> None:
        """Show it now where its suite streams, else with its suite."""
        name = (result.agent, result.key.suite)
        block = self._block(name)
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
        self._out.show()

    def replace(self, before: CaseResult, result: CaseResult) -> None:
        """Count a result in the place of the one before of its case."""
        block = self._blocks.get((result.agent, result.key.suite))
        suites = self._summarized.get(result.agent, [])
        for results in (*suites, *([block.results] if block is not None else [])):
            for place, one in enumerate(results):
                if one is before:
                    results[place] = result

    def close(self, agent: str = "") -> None:
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

    def sum_up(self, agent: str) -> None:
        """Say what all suites of an agent came to, where there are several."""
        blocks = self._summarized.pop(agent, [])
        if len(blocks) > 1:
            whose = f" of {plain(agent)}" if self.are_of_several else ""
            total = figures(
                [result for block in blocks for result in block], self._mutes, self.suites
            )
            self._print(self._ink.bold(f"All {len(blocks)} suites{whose}: {total}"))

    def _block(self, name: tuple[str, str]) -> _Block:
        block = self._blocks.get(name)
        if block is None:
            block = self._blocks[name] = _Block()
        return block

    def _complete(self, name: tuple[str, str], block: _Block) -> None:
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
        suite = self.suites.get(suite_id)
        label = titled(suite) if suite else suite_id
        if self.are_of_several:
            label += f" · {agent}"
        if continued:
            label += " (continued)"
        self._print(self._ink.bold(bar(f"═══ {plain(label)} ")))

    def _lines(self, block: _Block) -> None:
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
            suite = self.suites.get(suite_id)
            cases = suite.cases if suite else ()
            longest = max((cells(named(case.id, case.description)) for case in cases), default=0)
            width = self._widths[suite_id] = min(max(longest + 4, WIDTH - 10), LONGEST)
        return width

    def _totals(self, name: tuple[str, str], block: _Block) -> None:
        self._print("─" * WIDTH)
        self._print(f"  {figures(block.results, self._mutes, self.suites)}")
        self._summarized.setdefault(name[0], []).append(block.results)
        if repeated := trials_line(block.results):
            self._print(f"  {repeated}")
        suite = self.suites.get(name[1])
        if suite is not None:
            for warning in outdated(suite, self._registry).warnings:
                self._print(self._ink.warn(f"  ⚠ {plain(warning)}"))

    def _print(self, line: str) -> None:
        self._out.add(line + "\n")
