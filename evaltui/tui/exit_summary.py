"""What the normal screen gets when the dashboard is left: at most 20 lines."""

from collections.abc import Iterator

from evaltui.store.board import Board
from evaltui.store.row import RANK, Row
from evaltui.tui.agent_names import short_names
from evaltui.tui.command_line import check_again, run_again
from evaltui.tui.render.clip import clip, one_line
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.words import count
from evaltui.tui.session_protocol import SessionProtocol, board_of, first_agent
from evaltui.tui.view import PROBLEMS

MOST = 20
MOST_AGENTS = 6
"""Agents whose counts are shown: the rest of the lines is for failures."""
WIDTH = 100


def exit_summary(session: SessionProtocol) -> list[str]:
    """Counts of every agent, failures with their reason, how to run one again, where the results
    are."""
    names = short_names(session.agents or (first_agent(session),))
    boards = [board for agent in names if (board := board_of(session, agent)).rows]
    if not boards:
        return []
    failures = sorted(
        ((board.agent, row) for board in boards for row in _problems(board)),
        key=lambda failure: RANK[failure[1].attention],
    )
    lines = [counts_line(board) for board in boards[:MOST_AGENTS]]
    if len(boards) > MOST_AGENTS:
        lines.append(f"… and {len(boards) - MOST_AGENTS:,} more agents")
    room = MOST - len(lines) - 4
    is_several = len(names) > 1
    lines += [_failure(row, names[agent] if is_several else "") for agent, row in failures[:room]]
    if len(failures) > room:
        lines.append(f"  … and {len(failures) - room:,} more")
    if failures:
        agent, row = failures[0]
        lines.append(f"run one again: {run_again(session.config, row.key, agent)}")
    if session.store.project_problems:
        found = count(len(session.store.project_problems), "problem")
        lines.append(f"{found} in files: {check_again(session.config)}")
    lines.append(f"results: {session.config.root / session.config.output_dir}")
    return [sanitize(line.replace("\n", " ")) for line in lines]


def counts_line(board: Board) -> str:
    """`27 passed, 3 failed (2 regressed), 1 error, 5 due`: zeroes are left out."""
    counts = board.counts.all
    regressed = f" ({counts.regressed:,} regressed)" if counts.regressed else ""
    parts = [
        f"{counts.passed:,} passed",
        f"{counts.failed:,} failed{regressed}" if counts.failed else "",
        count(counts.errors, "error") if counts.errors else "",
    ]
    rest = (
        (counts.nothing_asserted, "nothing asserted"),
        (counts.not_run, "not run"),
        (counts.muted, "muted"),
        (counts.flaky, "flaky"),
        (counts.due, "due"),
        (counts.outdated, "outdated"),
    )
    parts += [f"{number:,} {word}" for number, word in rest if number]
    return f"{board.agent}: {', '.join(part for part in parts if part)}"


def _problems(board: Board) -> Iterator[Row]:
    """Failures and errors that count: muted ones have another status."""
    return (row for row in board.rows.values() if row.status in PROBLEMS)


def _failure(row: Row, agent: str) -> str:
    """`agent` only where there are several."""
    reason = one_line(row.result.error) if row.result else ""
    whose = f"@{agent} " if agent else ""
    return clip(f"  {row.attention:9} {whose}{row.key.case}: {reason}", WIDTH)
