"""Everything that needs attention, grouped: file mistakes, staleness, regressions, overlaps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.render.clip import fit, one_line
from evaltui.tui.render.glyphs import REGRESSED, SEVERITY, STALE, Mark
from evaltui.tui.render.paper import Paper

OVERLAP = Mark("⇄", "&", "overlap", "case-stale")
DROPPED = "sink-dropped"
GLIMPSE = 50
"""Entries of a group that one key press shows: 20,000 stale cases are one line and these."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the drawer, and where it leads."""

    mark: Mark
    text: str
    problem: Problem | None = None
    key: CaseKey | None = None


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    entries: tuple[Entry, ...]
    hint: str = ""


def gather(problems: Iterable[Problem], board: Board) -> tuple[Group, ...]:
    """Groups that are not empty, the most urgent first; entries in file order."""
    standing = tuple(problems)
    files = [p for p in standing if p.file]
    dropped = [p for p in standing if not p.file and p.code == DROPPED]
    others = [p for p in standing if not p.file and p.code != DROPPED]
    rows = board.rows.values()
    groups = (
        Group("file mistakes", tuple(_problem(p) for p in files), "the last good version stands"),
        Group("faults outside the files", tuple(_problem(p) for p in others)),
        Group("outputs that stopped", tuple(_problem(p) for p in dropped), "the run goes on"),
        Group("regressions", tuple(_regression(row) for row in rows if row.regressed)),
        Group("stale results", tuple(_stale(rows)), "`R` runs what is stale"),
        Group("overlapping tools", tuple(_overlaps(rows))),
    )
    return tuple(group for group in groups if group.entries)


def write_problems(paper: Paper, groups: Sequence[Group]) -> dict[str, Entry]:
    """Returns the entry by the anchor of its line."""
    entries: dict[str, Entry] = {}
    if not groups:
        paper.teach(
            "No problems: every file could be read, nothing regressed, nothing is stale.",
            "Mistakes in eval, tool and config files appear here with the line they are on.",
        )
    for group in groups:
        is_open, triangle = paper.opens(group.title, True)
        paper.write(
            (f"{triangle} {group.title} ", paper.look.style("strong", bold=True)),
            (str(len(group.entries)), "strong"),
            (f"  {paper.look.hint(group.hint)}" if group.hint else "", "quiet"),
            fold=group.title,
            pages=int(is_open),
            anchor=group.title,
        )
        if is_open:
            _write_entries(paper, group, entries)
    return entries


def _write_entries(paper: Paper, group: Group, entries: dict[str, Entry]) -> None:
    more = f"more:{group.title}"
    pages = paper.folds.pages(more)
    shown = group.entries[: GLIMPSE * (pages + 1)]
    for number, entry in enumerate(shown):
        anchor = f"{group.title}:{number}"
        entries[anchor] = entry
        text = f"{paper.look.symbol(entry.mark)} {entry.mark.word:<9} {one_line(entry.text)}"
        width = paper.width - 2
        cut = fit(text, width, paper.look.symbols.cut).rstrip()
        paper.write((cut, entry.mark.variable), indent=2, anchor=anchor, copy=_Copy(entry))
    if hidden := len(group.entries) - len(shown):
        paper.write(
            (f"{paper.look.symbols.cut} {hidden:,} more: Enter shows the next", "quiet"),
            indent=2,
            fold=more,
            pages=pages,
            is_more=True,
        )


def _problem(problem: Problem) -> Entry:
    place = ":".join(str(part) for part in (problem.file, problem.line, problem.column) if part)
    text = f"{place}  {problem.what}" if place else problem.what
    return Entry(SEVERITY[problem.severity], text, problem)


def _regression(row: Row) -> Entry:
    reason = row.result.error if row.result else ""
    return Entry(REGRESSED, f"{row.key.case}  passed in the baseline: {reason}", key=row.key)


def _stale(rows: Iterable[Row]) -> Iterable[Entry]:
    for row in rows:
        if row.stale is not None:
            reasons = ", ".join(row.stale.reasons)
            degree = "" if row.stale.degree is Degree.AFFECTED else "possibly: "
            yield Entry(STALE, f"{row.key.case}  {degree}{reasons}", key=row.key)
        elif row.result is not None and row.result.stale:
            said = "the tool's description is not the one this suite was written for"
            yield Entry(STALE, f"{row.key.case}  {said}", key=row.key)


def _overlaps(rows: Iterable[Row]) -> Iterable[Entry]:
    """The agent's own warnings: which tools compete for which words."""
    for row in rows:
        response = row.result.response if row.result else None
        if response is None or (row.result and row.result.status is CaseStatus.ERROR):
            continue
        warnings = response.explanation.get("warnings")
        for warning in warnings if isinstance(warnings, (list, tuple)) else ():
            said = str(warning).removeprefix("overlap: ")
            yield Entry(OVERLAP, f"{row.key.case}  {said}", key=row.key)


@dataclass(frozen=True, slots=True)
class _Copy:
    entry: Entry

    def __call__(self) -> str:
        return str(self.entry.problem) if self.entry.problem else self.entry.text
