"""Figures of a whole run are of the trials that were planned: further ones follow what these came
to, and would draw those that fell back to their true rates."""

import asyncio
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.resume import resume
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.paired_runs import PairedCase, PairedRuns
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Planned, Trials, TwoSides
from evaltui.disk.last_run import LastRun
from evaltui.disk.results.result_file import read_suite_result
from evaltui.evidence.baseline_names import side_pinned_as
from evaltui.session import Session
from evaltui.session.selection import select
from evaltui.store.against_baseline import against_baseline
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import edit, failing, pinned
from tests.simulated_agent import Simulated, World, simulate, simulated_project

ONE_BY_ONE = "concurrency = 1"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch, 3004)


def varying(keys: Iterable[CaseKey], low: int, high: int) -> dict[str, int]:
    """Of each case how many of 20 trials pass."""
    drawn = Random(7)
    return {key.case: drawn.randint(low, high) for key in keys}


def passing(of_20: dict[str, int]) -> Callable[[str, AgentRequest], float]:
    return lambda _, request: of_20[request.key.case] / 20


def of_all(sides: Iterable[TwoSides]) -> PairedRuns:
    """As if no difference were made between the trials."""
    pairs = (PairedCase.of(Planned(one.baseline), Planned(one.now), None) for one in sides)
    found = PairedRuns.of(pairs)
    assert found is not None
    return found


def against_pins(session: Session) -> PairedRuns:
    board, keys = session.store.board("mine"), all_keys(session)
    found = against_baseline(board, session.store.suites, keys, session.evidence("mine").fresh)
    assert found is not None
    return found


def results(session: Session) -> dict[CaseKey, CaseResult]:
    rows = session.store.board("mine").rows.values()
    return {row.key: row.result for row in rows if row.result is not None}


@pytest.mark.slow
async def test_the_same_agent_on_both_sides_is_no_better_whatever_is_confirmed(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 40, ONE_BY_ONE)
    planned, every = [], []
    async with opened(root, agent=["mine", "other"]) as (session, _):
        world.rate = passing(varying(all_keys(session), 4, 19))
        for seed in range(20):
            plan = await session.ab.plan("other", "mine", trials=5, seed=seed)
            report = await session.ab.run(plan, confirms=True)
            assert report.whole is not None
            planned.append(report.whole)
            every.append(of_all(pair.sides for pair in report.pairs.values()))
    assert abs(mean(one.mean for one in planned)) < 0.02
    assert sum(one.low > 0 for one in planned) <= 2 >= sum(one.high < 0 for one in planned)
    assert mean(one.mean for one in every) > 0.04, "all trials together would be wrong"


@pytest.mark.slow
async def test_nothing_is_better_than_its_baseline_because_what_fell_was_tried_again(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 30, ONE_BY_ONE)
    planned, every = [], []
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        of_20 = varying(keys, 11, 19)
        fresh = {key: Trials(of_20[key.case], 20 - of_20[key.case]) for key in keys}
        await session.baselines.pin(keys, "mine", fresh=fresh)
    world.rate = passing(of_20)
    for number in range(20):
        edit(root, number)
        async with opened(root) as (session, _):
            await session.run(keys, confirms=True)
            planned.append(against_pins(session))
            proofs = session.evidence("mine").proofs.values()
            every.append(of_all(one.sides for one in proofs))
    assert abs(mean(one.mean for one in planned)) < 0.03
    assert sum(one.low > 0 for one in planned) <= 2 >= sum(one.high < 0 for one in planned)
    assert mean(one.mean for one in every) > 0.1, "all trials together would be wrong"


@pytest.mark.slow
async def test_nothing_is_better_than_its_baseline_because_what_failed_was_run_again(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 30, ONE_BY_ONE)
    once, again, left = [], [], 0
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        of_20 = varying(keys, 11, 19)
        fresh = {key: Trials(of_20[key.case], 20 - of_20[key.case]) for key in keys}
        await session.baselines.pin(keys, "mine", fresh=fresh)
    world.rate = passing(of_20)
    for number in range(20):
        edit(root, number)
        async with opened(root) as (session, _):
            await session.run(keys)
            once.append(against_pins(session))
            for _ in range(3):
                if failed := select(session, only_failed=True):
                    await session.run(failed, is_by_outcome=True)
            again.append(against_pins(session))
            left += sum(one.status is CaseStatus.FAILED for one in results(session).values())
    assert left < 20, "of 30 cases in 20 rounds, of which a quarter fails at first"
    assert again == once
    assert abs(mean(one.mean for one in once)) < 0.03


async def test_what_is_confirmed_side_by_side_leaves_the_whole_as_it_was(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 5)
    world.rate = lambda name, request: float(
        name == "other" or request.key.case != "gs-001" or request.trial > 2
    )
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=2)
        once = await session.ab.run(plan)
        report = await session.ab.run(plan, confirms=True)
    (pair,) = (pair for key, pair in report.pairs.items() if key.case == "gs-001")
    assert pair.sides.now.passes and pair.sides.now.count > 2, "it was tried further"
    assert report.whole == once.whole
    assert once.whole is not None and once.whole.mean == -0.2
    assert once.whole.verdicts is not None and once.whole.verdicts.lost == 1


async def test_a_result_knows_what_was_planned_of_it_wherever_it_is_kept(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys, confirms=True)
        found, whole = results(session), against_pins(session)
    once = Planned(Trials(0, 1))
    assert {key.case: one.planned for key, one in found.items() if one.planned} == {"gs-002": once}
    assert found[keys[2]].trials == 3
    assert round(whole.mean, 3) == -0.167
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        light, history = results(session)[keys[2]], session.history
        assert light.as_planned == once, "the history tells it"
        assert against_pins(session) == whole
        of_file = history.whole(keys[2], light.run_id)
        assert of_file is not None and of_file.as_planned == once, "so does what is kept of the run"
        await session.baselines.pin(keys, "mine")
        pin = session.store.board("mine").rows[keys[2]].baseline
        assert pin is not None and pin.as_planned == once, "and the copy that was pinned"
        side = side_pinned_as(root / "evals" / "baselines", "default", "mine")
        assert (side.cases or {})[str(keys[2])].as_planned == once
        await session.run(keys)
        last = max(history.timeline("mine"), key=lambda point: point.number)
        before = history.results_between("mine", None, last).before
        (then,) = (one for one in before if one.key == keys[2])
        assert (then.trials, then.as_planned) == (3, once), "and the history of what stood before"
    (file,) = (root / "evals" / "results").glob(f"*{light.run_id}.json")
    (of_file,) = (one for one in read_suite_result(file).cases if one.key == keys[2])
    assert of_file.as_planned == once, "and the file of results"
    text, left_out = re.subn(r'"planned": ?\{[^}]*\},?', "", file.read_text())
    assert left_out == 1, "no other case tells it"
    file.write_text(text)
    (of_file,) = (one for one in read_suite_result(file).cases if one.key == keys[2])
    assert of_file.as_planned.judged == Trials(0, 3), "unknown, as in older files: all of them were"


@pytest.mark.parametrize("confirms", [False, True])
@pytest.mark.parametrize("is_edited", [False, True])
async def test_a_case_that_somebody_repeats_counts_as_it_was_planned_until_it_is_edited(
    tmp_path: Path, world: World, *, confirms: bool, is_edited: bool
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    if is_edited:
        edit(root, 2)
    world.rate = lambda *_: 1.0
    async with opened(root) as (session, ear):
        key = all_keys(session)[2]
        session.requests.rerun((key,), trials=4, confirms=confirms, is_repeat=True)
        await ear.until(lambda: bool(ear.runs()))
        result = results(session)[key]
    assert (result.passes, result.trials) == (4, 4)
    assert result.as_planned.judged == (Trials(4, 0) if is_edited else Trials(0, 1))


@pytest.mark.parametrize(
    ("chosen", "is_planned_anew"),
    [
        (["--failed"], False),
        (["--failed", "--trials", "3"], False),
        (["--failed", "--confirm"], False),
        (["evals/find_order.golden.json::gs-002"], True),
        (["--filter", "gs-002"], True),
        ([], True),
    ],
    ids=str,
)
def test_what_a_command_runs_because_it_failed_counts_as_it_was_planned(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    chosen: list[str],
    *,
    is_planned_anew: bool,
) -> None:
    monkeypatch.chdir(simulated_project(tmp_path))
    world.rate = failing("gs-002")
    assert run_command(["run"]) == 1
    world.rate = lambda *_: 1.0
    assert run_command(["run", *chosen]) == 0

    async def known() -> tuple[CaseResult, LastRun | None]:
        async with opened(tmp_path) as (session, _):
            return results(session)[all_keys(session)[2]], session.history.last_run("mine")

    result, run = asyncio.run(known())
    assert run is not None
    assert run.started.by_outcome == (() if is_planned_anew else (result.key,))
    assert result.status is CaseStatus.PASSED
    assert result.as_planned.judged == (Trials(1, 0) if is_planned_anew else Trials(0, 1))


@pytest.mark.parametrize(
    ("is_repeat", "is_by_outcome"), [(True, True), (False, True), (False, False)]
)
async def test_what_was_broken_off_and_is_gone_on_with_counts_as_it_was_planned(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_repeat: bool,
    is_by_outcome: bool,
) -> None:
    root, answer = simulated_project(tmp_path, 3, ONE_BY_ONE), Simulated.respond
    world.rate = failing("gs-001", "gs-002")
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        ear.heard.clear()

        async def broken_off(agent: Simulated, request: AgentRequest) -> AgentResponse:
            if (request.key, request.trial) == (keys[2], 1):
                session.requests.cancel()
                await asyncio.Event().wait()
            return await answer(agent, request)

        world.rate = lambda *_: 1.0
        monkeypatch.setattr(Simulated, "respond", broken_off)
        session.requests.rerun(keys[1:], trials=4, is_repeat=is_repeat, is_by_outcome=is_by_outcome)
        await ear.until(lambda: bool(ear.runs()))
    monkeypatch.setattr(Simulated, "respond", answer)
    async with opened(root) as (session, ear):
        await resume(session, keys, confirms=False)
        (started,) = ear.started()
        assert started.is_repeat is is_repeat
        assert set(started.by_outcome) == set(keys[2:] if is_by_outcome else ())
        found = results(session)
        assert {found[key].trials_judged for key in keys[1:]} == {Trials(4, 0)}
        planned = {found[key].as_planned.judged for key in keys[1:]}
        assert planned == {Trials(0, 1) if is_by_outcome else Trials(4, 0)}


async def test_a_case_that_had_no_answer_counts_as_it_is_repeated(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 2)

    def down(_name: str, _request: AgentRequest) -> float:
        raise AgentError("HTTP 500: out of order")

    world.rate = down
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        ear.heard.clear()
        world.rate = lambda *_: 1.0
        session.requests.rerun(keys, trials=2, is_repeat=True)
        await ear.until(lambda: bool(ear.runs()))
        assert {one.as_planned.judged for one in results(session).values()} == {Trials(2, 0)}
