"""Trials under given inputs, as the history counted them; what was known when somebody pinned."""

import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TypeAlias

from evaltui.core.case import CaseKey
from evaltui.core.former_prints import NO_FORMER, FormerPrints
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history_schema import one_moment, transaction
from evaltui.disk.history.history_values import require_numbers, trials_of
from evaltui.disk.history.pinned_inputs import PinnedInputs, Pins
from evaltui.disk.history.shared_inputs import answered_row, rows_of

Of: TypeAlias = tuple[CaseKey, str]
"""A case, and one of the `rows_of` its inputs."""
Runs: TypeAlias = Mapping[CaseKey, tuple[str, Mapping[str, Trials]]]
"""The id of a run that is on, and what it made of a case: by row, as `rows_of` tells them."""
NO_RUNS: Runs = MappingProxyType({})
Seen: TypeAlias = Mapping[CaseKey, Trials]
"""Of each pinned case."""

_TRIALS = (
    "WITH wanted(place, suite, name, inputs) AS (VALUES %s)"
    " SELECT place, passed, failed FROM wanted CROSS JOIN cases ON cases.agent=?"
    " AND cases.suite=wanted.suite AND cases.name=wanted.name"
    ' CROSS JOIN evidence ON evidence."case"=cases.id AND evidence.inputs=wanted.inputs'
)
_AT_ONCE = 200
"""Cases in one question: SQLite takes 999 values at least, and each case is four."""
_DISCOUNTED = (
    "SELECT passed, failed FROM discounted"
    " WHERE agent=? AND suite=? AND name=? AND pinned_at=? AND inputs IN (?,?)"
)
_SEEN_UNTIL = (
    "SELECT seen_until FROM discounted"
    " WHERE agent=? AND suite=? AND name=? AND inputs=? AND pinned_at=?"
)

_MADE_SINCE = (
    "SELECT coalesce(sum(coalesce(made_passes, passes)), 0),"
    " coalesce(sum(coalesce(made_failures, trials-passes)), 0) FROM past"
    ' JOIN cases ON cases.id=past."case" WHERE agent=? AND suite=? AND name=?'
    " AND finished_at>? AND (made_passes IS NOT NULL OR status IN ('P','F')) AND NOT rejudged"
    " AND same IN (%s)"
)
_IS_RECORDED = (
    'SELECT 1 FROM past JOIN runs ON runs.id=past.run JOIN cases ON cases.id=past."case"'
    " WHERE runs.run_id=? AND cases.agent=? AND cases.suite=? AND cases.name=?"
)

MOST_PINS = 8
"""Of a case: so many of its last are remembered with what was known at them, and those that have a
name."""
_PINS_BEFORE = (
    "SELECT DISTINCT pinned_at FROM discounted WHERE agent=? AND suite=? AND name=?"
    " ORDER BY pinned_at<=? DESC, pinned_at DESC LIMIT -1 OFFSET ?"
)
"""What is ahead of the clock was made before that was set back, so that it is older than the rest:
who pins at the same time as we do must not be forgotten for it."""
_AHEAD_S = 60.0
"""Of the clock, which others may have read a moment later than we."""
_FORGET = "DELETE FROM discounted WHERE agent=? AND suite=? AND name=? AND pinned_at=?"


def trials(
    connection: sqlite3.Connection,
    agent: str,
    wanted: Iterable[Of],
    former: FormerPrints = NO_FORMER,
) -> dict[Of, Trials]:
    """All that were ever made, of those that are known."""
    as_now = {(key, one): (key, row) for key, row in wanted for one in (row, *former.rows(row))}
    found: dict[Of, Trials] = {}
    for of, counts in _counted(connection, agent, as_now):
        found[as_now[of]] = found.get(as_now[of], Trials()) + counts
    return found


def trials_but(
    connection: sqlite3.Connection,
    agent: str,
    wanted: Iterable[Of],
    former: FormerPrints,
    on: Runs,
) -> dict[Of, Trials]:
    """The same without what runs made that are `on`, which may be recorded already."""
    with one_moment(connection):
        found = trials(connection, agent, wanted, former)
        for key, (run_id, made) in on.items():
            if connection.execute(_IS_RECORDED, (run_id, agent, *key)).fetchone():
                of_it = [(key, row) for row in made if (key, row) in found]
                found |= {of: found[of].without(made[of[1]]) for of in of_it}
    return found


def _counted(
    connection: sqlite3.Connection, agent: str, wanted: Iterable[Of]
) -> Iterator[tuple[Of, Trials]]:
    left = iter(wanted)
    while some := tuple(islice(left, _AT_ONCE)):
        values = [value for place, (key, same) in enumerate(some) for value in (place, *key, same)]
        rows = connection.execute(_TRIALS % ",".join(["(?,?,?,?)"] * len(some)), (*values, agent))
        yield from ((some[place], trials_of(*counts)) for place, *counts in rows)


def counted_for(key: CaseKey, pin: PinnedInputs) -> list[Of]:
    """Where trials with the pinned inputs are, under each name of the case."""
    return [(name, row) for name in pin.names(key) for row in rows_of(pin.same)]


def sum_of(known: Mapping[Of, Trials], wanted: Iterable[Of]) -> Trials:
    return sum((known.get(of, Trials()) for of in wanted), Trials())


def discounted(
    connection: sqlite3.Connection,
    agent: str,
    pins: Pins,
    former: FormerPrints = NO_FORMER,
) -> tuple[Seen, Pins]:
    """What was known when these pins were heard of; and those that are not heard of yet, or not
    under each name that their case had."""
    found: dict[CaseKey, Trials] = {}
    unheard: dict[CaseKey, PinnedInputs] = {}
    for key, pin in pins.items():
        sum_ = Trials()
        for name in pin.names(key):
            seen = _heard(connection, agent, name, pin, former)
            if seen is None:
                unheard[key] = pin
                break
            sum_ += seen
        else:
            found[key] = sum_
    return found, unheard


def seen_since(
    connection: sqlite3.Connection, agent: str, pins: Pins, former: FormerPrints
) -> Seen:
    """What was made with the inputs of each of these pins since it was heard of."""
    before, _ = discounted(connection, agent, pins, former)
    rows = {key: counted_for(key, pins[key]) for key in before}
    made = trials(connection, agent, (of for wanted in rows.values() for of in wanted), former)
    return {key: sum_of(made, rows[key]).without(before[key]) for key in rows}


def count_for_pins(
    connection: sqlite3.Connection,
    agent: str,
    since: Pins,
    made: Pins,
    named: Collection[Pins],
    former: FormerPrints,
) -> Seen:
    """As `KnownTrials.count_for_pins`."""
    with transaction(connection):
        all_ = (*named, since, made)
        _, unheard = discounted(connection, agent, since, former)
        discount(connection, agent, unheard, all_, former)
        found = seen_since(connection, agent, since, former)
        discount(connection, agent, made, all_, former, since)
    return found


def discount(
    connection: sqlite3.Connection,
    agent: str,
    pins: Pins,
    named: Collection[Pins],
    former: FormerPrints = NO_FORMER,
    since: Pins | None = None,
) -> Seen:
    """Remember what was known of these pins when they were made, inside the caller's transaction.

    `since`: they are made now, and take over the counts of these, so that what was made since then
    was not seen. Without it they were made before: by somebody else, or by a history that was
    lost. Of what is known by now that much was seen which had finished by then: the clock of
    whoever pinned says so, of all but the oldest results. A pin that does not say when it was made
    may have been chosen by all of it.

    Each name of a case by itself: what is remembered of one already stays. Each pin adds to it, so
    that those long past are forgotten, but not the `named` ones.
    """
    rows = [of for key, pin in pins.items() for of in counted_for(key, pin)]
    known = trials(connection, agent, rows, former)
    names: list[tuple[CaseKey, PinnedInputs, float]] = []
    seen: list[Trials] = []
    for key, pin in pins.items():
        from_then = pin if since is None else since.get(key, pin)
        for name in pin.names(key):
            made = sum_of(known, ((name, row) for row in rows_of(pin.same)))
            if since is None and made.count and pin.pinned_at:
                made = made.without(_made_since(connection, agent, name, pin, former))
            names.append((name, pin, _seen_until(connection, agent, name, from_then)))
            seen.append(made)
    connection.executemany(
        "INSERT OR IGNORE INTO discounted VALUES(?,?,?,?,?,?,?,?)",
        [
            (
                agent,
                *name,
                row,
                pin.pinned_at,
                *((of.passes, of.failures) if row == answered_row(pin.same) else (0, 0)),
                until,
            )
            for (name, pin, until), of in zip(names, seen, strict=True)
            for row in rows_of(pin.same)
        ],
    )
    kept: dict[CaseKey, set[float]] = {}
    for key, one in (each for of_name in named for each in of_name.items()):
        for name in one.names(key):
            kept.setdefault(name, set()).add(one.pinned_at)
    now = time.time() + _AHEAD_S
    for name, *_ in names:
        before = connection.execute(_PINS_BEFORE, (agent, *name, now, MOST_PINS)).fetchall()
        past = [(agent, *name, at) for (at,) in before if at not in kept[name]]
        connection.executemany(_FORGET, past)
    return discounted(connection, agent, pins, former)[0]


def _seen_until(
    connection: sqlite3.Connection, agent: str, name: CaseKey, pin: PinnedInputs
) -> float:
    """When the last of what counts for nothing finished."""
    values = (agent, *name, answered_row(pin.same), pin.pinned_at)
    found = connection.execute(_SEEN_UNTIL, values).fetchone()
    if found is None or found[0] is None:
        return pin.pinned_at
    require_numbers(*found)
    return float(found[0])


def _heard(
    connection: sqlite3.Connection,
    agent: str,
    name: CaseKey,
    pin: PinnedInputs,
    former: FormerPrints,
) -> Trials | None:
    """What was known under this name when the pin was heard of; `None`: it was not, yet."""
    for same in (pin.same, *former.rows(pin.same)):
        values = (agent, *name, pin.pinned_at, answered_row(same), same)
        if rows := connection.execute(_DISCOUNTED, values).fetchall():
            return sum((trials_of(*row) for row in rows), Trials())
    return None


def _made_since(
    connection: sqlite3.Connection,
    agent: str,
    name: CaseKey,
    pin: PinnedInputs,
    former: FormerPrints,
) -> Trials:
    """What the last results of a case made with the pinned inputs since the pin."""
    same = [one for row in rows_of(pin.same) for one in (row, *former.rows(row))]
    wanted = _MADE_SINCE % ",".join("?" * len(same))
    values = (agent, *name, pin.pinned_at, *same)
    return trials_of(*connection.execute(wanted, values).fetchone())
