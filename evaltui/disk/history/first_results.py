"""The beginning of the last board, read before the project is: no lock, no repair, no writing."""

import sqlite3
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.agent_name import settings_name
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history_ours import require_ours
from evaltui.disk.history.history_queries import agents, last_number, last_results
from evaltui.disk.history.history_schema import FILE, VERSION, version_of
from evaltui.disk.history.query_limit import limited
from evaltui.disk.history.status_letters import STATUSES

_FAILING, _OTHERS = "FE", "PS"
"""Letters of the statuses, worst first."""
_WORST_FIRST = _FAILING + _OTHERS
_LIMIT_S = 2.0
"""Nobody waits longer for a first frame: what is there is shown when the history is opened."""
_LARGE = 1_000
"""Cases of a suite from which on the worst are found sooner by status."""


IsThere: TypeAlias = Callable[[str], bool]
"""Of the id of a suite."""


def _everywhere(_: str) -> bool:
    return True


class FirstResults(Struct, frozen=True):
    """The results that stand first on a board, and how many there are of each kind behind them."""

    agent: str
    results: tuple[CaseResult, ...]
    """Light: no verdicts, no response; in the order first heard of."""
    strips: tuple[tuple[CaseStatus, ...], ...]
    """In step with `results`."""
    counts: Mapping[str, Mapping[CaseStatus, int]]
    """How many cases of each suite have which status, those that are not in `results` included,
    and passes of nothing asserted among the skipped; suites in the order first heard of."""
    numbered: int
    """Number of the last run in this project folder."""
    newest_at: float
    """When the youngest of all results was made; seconds since the epoch."""


def read_first_results(
    folder: Path, agent: str = "", limit: int = 100, *, is_there: IsThere = _everywhere
) -> FirstResults | None:
    """From `folder/history.sqlite3`; without a name of the agent that ran last.

    `is_there`: whether a suite is still one. The history keeps those whose files were deleted.

    An agent that results call by its version (`embedded/1`, `embedded/1:strict`) is found by its
    name in the settings (`embedded`, `strict`) too. `None` when nothing is known or readable now.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=0, uri=True)
    except sqlite3.Error:
        return None
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        with limited(connection, _LIMIT_S):
            connection.execute("BEGIN")  # counts and results are of one moment
            require_ours(connection)
            if version_of(connection) != VERSION:
                return None
            known = agents(connection)
            found = next((name for name in known if agent in ("", name, settings_name(name))), None)
            return None if found is None else first_results(connection, found, limit, is_there)
    except (sqlite3.Error, ValueError, KeyError):
        return None
    finally:
        connection.close()


def first_results(
    connection: sqlite3.Connection, agent: str, limit: int, is_there: IsThere = _everywhere
) -> FirstResults:
    """The last results of the cases that a screen of `limit` lines shows first.

    Both of one list, worst first, and of a list by suites: what fails of all of them, then all
    else, each with the suites first that have the worst cases.
    """
    every = _counts(connection, agent)
    counts = {suite: of_suite for suite, of_suite in every.items() if is_there(suite)}
    shown = _worst(connection, agent, limit, without=every.keys() - counts.keys())
    lines = limit
    for letters in (_FAILING, _OTHERS):
        sizes = _sizes(counts, letters) if lines > 0 else {}
        # Few failures are all among the worst of all.
        are_shown = letters is _FAILING and sum(sizes.values()) <= limit
        for suite, size in sizes.items():
            if lines > 0 and not are_shown:
                is_large = sum(counts[suite].values()) > _LARGE
                shown += _worst(connection, agent, lines, suite, letters, is_large=is_large)
            lines -= size + 1
    results, strips = last_results(connection, agent, set(shown))
    (newest_at,) = connection.execute(
        'SELECT latest.finished_at FROM latest INDEXED BY latest_at CROSS JOIN cases ON id="case"'
        " WHERE agent=? ORDER BY latest.finished_at DESC LIMIT 1",
        (agent,),
    ).fetchone() or (0.0,)
    return FirstResults(agent, results, strips, counts, last_number(connection), newest_at)


def _counts(connection: sqlite3.Connection, agent: str) -> dict[str, dict[CaseStatus, int]]:
    """All are counted by one index, those that did not pass by another: a tenth of the time. Those
    that no run finished have no result; they are looked for only where there are some."""
    suites = connection.execute(
        "SELECT suite, count(*) FROM cases WHERE agent=? GROUP BY suite ORDER BY min(id)", (agent,)
    )
    counts = {suite: {CaseStatus.PASSED: number} for suite, number in suites}
    if _has_unfinished(connection):
        for suite, number in connection.execute(
            "SELECT suite, count(*) FROM cases WHERE agent=?"
            ' AND id NOT IN (SELECT "case" FROM latest) GROUP BY suite',
            (agent,),
        ):
            counts[suite][CaseStatus.PASSED] -= number
    for suite, status, number in connection.execute(
        "SELECT suite, status, count(*) FROM latest INDEXED BY latest_status"
        " CROSS JOIN cases ON id=\"case\" WHERE agent=? AND status IN ('F','E','S')"
        " GROUP BY suite, status",
        (agent,),
    ):
        counts[suite][STATUSES[status]] = number
        counts[suite][CaseStatus.PASSED] -= number
    for suite, number in connection.execute(
        'SELECT suite, count(*) FROM latest CROSS JOIN cases ON id="case"'
        " WHERE agent=? AND status='P' AND assertions_run=0 GROUP BY suite",
        (agent,),
    ):
        skipped = counts[suite].get(CaseStatus.SKIPPED, 0)
        counts[suite][CaseStatus.SKIPPED] = skipped + number
        counts[suite][CaseStatus.PASSED] -= number
    for of_suite in counts.values():
        if not of_suite[CaseStatus.PASSED]:
            del of_suite[CaseStatus.PASSED]
    return {suite: of_suite for suite, of_suite in counts.items() if of_suite}


def _has_unfinished(connection: sqlite3.Connection) -> bool:
    """A question of its own: as a condition it would be held against every case."""
    (found,) = connection.execute(
        "SELECT (SELECT count(*) FROM cases)>(SELECT count(*) FROM latest)"
    ).fetchone()
    return bool(found)


def _worst(
    connection: sqlite3.Connection,
    agent: str,
    limit: int,
    suite: str | None = None,
    letters: str = _WORST_FIRST,
    *,
    is_large: bool = True,
    without: Collection[str] = (),
) -> list[int]:
    """Rows of the worst cases with these statuses, of one suite or of all but those `without`."""
    where, values = ("", [agent]) if suite is None else (" AND suite=?", [agent, suite])
    if without:
        where += f" AND suite NOT IN ({', '.join('?' * len(without))})"
        values += without
    if not is_large:
        rows = connection.execute(
            f'SELECT id FROM cases JOIN latest ON "case"=id WHERE agent=?{where}'
            f" AND instr('{letters}', status) ORDER BY instr('{letters}', status), id LIMIT ?",
            (*values, limit),
        )
        return [row for (row,) in rows]
    found: list[int] = []
    for letter in letters:
        rows = connection.execute(
            'SELECT id FROM latest INDEXED BY latest_status CROSS JOIN cases ON id="case"'
            f' WHERE status=? AND agent=?{where} ORDER BY "case" LIMIT ?',
            (letter, *values, limit - len(found)),
        )
        found += [row for (row,) in rows]
    return found


def _sizes(counts: Mapping[str, Mapping[CaseStatus, int]], letters: str) -> dict[str, int]:
    """How many cases of each suite have these statuses, where some have; the worst suites first."""
    statuses = {STATUSES[letter]: rank for rank, letter in enumerate(letters)}
    some = {
        suite: {statuses[one]: number for one, number in of_suite.items() if one in statuses}
        for suite, of_suite in counts.items()
    }
    ranked = sorted(filter(some.get, some), key=lambda suite: min(some[suite]))
    return {suite: sum(some[suite].values()) for suite in ranked}
