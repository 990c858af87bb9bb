"""What the normal screen gets when the dashboard is left: at most 20 lines."""

import shlex

from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.row import Row, Standing
from evaltui.tui.order import RANK
from evaltui.tui.render.clip import clip, one_line
from evaltui.tui.render.words import count
from evaltui.tui.room import first_agent
from evaltui.tui.view import PROBLEMS
from evaltui.tui.wishes import Wishes, board_of

MOST = 20
WIDTH = 100


def farewell(session: Wishes) -> list[str]:
    """Totals, failures with their reason, how to run one again, where the results are."""
    board = board_of(session, first_agent(session))
    if not board.rows:
        return []
    failures = sorted(
        (row for row in board.rows.values() if row.standing in PROBLEMS),
        key=lambda row: RANK[row.standing],
    )
    lines = [totals(board)]
    room = MOST - len(lines) - 4
    lines += [_failure(row) for row in failures[:room]]
    if len(failures) > room:
        lines.append(f"  … and {len(failures) - room:,} more")
    if failures:
        words = ("evaltui", "run", str(failures[0].key), "--agent", board.agent)
        lines.append(f"run one again: {shlex.join(words)}")
    if session.store.problems:
        lines.append(f"{count(len(session.store.problems), 'problem')} in files: evaltui check")
    lines.append(f"results: {session.config.root / session.config.output_dir}")
    return lines


def totals(board: Board) -> str:
    """`27 passed, 3 failed (2 regressed), 1 error, 5 stale`: zeroes are left out."""
    counts = board.counts
    failed = counts[Standing.FAILED] + counts[Standing.REGRESSED]
    passed = sum(
        row.result is not None and row.result.status is CaseStatus.PASSED
        for row in board.rows.values()
    )
    regressed = f" ({counts[Standing.REGRESSED]:,} regressed)" if counts[Standing.REGRESSED] else ""
    parts = [f"{passed:,} passed", f"{failed:,} failed{regressed}" if failed else ""]
    if counts[Standing.ERROR]:
        parts.append(count(counts[Standing.ERROR], "error"))
    rest = (
        (counts[Standing.FLAKY], "flaky"),
        (counts[Standing.SKIPPED], "skipped"),
        (counts[Standing.UNKNOWN], "not run"),
        (board.stale_count, "stale"),
    )
    parts += [f"{number:,} {word}" for number, word in rest if number]
    return f"{board.agent}: {', '.join(part for part in parts if part)}"


def _failure(row: Row) -> str:
    reason = one_line(row.result.error) if row.result else ""
    return clip(f"  {row.standing:9} {row.key.case}: {reason}", WIDTH)
