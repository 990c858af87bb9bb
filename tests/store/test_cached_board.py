"""The board of an earlier process: its first rows, counts of all, and no jump to the real one."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from evaltui.core.events import BaselinePinned, CaseFinished, ResultsLoaded
from evaltui.core.result import CaseStatus
from evaltui.store.store import Store
from tests.tui import scene

SUITES = scene.suites(48, 6)
OPENED = list(scene.opened(SUITES))
LOADED = next(event for event in OPENED if isinstance(event, ResultsLoaded))
LATER = scene.NOW + 60
F, E = CaseStatus.FAILED, CaseStatus.ERROR


def cached(rows: int = 10) -> ResultsLoaded:
    """The first `rows` failures of all results."""
    counts: dict[str, Counter[CaseStatus]] = {suite.id: Counter() for suite in SUITES}
    for result in LOADED.results:
        counts[result.key.suite][result.status] += 1
    worst = sorted(LOADED.results, key=lambda result: result.status is not F)[:rows]
    return replace(
        LOADED,
        results=tuple(worst),
        strips=tuple((result.status,) for result in worst),
        counts=counts,
        newest_at=LATER,
    )


def opened() -> Iterator[Store]:
    """After each of the events of an opening that follows the cached board."""
    store = Store()
    store.handle(cached())
    for event in OPENED:
        store.handle(event)
        yield store


def test_it_counts_the_cases_that_have_no_row() -> None:
    store = Store()
    store.handle(cached())
    board = store.boards[scene.AGENT]
    assert board.is_cached
    assert len(board.rows) == 10
    whole = Counter(result.status for result in LOADED.results)
    counts = board.counts.all
    assert (counts.total, counts.failed, counts.errors) == (48, whole[F], whole[E])
    assert {name: counts.total for name, counts in board.counts.suites.items()} == {
        suite.id: 8 for suite in SUITES
    }
    assert [suite.id for suite in store.suites] == [suite.id for suite in SUITES]
    assert (board.results_at, board.runs.number) == (LATER, 41)
    row = board.rows[cached().results[0].key]
    assert (row.result, row.recent) == (cached().results[0], (F,))


def test_a_pass_of_nothing_is_counted_once_whether_it_has_a_row_or_not() -> None:
    event = cached(0)
    counts = {suite: Counter(of_suite) for suite, of_suite in event.counts.items()}
    first = next(result for result in LOADED.results if result.status is CaseStatus.PASSED)
    counts[first.key.suite][CaseStatus.PASSED] -= 1
    counts[first.key.suite][CaseStatus.SKIPPED] += 1
    idle = replace(first, assertions_run=0)
    for results in ((), (idle,)):
        store = Store()
        store.handle(replace(event, results=results, strips=((),) * len(results), counts=counts))
        found = store.boards[scene.AGENT].counts.all
        skipped = sum(one.status is CaseStatus.SKIPPED for one in LOADED.results)
        assert (found.total, found.nothing_asserted) == (48, skipped + 1)


def test_it_stays_until_the_projects_own_results_come() -> None:
    steps = opened()
    store = next(steps)
    board = store.boards[scene.AGENT]
    assert (board.is_cached, len(board.rows), board.counts.all.total) == (True, 10, 48)
    assert store.suites == SUITES
    store = next(steps)
    assert board is store.boards[scene.AGENT], "who has the board keeps it"
    assert (board.is_cached, len(board.rows), board.counts.all.total) == (False, 48, 48)
    for _ in steps:
        pass
    fresh = Store()
    for event in OPENED:
        fresh.handle(event)
    other = fresh.boards[scene.AGENT]
    assert board.counts.suites == other.counts.suites
    assert board == other


def test_readers_hear_of_every_row_when_it_gives_way() -> None:
    store = Store()
    store.handle(cached())
    store.handle(OPENED[0])
    reader = store.reader()
    store.handle(LOADED)
    changes, _ = store.drain(reader)
    assert changes.is_rearranged
    assert changes.rows[scene.AGENT] == {result.key for result in LOADED.results}
    assert changes.counts[scene.AGENT] == {suite.id for suite in SUITES}


def test_baselines_that_come_before_the_results_are_compared_with_them() -> None:
    store = Store()
    pinned = next(event for event in OPENED if isinstance(event, BaselinePinned))
    for event in (cached(), OPENED[0], pinned, LOADED):
        store.handle(event)
    expected = Store()
    for event in (OPENED[0], LOADED, pinned):
        expected.handle(event)
    assert store.boards[scene.AGENT].counts.all == expected.boards[scene.AGENT].counts.all
    assert store.boards[scene.AGENT].counts.all.regressed > 0


def test_once_the_project_is_read_counts_do_not_make_a_cached_board() -> None:
    store = Store()
    store.handle(OPENED[0])
    store.handle(cached())
    board = store.boards[scene.AGENT]
    assert not board.is_cached
    assert len(board.rows) == 48
    store.handle(CaseFinished("run-1", LOADED.results[0]))
    assert board.counts.all.total == 48
