"""The board as it last stood, small enough to be on the screen before the project is read."""

import heapq
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, StaleCase
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.row import Row, RowStatus

FILE = "last_board.json"
VERSION = 1
ROWS = SUITES = 100
"""As many lines as a tall screen has."""
AGENTS = 8
LONGEST = 240
"""Characters of a text; no line of the board shows more."""
LARGEST = 4_000_000
"""Bytes of a file that this program can have written."""

_RANK = {status: rank for rank, status in enumerate(RowStatus)}
_ROW_STATUSES = {status.value: status for status in RowStatus}
_STATUSES = {status.value: status for status in CaseStatus}
_DEGREES = {degree.value: degree for degree in Degree}
_TIERS = {tier.value: tier for tier in Tier}
"""By value: calling an enumeration takes ten times as long, and this is before the first frame."""


class SuiteTotals(Struct, frozen=True):
    """One eval file, without its cases, and how they stood."""

    suite: Suite
    counts: Mapping[RowStatus, int]
    stale: int


class LastBoard(Struct, frozen=True):
    """What the first screen showed: `board` has its first rows only, but counts of all."""

    board: Board
    suites: tuple[SuiteTotals, ...]
    suite_count: int
    total: int
    """Cases, those that are not among the rows included."""
    lines: int
    """So many lines of the board in its order are known for certain."""
    at: float
    """When the youngest result was made; seconds since the epoch."""


def write_last_boards(folder: Path, boards: Iterable[Board]) -> None:
    """Keep the beginnings of boards in `folder`; those of other agents stay. Raises OSError."""
    from evaltui.disk.atomic import write_atomic  # loads OpenSSL, which reading has no need of

    kept = {str(entry.get("agent")): entry for entry in _entries(folder)}
    for board in boards:
        kept.pop(board.agent, None)
        kept[board.agent] = _entry(board)
    body = {"version": VERSION, "boards": list(kept.values())[-AGENTS:]}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    write_atomic(folder / FILE, text.encode("utf-8", "replace"))


def read_last_board(folder: Path, agent: str) -> LastBoard | None:
    """The board of this agent, or `None`: also when the file is missing, old or damaged.

    An agent that results call by its version (`embedded/1`, `embedded/1:strict`) is found by its
    name in the settings (`embedded`, `strict`), and by no other's.
    Without a name it is the board that was written last.
    """
    for entry in reversed(_entries(folder)):
        if agent in ("", entry.get("agent"), _plain(str(entry.get("agent")))):
            try:
                return _board(entry, str(entry["agent"]))
            except (KeyError, IndexError, TypeError, ValueError, AttributeError):
                return None
    return None


def _entries(folder: Path) -> list[dict[str, Any]]:
    try:
        with (folder / FILE).open("rb") as file:
            body = json.loads(file.read(LARGEST + 1).decode())
    except (OSError, ValueError, RecursionError):
        return []
    if not isinstance(body, dict) or body.get("version") != VERSION:
        return []
    boards = body.get("boards")
    return list(filter(_is_entry, boards)) if isinstance(boards, list) else []


def _plain(agent: str) -> str:
    kind, _, version = agent.partition("/")
    return version.partition(":")[2] or kind if kind == "embedded" else agent


def _is_entry(value: object) -> bool:
    return isinstance(value, dict)


def _entry(board: Board) -> dict[str, Any]:
    rows = list(board.rows.values())
    ranks: list[int] = []
    totals: dict[str, dict[RowStatus, int]] = {}
    stale: dict[str, int] = {}
    suites: dict[str, Suite] = {}
    for row in rows:
        name, status = row.key.suite, row.status
        ranks.append(_RANK[status])
        suites[name] = row.suite
        counts = totals.setdefault(name, {})
        counts[status] = counts.get(status, 0) + 1
        stale[name] = stale.get(name, 0) + row.is_stale
    kept = _worst(totals)
    numbers = {name: number for number, name in enumerate(kept)}
    return {
        "agent": board.agent,
        "total": len(rows),
        "lines": ROWS,
        "at": max((row.result.finished_at for row in rows if row.result), default=0.0),
        "counts": {status.value: number for status, number in board.counts.all.by_status.items()},
        "stale": board.counts.all.stale,
        "suites": [
            [name, suites[name].tool_name, suites[name].tier.value, totals[name], stale[name]]
            for name in kept
        ],
        "suite_count": len(suites),
        "rows": [_packed(rows[index], numbers) for index in _first(rows, ranks)],
    }


def _worst(totals: Mapping[str, Mapping[RowStatus, int]]) -> list[str]:
    """The suites that stand first, in file order; those of the first rows are among them."""
    ranks = [min(map(_RANK.__getitem__, counts)) for counts in totals.values()]
    order = sorted(range(len(ranks)), key=ranks.__getitem__)[:SUITES]
    names = list(totals)
    return [names[index] for index in sorted(order)]


def _first(rows: list[Row], ranks: list[int]) -> list[int]:
    """Rows of the first lines, in file order: of the flat list, and of the one with headings."""
    first = heapq.nsmallest(ROWS, range(len(rows)), key=lambda index: (ranks[index], index))
    wanted = set(first)
    heads: dict[str, None] = dict.fromkeys(rows[index].key.suite for index in first)
    members: dict[str, list[int]] = {name: [] for name in heads}
    for index, row in enumerate(rows):
        if row.key.suite in members:
            members[row.key.suite].append(index)
    room = ROWS
    for name in heads:
        found = sorted(members[name], key=lambda index: (ranks[index], index))[: max(0, room)]
        wanted.update(found)
        room -= len(found) + 1
    return sorted(wanted)


def _packed(row: Row, numbers: Mapping[str, int]) -> list[Any]:
    result = row.result
    stale = [row.stale.degree.value, *row.stale.reasons[:3]] if row.stale is not None else None
    return [
        numbers[row.key.suite],
        row.key.case,
        row.case.description[:LONGEST],
        stale,
        [int(row.regressed), int(row.newly_passed)],
        [status.value for status in row.recent],
        None
        if result is None
        else [
            result.status.value,
            result.error[:LONGEST],
            result.duration_ms,
            result.finished_at,
            int(result.stale),
            result.passes,
            result.trials,
            result.muted[:LONGEST],
        ],
    ]


def _board(entry: Mapping[str, Any], agent: str) -> LastBoard:
    suites = tuple(
        SuiteTotals(Suite(name, tool, _TIERS[tier], (), ""), _counts(counts), int(stale))
        for name, tool, tier, counts, stale in entry["suites"]
    )
    board = Board(agent)
    for packed in entry["rows"]:
        row = _row(packed, suites[packed[0]].suite, agent)
        board.rows[row.key] = row
        board.counts.update(row)
    rest = _counts(entry["counts"])
    stale = int(entry["stale"])
    board.counts.all = Counts(rest, stale)
    board.counts.suites = {each.suite.id: Counts(dict(each.counts), each.stale) for each in suites}
    board.results_at = float(entry["at"])
    return LastBoard(
        board,
        suites,
        int(entry["suite_count"]),
        int(entry["total"]),
        int(entry["lines"]),
        float(entry["at"]),
    )


def _row(packed: list[Any], suite: Suite, agent: str) -> Row:
    _, case_id, description, stale, (regressed, newly), recent, result = packed
    key = CaseKey(suite.id, str(case_id))
    row = Row(key, Case(key, ContractCase(""), suite.tier, str(description)), suite)
    row.regressed, row.newly_passed = bool(regressed), bool(newly)
    row.recent = tuple(map(_STATUSES.__getitem__, recent))
    if stale is not None:
        row.stale = StaleCase(key, _DEGREES[stale[0]], tuple(map(str, stale[1:])))
    if result is not None:
        status, error, duration_ms, finished_at, is_stale, passes, trials, muted = result
        row.result = CaseResult(
            key,
            "",
            agent,
            _STATUSES[status],
            str(description),
            float(duration_ms),
            error=str(error),
            stale=bool(is_stale),
            finished_at=float(finished_at),
            passes=int(passes),
            trials=int(trials),
            muted=str(muted),
        )
    return row


def _counts(counts: Mapping[str, Any]) -> dict[RowStatus, int]:
    found = dict.fromkeys(_RANK, 0)
    for name, count in counts.items():
        found[_ROW_STATUSES[name]] = int(count)
    return found
