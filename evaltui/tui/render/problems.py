"""Everything that needs attention, grouped: file mistakes, staleness, regressions, overlaps."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.errors import UNREADABLE, Problem, Severity
from evaltui.core.proof import why_fallen
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.render.clip import clip, fit_tail, width_of
from evaltui.tui.render.evidence import evidence_of
from evaltui.tui.render.glyphs import DUE, MOVED, OUTDATED, REGRESSED, SEVERITY, Mark
from evaltui.tui.render.text_builder import TextBuilder

OVERLAP = Mark("⇄", "&", "overlap", "case-stale")
DROPPED = "sink-dropped"
GLIMPSE = 50
"""Entries of a group that one key press shows: 20,000 due cases are one line and these."""


class Entry(Struct, frozen=True):
    """One line of the drawer, and where it leads."""

    mark: Mark
    about: str
    """The place in a file, or the case."""
    text: str
    problem: Problem | None = None
    key: CaseKey | None = None


class Group(Struct, frozen=True):
    title: str
    entries: tuple[Entry, ...]
    hint: str = ""
    word: str = ""
    """What its entries are called in the drawer's title; empty for problems proper."""


def gather(problems: Iterable[Problem], board: Board) -> tuple[Group, ...]:
    """Groups that are not empty, the most urgent first; entries in file order."""
    status = tuple(problems)
    files = [p for p in status if p.file and p.severity is not Severity.LINT]
    lint = [p for p in status if p.severity is Severity.LINT]
    dropped = [p for p in status if not p.file and p.code == DROPPED]
    others = [p for p in status if not p.file and p not in dropped and p not in lint]
    rows = [row for row in board.rows.values() if _is_listed(row)]
    groups = (
        Group(
            "file mistakes",
            tuple(_problem(p) for p in files),
            _kept(files),
        ),
        Group("faults outside the files", tuple(_problem(p) for p in others)),
        Group("outputs that stopped", tuple(_problem(p) for p in dropped), "the run goes on"),
        Group(
            "regressions",
            tuple(_regression(row) for row in rows if row.regressed),
            _was_pinned(row for row in rows if row.regressed),
            "regressed",
        ),
        Group(
            "moved",
            tuple(_regression(row) for row in rows if row.moved),
            _was_pinned(row for row in rows if row.moved)
            + ", and may pass the next time: no proof",
            "moved",
        ),
        Group("due results", tuple(_due(rows)), "`R` runs what is due", "due"),
        Group("outdated expectations", tuple(_outdated(rows)), "`u` settles it", "outdated"),
        Group(
            "lint findings",
            tuple(_problem(p) for p in lint),
            "works, but is misleading or proves nothing",
        ),
        Group("overlapping tools", tuple(_overlaps(rows)), word="overlapping"),
    )
    return tuple(group for group in groups if group.entries)


def _is_listed(row: Row) -> bool:
    """Looked at once for each case, while a run changes many a second."""
    is_marked = row.due is not None or row.regressed or row.moved or row.is_outdated
    return is_marked or bool(row.result is not None and row.result.overlaps)


def summary(groups: Iterable[Group]) -> str:
    """`2, 4 regressed, 1 due`: problems proper, as the footer counts them, then the rest."""
    proper, others = 0, []
    for group in groups:
        if group.word:
            others.append(f"{len(group.entries):,} {group.word}")
        else:
            proper += len(group.entries)
    return ", ".join([f"{proper:,}"] * bool(proper) + others)


def write_problems(builder: TextBuilder, groups: Sequence[Group]) -> dict[str, Entry]:
    """Returns the entry by the anchor of its line."""
    entries: dict[str, Entry] = {}
    if not groups:
        builder.empty_state(
            "No problems: every file could be read, nothing regressed, nothing is due.",
            "Mistakes in eval, tool and config files appear here with their line.",
        )
    for group in groups:
        is_open, triangle = builder.opens(group.title, True)
        builder.write(
            (f"{triangle} {group.title} ", builder.look.style("strong", bold=True)),
            (str(len(group.entries)), "strong"),
            *(builder.look.spans(f"  {group.hint}", "quiet") if group.hint else ()),
            fold=group.title,
            pages=int(is_open),
            anchor=group.title,
        )
        if is_open:
            _write_entries(builder, group, entries)
    return entries


def _write_entries(builder: TextBuilder, group: Group, entries: dict[str, Entry]) -> None:
    more = f"more:{group.title}"
    pages = builder.folds.pages(more)
    shown = group.entries[: GLIMPSE * (pages + 1)]
    column = _column(shown, builder)
    for number, entry in enumerate(shown):
        anchor = f"{group.title}:{number}"
        entries[anchor] = entry
        mark = f"{builder.look.symbol(entry.mark)} {entry.mark.word:<9}"
        text = f"{mark} {_said(entry, column, builder)}"
        cut = clip(text, builder.width - 2, builder.look.symbols.cut)
        builder.write((cut, entry.mark.variable), indent=2, anchor=anchor, copy=_Copy(entry))
    if hidden := len(group.entries) - len(shown):
        builder.write(
            (f"{builder.look.symbols.cut} {hidden:,} more: Enter shows the next", "quiet"),
            indent=2,
            fold=more,
            pages=pages,
            is_more=True,
        )


def _column(entries: Iterable[Entry], builder: TextBuilder) -> int:
    """Cells for what entries are about: somewhat more than half of what the mark leaves."""
    widest = max((width_of(entry.about) for entry in entries), default=0)
    return min(widest, (builder.width - 14) * 3 // 5)


def _said(entry: Entry, column: int, builder: TextBuilder) -> str:
    """What it is about, all of a group below one another: the end of a path says more."""
    if not column:
        return entry.text
    about = fit_tail(entry.about, column, builder.look.symbols.cut)
    return f"{about}{' ' * (column - width_of(about))}  {entry.text}"


def write_problem(builder: TextBuilder, problem: Problem) -> None:
    """Where, which key, what, what to do; the lines around it are for whoever can read files."""
    where = " ".join(
        part for part in (problem.place, f"`{problem.key}`" * bool(problem.key)) if part
    )
    if where:
        builder.write((where, "quiet"), hang=2)
    builder.write((problem.what, builder.look.style("strong", bold=True)), hang=2)
    if problem.hint:
        builder.write(*builder.look.spans(problem.hint), hang=2)


def _kept(files: Sequence[Problem]) -> str:
    """What is in force of those that cannot be read."""
    unread = sum(problem.code in UNREADABLE for problem in files)
    said = "the last good version is in force" if unread else ""
    return f"{said} of what cannot be read" if 0 < unread < len(files) else said


def _problem(problem: Problem) -> Entry:
    """The place says which case it is; its id in each line would leave what is wrong no room."""
    what = problem.what.removeprefix(f"Case `{problem.case}`: ")
    return Entry(SEVERITY[problem.severity], problem.place, what, problem)


def _was_pinned(rows: Iterable[Row]) -> str:
    """How those that fell were pinned: with several trials, of which some may have failed."""
    statuses = {row.baseline.status for row in rows if row.baseline is not None}
    slipped = " every time or more often than now" if CaseStatus.FAILED in statuses else ""
    return f"passed{slipped} when they were pinned"


def _regression(row: Row) -> Entry:
    reason = why_fallen(row.result) if row.result else ""
    then = row.baseline.words if row.baseline is not None else ""
    said = " · ".join(part for part in (evidence_of(row), reason) if part)
    return Entry(
        REGRESSED if row.regressed else MOVED,
        row.key.case,
        said or f"{then} when it was pinned",
        key=row.key,
    )


def _due(rows: Iterable[Row]) -> Iterable[Entry]:
    for row in rows:
        if row.is_due and row.due is not None:
            reasons = ", ".join(row.due.reasons)
            prefix = _PREFIXES.get(row.due.degree, "")
            yield Entry(DUE, row.key.case, f"{prefix}{reasons}", key=row.key)


def _outdated(rows: Iterable[Row]) -> Iterable[Entry]:
    """One for each suite, at its first case."""
    first: dict[str, Row] = {}
    for row in rows:
        if row.is_outdated:
            first.setdefault(row.key.suite, row)
    for suite, row in first.items():
        yield Entry(OUTDATED, suite, "written for another description of its tool", key=row.key)


def _overlaps(rows: Iterable[Row]) -> Iterable[Entry]:
    """The agent's own warnings: which tools compete for which words."""
    for row in rows:
        for overlap in row.result.overlaps if row.result is not None else ():
            said = overlap.removeprefix("overlap: ")
            yield Entry(OVERLAP, row.key.case, said, key=row.key)


class _Copy(Struct, frozen=True):
    entry: Entry

    def __call__(self) -> str:
        entry = self.entry
        return str(entry.problem) if entry.problem else f"{entry.about}: {entry.text}"


_PREFIXES = {Degree.POSSIBLY: "possibly: ", Degree.TO_JUDGE: "to be judged again: "}
