"""What trials prove under the checks of now, when kept answers were judged again by them."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.events import CaseFinished, CasesStale, RunFinished
from evaltui.core.former_prints import FormerPrints
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_trials import Of, Runs
from evaltui.disk.history.known_trials import KnownTrials
from evaltui.session.trials.evidence import Evidence
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark
from tests.projects import ORDERS, write_suite
from tests.session.test_session import Ear, all_keys, opened
from tests.session.trials.test_evidence import pin, proof_of, root, row_of

__all__ = ["root"]


def check(root: Path, *, is_right: bool = True) -> None:
    """Write the first case with a check that holds, or with one that fails every answer."""
    first, second = (dict(one) for one in ORDERS)
    for one in (first, second):
        del one["stubs"]  # an answer that was stubbed is not judged again but asked for
    if not is_right:
        first["expect"] = {**first["expect"], "responseContains": ["gone"]}
    write_suite(root, "find_order", (first, second))


@pytest.fixture
async def fallen(root: Path) -> Path:
    """Proven before: of four trials none passed under an edited check."""
    check(root)
    await pin(root, Trials(20, 0))
    check(root, is_right=False)
    async with opened(root) as (session, _):
        keys = all_keys(session)[:1]
        for _ in range(4):
            await session.run(keys)
        assert row_of(session).against is RowMark.REGRESSED
    return root


async def judged_again(root: Path) -> tuple[RunFinished, Row, Ear]:
    async with opened(root) as (session, ear):
        await session.evidence("mine").load()
        ear.heard.clear()
        (finished,) = await session.run(all_keys(session)[:1], is_rejudging=True)
        return finished, row_of(session), ear


async def test_a_run_that_asks_nobody_says_what_is_proven_under_the_checks_of_now(
    fallen: Path,
) -> None:
    check(fallen)
    finished, row, ear = await judged_again(fallen)
    assert (finished.proven, row.against) == ((), None)
    assert isinstance(ear.heard[-1], RunFinished), "all is told by then"

    check(fallen, is_right=False)
    finished, row, ear = await judged_again(fallen)
    assert (finished.proven, row.against) == ((row.key,), RowMark.REGRESSED)
    assert str(proof_of(row)) == "21/21 → 0/4, e = 1987", "the last answer counts once a side"
    assert isinstance(ear.heard[-1], RunFinished)


async def test_an_answer_that_the_same_process_counted_counts_no_second_time(root: Path) -> None:
    check(root)
    await pin(root, Trials(20, 0))
    check(root, is_right=False)
    async with opened(root) as (session, _):
        keys = all_keys(session)[:1]
        for is_rejudging in (False, True, False, True):
            await session.run(keys, is_rejudging=is_rejudging)
        assert str(proof_of(row_of(session)).sides) == "20/20 → 0/2"


async def test_while_answers_are_judged_again_no_proof_of_the_checks_before_is_told(
    fallen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(fallen)
    async with opened(fallen) as (session, _):
        evidence = session.evidence("mine")
        await evidence.load()
        told = []
        own = Evidence.read_again

        async def read_again(evidence: Evidence) -> None:
            evidence.tell()
            told.append(row_of(session).against)
            await own(evidence)

        monkeypatch.setattr(Evidence, "read_again", read_again)
        await session.run(all_keys(session)[:1], is_rejudging=True)
        assert told == [None]


async def test_what_the_history_refuses_once_stays_known_and_is_read_before_the_next_run(
    fallen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(fallen) as (session, _):
        await session.evidence("mine").load()
        keys = all_keys(session)[:1]

        def refuse(*_: object) -> Mapping[Of, Trials]:
            raise HistoryError("locked")

        with monkeypatch.context() as locked:
            locked.setattr(KnownTrials, "of", refuse)
            (finished,) = await session.run(keys, is_rejudging=True)
        assert finished.proven == tuple(keys), "what was known is as true as before"
        assert str(proof_of(row_of(session))) == "20/20 → 0/4, e = 1703"

    check(fallen)
    async with opened(fallen) as (session, _):
        await session.evidence("mine").load()
        with monkeypatch.context() as locked:
            locked.setattr(KnownTrials, "of", refuse)
            await session.run(keys, is_rejudging=True)
        assert proof_of(row_of(session)).sides.baseline == Trials(20, 0), "not read"
        await session.run(keys)
        assert proof_of(row_of(session)).sides.baseline == Trials(22, 0)
        wanted: list[Of] = []
        own = KnownTrials.of

        def trials(
            known: KnownTrials, agent: str, of: Iterable[Of], former: FormerPrints, on: Runs
        ) -> Mapping[Of, Trials]:
            wanted.extend(asked := [*of])
            return own(known, agent, asked, former, on)

        monkeypatch.setattr(KnownTrials, "of", trials)
        await session.run(keys)
        assert proof_of(row_of(session)).sides.baseline == Trials(23, 0)
        assert not wanted, "it is read once"


async def test_what_is_judged_again_is_not_weighed_for_itself_and_keeps_no_trial_waiting(
    root: Path,
) -> None:
    async with opened(root) as (session, ear):
        evidence, loop = session.evidence("mine"), asyncio.get_running_loop()
        await session.run(all_keys(session)[:1])
        evidence.tell()
        (made,) = [one for one in ear.heard if isinstance(one, CaseFinished)]
        again = replace(made, result=replace(made.result, was_judged_again=True))
        due = DueCase(made.result.key, Degree.TO_JUDGE, ("case changed",))
        for event in (CasesStale("mine", (due,), 3), again):
            evidence.handle(event)
            assert evidence._due is not None
            assert evidence._due.when() > loop.time() + 0.5
        evidence.handle(made)
        assert evidence._due is not None
        assert evidence._due.when() < loop.time() + 0.5
