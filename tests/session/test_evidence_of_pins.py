"""A pin made anew counts from then on, also one that could not be read at once."""

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.known_trials import KnownTrials
from tests.session.test_session import LIMIT_S, all_keys, opened
from tests.session.trials.test_evidence import pin, proof_of, root, row_of

__all__ = ["root"]


@pytest.fixture(autouse=True)
def _pins_are_heard_of_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The history refuses what is asked as a pin is made: fresh trials count as they were told."""

    def refuse(*_: object) -> Mapping[CaseKey, Trials]:
        raise HistoryError("locked")

    monkeypatch.setattr(KnownTrials, "count_for_pins", refuse)


async def test_a_pin_anew_is_weighed_though_its_row_stays_as_it_was_and_of_others_nothing_is_told(
    root: Path,
) -> None:
    await pin(root, Trials(20, 0))
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        assert proof_of(row_of(session)).sides == TwoSides(Trials(21, 0))
        before = row_of(session).baseline
        session.evidence("mine").tell()  # what the end of the run noted
        ear.heard.clear()
        await session.baselines.pin(keys[:1], "mine", fresh={keys[0]: Trials(20, 0)})
        await ear.until(lambda: proof_of(row_of(session)).sides == TwoSides(Trials(40, 0)))
        assert row_of(session).baseline == before
        (told,) = [one for one in ear.heard if isinstance(one, EvidenceWeighed)]
        assert ([proof.key for proof in told.proofs], told.is_whole) == ([keys[0]], False)


async def test_a_pin_that_the_history_refused_once_counts_from_the_next_run_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    async with opened(root) as (session, _):
        keys, refused = all_keys(session), asyncio.Event()
        await session.evidence("mine").load()

        def refuse(*_: object) -> Mapping[CaseKey, Trials]:
            loop.call_soon_threadsafe(refused.set)
            raise HistoryError("locked")

        loop = asyncio.get_running_loop()
        with monkeypatch.context() as locked:
            locked.setattr(KnownTrials, "note_pins", refuse)
            await session.baselines.pin(keys, "mine", fresh=dict.fromkeys(keys, Trials(5, 0)))
            await refused.wait()
        assert proof_of(row_of(session)).sides == TwoSides(Trials(20, 0)), "the pin before"
        await session.run(keys)
        assert proof_of(row_of(session)).sides == TwoSides(Trials(26, 0))


async def test_what_is_pinned_while_the_evidence_is_loaded_counts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    async with opened(root) as (session, _):
        keys, loop, own = all_keys(session), asyncio.get_running_loop(), KnownTrials.note_pins
        reading, is_pinned = asyncio.Event(), threading.Event()

        def note_pins(known: KnownTrials, agent: str, *pins: Any) -> Mapping[CaseKey, Trials]:
            loop.call_soon_threadsafe(reading.set)
            assert is_pinned.wait(LIMIT_S)
            return own(known, agent, *pins)

        monkeypatch.setattr(KnownTrials, "note_pins", note_pins)
        loading = asyncio.create_task(session.evidence("mine").load())
        await reading.wait()
        await session.baselines.pin(keys, "mine", fresh=dict.fromkeys(keys, Trials(5, 0)))
        is_pinned.set()
        await loading
        assert proof_of(row_of(session)).sides == TwoSides(Trials(25, 0))
