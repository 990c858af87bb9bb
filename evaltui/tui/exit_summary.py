"""What is printed when the dashboard is left: at most 20 lines, as wide as the screen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaltui.core.events import RunEnd
from evaltui.core.proof import why_fallen
from evaltui.session.fresh_pins import HOW_TO_PIN, REASON
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.row_status import RANK
from evaltui.tui.agent_names import short_names
from evaltui.tui.command_line import check_again, run_again
from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.evidence import evidence_of
from evaltui.tui.render.glyphs import ERROR, PASSED
from evaltui.tui.render.sanitize import one_line, sanitize
from evaltui.tui.render.words import count
from evaltui.tui.sessions.pack_session import PackSession
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of, first_agent

MOST = 20
MOST_AGENTS = 6
"""Agents whose counts are shown: the rest of the lines is for failures."""
WIDTH = 100
_LAST_KNOWN = "The last known results, as the project was not read to its end:"
_SHORTEST_EVIDENCE = 12
"""Cells below which what trials prove says nothing."""


def exit_summary(session: SessionProtocol, width: int = WIDTH, height: int = MOST) -> list[str]:
    """Counts of every agent, failures with their reason, how to run one again, where the results
    are; of a pack, which runs nothing, where it is.

    They take at most `MOST` lines of a terminal of so many cells, and no more than its `height`:
    failures are cut to it, while counts and what may be copied are whole and may take several.
    """
    names = short_names(session.agents or (first_agent(session),))
    boards = [board for agent in names if (board := board_of(session, agent)).rows]
    if not boards:
        return []
    failures = sorted(
        ((board, row) for board in boards for row in _problems(board)),
        key=lambda failure: RANK[failure[1].attention],
    )
    lines = [_LAST_KNOWN] if any(board.is_cached for board in boards) else []
    lines += [counts_line(board) for board in boards[:MOST_AGENTS]]
    lines += [line for board in boards[:MOST_AGENTS] for line in _bound(board)]
    lines += [line for board in boards[:MOST_AGENTS] for line in _unpinned(board)]
    if len(boards) > MOST_AGENTS:
        lines.append(f"… and {len(boards) - MOST_AGENTS:,} more agents")
    is_several = len(names) > 1
    found = [*_failure_lines(failures, names if is_several else {}, min(width, WIDTH))]
    last = [
        *(_of_pack(session) if isinstance(session, PackSession) else _of_project(session, failures))
    ]
    room = min(MOST, height) - sum(_rows(line, width) for line in (*lines, *last))
    if len(found) > room:
        room = max(0, room - 1)  # for how many there are besides
    lines += [line for line, _ in found[:room]]
    if len(found) > room:
        lines.append(f"  … and {sum(cases for _, cases in found[room:]):,} more")
    return [_plain(line) for line in (*lines, *last)]


def _plain(line: str) -> str:
    return sanitize(line.replace("\n", " "))


def _rows(line: str, width: int) -> int:
    """Lines of a terminal that it takes."""
    return max(1, -(-width_of(_plain(line)) // width))


def _of_project(session: SessionProtocol, failures: Sequence[tuple[Board, Row]]) -> Iterator[str]:
    if failures:
        board, row = failures[0]
        yield f"run one again: {run_again(session.config, row.key, board.agent)}"
    if session.store.problems.of_project:
        found = count(len(session.store.problems.of_project), "problem")
        yield f"{found} in files: {check_again(session.config)}"
    yield f"results: {session.config.root / session.config.output_dir}"


def _of_pack(session: PackSession) -> Iterator[str]:
    if session.pack is not None and session.pack.problems:
        found = count(len(session.pack.problems), "problem")
        yield f"{found}: the pack was changed after it was written"
    yield f"evidence: {session.path.absolute()}"


def counts_line(board: Board) -> str:
    """`27 passed, 3 failed, 1 error · 2 regressed, 5 due`: what each counts as, then the marks, as
    in the header; zeroes are left out, except of what passed."""
    counts = board.counts.all
    figures = {mark: n for mark, n in count_marks(counts).items() if n or mark is PASSED}
    said = ", ".join(
        count(number, ERROR.word) if mark is ERROR else f"{number:,} {mark.word}"
        for mark, number in figures.items()
    )
    marks = ", ".join(f"{number:,} {mark.word}" for mark, number in side_marks(counts).items())
    return f"{board.agent}: {said}{f' · {marks}' if marks else ''}"


def _bound(board: Board) -> Iterator[str]:
    """What the last save's runs tell of cases that did not run."""
    ran = board.ran_where_drawn
    if ran is not None and ran.left:
        yield f"  {' · '.join(filter(None, (ran.words, ran.bound)))}"


def _unpinned(board: Board) -> Iterator[str]:
    """That fresh trials were broken off, so that the baseline is as it was."""
    run = board.runs.last
    if run is not None and run.reason == REASON and run.end is not RunEnd.COMPLETED:
        yield f"  nothing was pinned: the trials were broken off; {HOW_TO_PIN}"


def _problems(board: Board) -> Iterator[Row]:
    """Failures and errors that count, and what is proven to be worse though it passed this time:
    muted ones are neither."""
    return (row for row in board.rows.values() if row.is_failing or row.regressed)


def _failure_lines(
    failures: Iterable[tuple[Board, Row]], names: Mapping[str, str], width: int
) -> Iterator[tuple[str, int]]:
    """A line for each, and the number of its cases: of those that an agent gave no answer to for
    the same reason there is one. `names` of agents, only where there are several."""
    said: set[tuple[str, str]] = set()
    for board, row in failures:
        reason = "" if row.result is None else row.result.error
        if row.regressed and row.result is not None:
            reason = why_fallen(row.result)
        like = board.faults.like(row.key)
        if like > 1 and (board.agent, reason) in said:
            continue
        said.add((board.agent, reason))
        what = f"{like:,} cases" if like > 1 else row.key.case
        whose = f"@{names[board.agent]} " if names else ""
        is_one = like <= 1
        # As the counts say it: what is worse in the last save may be either, or neither.
        word = row.against if row.regressed or row.moved else row.attention
        lead = f"  {word:9} {whose}{what}: "
        known = evidence_of(row) if is_one else ""
        text = _with_evidence(one_line(reason), known, width - width_of(lead))
        yield clip(lead + text, width), max(1, like)


def _with_evidence(reason: str, evidence: str, room: int) -> str:
    """The reason, and behind it what trials prove, which takes half of so many cells at most where
    the reason needs the rest."""
    if not evidence or room < _SHORTEST_EVIDENCE * 2:
        return reason
    known = f" · {clip(evidence, max(room // 2, room - width_of(reason)) - 3)}"
    return clip(reason, room - width_of(known)) + known
