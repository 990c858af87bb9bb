"""What trials count for the baseline and for now, and what of it is told as proven."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.agents import AGENTS, AgentType
from evaltui.agents.profiles.options import AgentOptions
from evaltui.agents.profiles.reading import read_profile
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    CaseMuted,
    EvidenceWeighed,
    ProjectRead,
    RunFinished,
    TrialFinished,
)
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant
from evaltui.core.proof import Proof, Standing, evidence_in_words
from evaltui.core.response import AgentResponse, Execution, ToolCall
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.run_record import RunRecord
from evaltui.session import Session
from evaltui.session.trials.trial_counts import TrialCounts
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import all_keys, opened

KEY = CaseKey("evals/a.json", "c")
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR


def result(*statuses: CaseStatus, run: str = "r") -> CaseResult:
    passes, trials = statuses.count(P), len(statuses)
    tried = tuple(TrialResult(n, one) for n, one in enumerate(statuses)) if trials > 1 else ()
    return CaseResult(
        *(KEY, run, "mine", statuses[0]),
        assertions_run=1,
        passes=passes,
        trials=trials,
        attempts=tried,
    )


def counts(pin: PinnedInputs, seen: Trials, discount: Trials | None = None) -> TrialCounts:
    known = {} if discount is None else {KEY: discount}
    return TrialCounts({KEY: pin}, known, {(KEY, "then"): seen}, {KEY: "then"})


def test_what_was_seen_before_the_pin_does_not_count_and_what_came_later_does() -> None:
    made = counts(PinnedInputs("then", 1.0), Trials(7, 1), Trials(5, 1))
    assert made.baseline(KEY) == Trials(2, 0)
    made.add("r", result(P), "then", is_one_of_several=False)
    assert made.baseline(KEY) == Trials(3, 0)
    assert made.sides(KEY, is_due=False) == TwoSides(Trials(3, 0))


def test_trials_made_for_the_pin_count_and_of_unknown_times_nothing_else() -> None:
    made = counts(PinnedInputs("then", 1.0, Trials(18, 2)), Trials(7, 1))
    assert made.baseline(KEY) == Trials(18, 2)


def test_trials_of_other_inputs_are_those_of_now_and_a_stale_result_has_none() -> None:
    made = counts(PinnedInputs("then", 1.0), Trials(9, 0), Trials())
    made.add("r", result(F, F, P, E), "now", is_one_of_several=False)
    assert made.sides(KEY, is_due=False) == TwoSides(Trials(9, 0), Trials(1, 2))
    assert made.sides(KEY, is_due=True) == TwoSides(Trials(9, 0))


def test_attempts_that_come_singly_and_then_as_one_count_once() -> None:
    made = TrialCounts()
    for one in (F, P):
        made.add("r", result(one), "now", is_one_of_several=True)
    assert made.now(KEY) == Trials(1, 1)
    made.add("r", result(F, P, F), "now", is_one_of_several=False)
    assert made.now(KEY) == Trials(1, 2)
    made.close("r")
    made.add("r2", result(F, run="r2"), "now", is_one_of_several=False)
    assert made.now(KEY) == Trials(1, 3)
    made.add("r3", result(E, run="r3"), "now", is_one_of_several=False)
    assert made.now(KEY) == Trials(1, 3)


class Profile(AgentOptions):
    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


class Sampled(Agent):
    """Right, but for messages that hold what is in `wrong`."""

    traits = AgentTraits(is_free=True)
    fingerprint = "sampled"
    wrong = ""

    def __init__(self, name: str) -> None:
        self.name = name

    async def respond(self, request: AgentRequest) -> AgentResponse:
        name = "play_music" if "song" in request.message else "find_order"
        is_wrong = bool(self.wrong) and self.wrong in request.message
        calls = () if is_wrong else (ToolCall(name, {}, result={"state": "found"}),)
        return AgentResponse("", calls, execution=Execution.ROUTING)


def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
    read_profile(Profile, "sampled", options)
    return Sampled(name)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    there = AgentType(f"{__name__}:make", f"{__name__}:Profile")
    monkeypatch.setitem(AGENTS, "sampled", there)
    monkeypatch.setattr(Sampled, "wrong", "")
    make_project(tmp_path)
    (tmp_path / "evaltui.toml").write_text('agent = "mine"\n[agents.mine]\ntype = "sampled"\n')
    return tmp_path


async def pin(root: Path, fresh: Trials | None) -> None:
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        made = {} if fresh is None else dict.fromkeys(keys, fresh)
        await session.baselines.pin(keys, "mine", fresh=made)


def edit(root: Path, description: str = "Finds orders.") -> None:
    write_tools(root, with_description("find_order", description))


def row_of(session: Session, number: int = 0) -> Row:
    return session.store.board("mine").rows[all_keys(session)[number]]


def proof_of(row: Row) -> Proof:
    assert row.proof is not None
    return row.proof


def is_idle(row: Row) -> bool:
    return row.result is not None and row.result.is_nothing_asserted


async def test_a_fall_is_moved_until_its_trials_prove_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        told = []
        for _ in range(3):
            (finished,) = await session.run(keys[:1])
            row = row_of(session)
            told.append((str(proof_of(row)), row.marks, proof_of(row).further, finished.proven))
        assert told == [
            ("20/20 → 0/1, e = 3.5", (RowMark.MOVED,), 1, ()),
            ("20/20 → 0/2, e = 38.3", (RowMark.REGRESSED,), None, (keys[0],)),
            ("20/20 → 0/3, e = 289", (RowMark.REGRESSED,), None, (keys[0],)),
        ]
        weighed = [one for one in ear.heard if isinstance(one, EvidenceWeighed)]
        assert weighed[-1].affected == 3, "all are pinned, and the edit can affect each"
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert row_of(session).marks == (RowMark.REGRESSED,), "the history knows it"
        write_tools(root)
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert row_of(session).marks == (RowMark.MOVED, RowMark.DUE), "of now nothing is known"
        why = evidence_in_words(proof_of(row_of(session)))
        assert why == "the inputs of now are the pinned ones again: 20/20 passed with them"
        edit(root, "Is no use either.")
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        why = evidence_in_words(proof_of(row_of(session)))
        assert why == "undecided: no trial with the inputs of now yet", "three with others failed"


async def test_a_result_pinned_as_it_was_counts_for_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, None)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert proof_of(row_of(session)).sides == TwoSides(Trials(1, 0)), "the one after the pin"
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, _):
        await session.run(all_keys(session), trials=2)
        assert proof_of(row_of(session)).sides == TwoSides(Trials(1, 0), Trials(0, 2))


async def test_what_runs_later_counts_for_pins_of_every_name(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it was held against: that another baseline is in force makes it no other trial."""
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), "mine", "five")
    for _ in range(2):
        async with opened(root) as (session, _):
            await session.run(all_keys(session))
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, _):
        await session.baselines.use("five", "mine")
        await session.run(all_keys(session))
        assert proof_of(row_of(session)).sides == TwoSides(Trials(2, 0), Trials(0, 1))


async def test_both_outcomes_under_the_same_inputs_are_flaky(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        assert RowMark.FLAKY not in row_of(session).marks
        monkeypatch.setattr(Sampled, "wrong", "SO-1")
        await session.run(all_keys(session))
        assert row_of(session).marks == (RowMark.FLAKY,)
        assert row_of(session, 1).marks == ()
        heard = [one for one in ear.heard if isinstance(one, EvidenceWeighed)]
        told = {proof.key for one in heard for proof in one.proofs}
        assert told == {all_keys(session)[0]}, "of the others, without a baseline, nothing is said"


async def test_of_an_agent_that_always_answers_alike_nothing_is_weighed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sampled, "traits", AgentTraits(is_free=True, is_deterministic=True))
    await pin(root, None)
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, ear):
        (finished,) = await session.run(all_keys(session))
        assert row_of(session).marks == (RowMark.REGRESSED,)
        assert finished.proven == (all_keys(session)[0],)
        assert not any(isinstance(one, EvidenceWeighed) for one in ear.heard)
        assert isinstance(ear.heard[-1], RunFinished)


async def test_a_muted_case_proves_nothing_and_is_one_that_the_edit_can_affect(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    settings = root / "evaltui.toml"
    settings.write_text(
        settings.read_text()
        + '[mute]\n"evals/find_order.golden.json::gs-find-order-001" = "known"\n'
    )
    async with opened(root) as (session, _):
        (finished,) = await session.run(all_keys(session), trials=4)
        assert session.evidence("mine").level.affected == 3
        assert (row_of(session).marks, finished.proven) == ((), ())
        assert proof_of(row_of(session)).standing is Standing.OPEN, "it is on no list"


async def test_what_a_proof_takes_is_fixed_before_the_first_trial_whatever_they_come_to(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else trials of other cases would lower the bar, here or in whatever process comes next."""
    await pin(root, Trials(20, 0))
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, _):
        evidence, (fallen, *others) = session.evidence("mine"), all_keys(session)
        await evidence.load()
        assert evidence.level.affected == 3, "before the first trial"
        await session.run([fallen, *others])
        assert evidence.level.affected == 3
        board, at = session.store.board("mine"), time.time()
        ran = [result for key in others if (result := board.rows[key].result) is not None]
        idle = [
            replace(one, run_id="run-idle", assertions_run=0, finished_at=at, verdicts=())
            for one in ran
        ]
        for one in idle:
            session.emit(CaseFinished(one.run_id, one))
        evidence.tell()
        assert all(is_idle(board.rows[key]) for key in others)
        assert evidence.level.affected == board.affected == 3
        assert evidence.proofs[fallen].further == 1, "as of three cases"
        assert not evidence.proofs[others[0]].sides.has_both, (
            "and what asserts nothing is not weighed"
        )
        session.history.record(RunRecord("run-idle", 99, "mine"), idle)
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert is_idle(session.store.board("mine").rows[others[0]])
        assert session.evidence("mine").level.affected == 3
    write_suite(root, "find_order", ORDERS[:1])
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert session.evidence("mine").level.affected == 3, "also of one that is deleted by now"


async def test_a_trial_is_weighed_within_a_frame_and_waits_for_no_answers_judged_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    edit(root)
    async with opened(root) as (session, ear):
        evidence = session.evidence("mine")
        await session.run(all_keys(session))
        monkeypatch.setattr("evaltui.session.trials.evidence._JUDGED_S", 3_600.0)
        made = row_of(session).result
        assert made is not None
        ear.heard.clear()
        session.emit(TrialFinished("run-9", replace(made, run_id="run-9", status=F, passes=0)))
        await ear.until(lambda: any(isinstance(one, EvidenceWeighed) for one in ear.heard))
        assert evidence.proofs[made.key].sides.now == Trials(1, 1)


async def test_what_a_save_does_not_touch_is_not_weighed_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    edit(root)
    async with opened(root) as (session, ear):
        read = [one for one in ear.heard if isinstance(one, ProjectRead)]
        keys, evidence = all_keys(session), session.evidence("mine")
        await evidence.load()
        assert evidence.level.affected == 3
        weighed: list[CaseKey] = []
        own = TrialCounts.sides

        def sides(counts: TrialCounts, key: CaseKey, *, is_due: bool) -> TwoSides:
            weighed.append(key)
            return own(counts, key, is_due=is_due)

        monkeypatch.setattr(TrialCounts, "sides", sides)
        evidence.tell()
        weighed.clear()
        ear.heard.clear()
        session.emit(CaseMuted(keys[0], "known"))
        session.emit(read[-1])
        evidence.tell()
        assert set(weighed) == {keys[0]}
        assert evidence.level.affected == 3, "mutes are those of the reading"
        session.emit(CaseMuted(keys[1], "known"))
        evidence.tell()
        assert evidence.level.affected == 3, "whoever mutes a case makes no proof easier"
        assert set(weighed) == {keys[0], keys[1]}
        assert not [one for one in ear.heard if isinstance(one, EvidenceWeighed)]


async def test_a_case_that_leaves_the_board_is_proven_no_more(root: Path) -> None:
    await pin(root, Trials(20, 0))
    async with opened(root) as (session, ear):
        evidence, keys = session.evidence("mine"), all_keys(session)
        await evidence.load()
        assert evidence.proofs.keys() == {*keys}
        watching = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        ear.heard.clear()
        write_suite(root, "find_order", ORDERS[:1])
        await ear.until(lambda: bool(ear.all(EvidenceWeighed)))
        (told,) = [one for one in ear.heard if isinstance(one, EvidenceWeighed)]
        assert told.is_whole
        assert {proof.key for proof in told.proofs} == evidence.proofs.keys() == {keys[0], keys[2]}
        await session.close()
        await watching


async def test_it_is_read_without_being_asked_for_once_results_are_known(root: Path) -> None:
    await pin(root, Trials(20, 0))
    async with opened(root) as (session, ear):
        evidence = session.evidence("mine")
        await ear.until(lambda: evidence.is_loaded)
        assert evidence.proofs.keys() == {*all_keys(session)}


async def test_while_watching_it_is_told_whether_the_inputs_are_the_pinned_ones_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pin(root, Trials(20, 0))
    edit(root)
    monkeypatch.setattr(Sampled, "wrong", "SO-1")
    async with opened(root) as (session, ear):
        await session.run(all_keys(session)[:1])
        watching = asyncio.create_task(session.watch())
        await ear.until(
            lambda: not any(row.is_due for row in session.store.board("mine").rows.values())
        )
        session.watch_loop.pause()
        again = "the inputs of now are the pinned ones again: 20/20 passed with them"
        other = "undecided: no trial with the inputs of now yet"
        for use in ("either", "at all"):  # the case stays due, and for the same reason
            write_tools(root)
            await ear.until(lambda: evidence_in_words(proof_of(row_of(session))) == again)
            edit(root, f"Is no use {use}.")
            await ear.until(lambda: evidence_in_words(proof_of(row_of(session))) == other)
        await session.close()
        await watching


async def test_before_a_run_only_what_is_on_the_board_is_looked_up(root: Path) -> None:
    async with opened(root) as (session, _):
        evidence = session.evidence("mine")
        await evidence.load()
        gone = CaseKey("evals/gone.golden.json", "gone")
        await evidence.prepare((*all_keys(session), gone), session.project, 1)
