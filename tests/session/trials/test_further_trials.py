"""What is undecided is tried again: where that decides, and no further than may be paid."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseFinished, ProblemFound, RunFinished
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.journal.journal_reading import read_events
from evaltui.session import Session
from evaltui.session.trials.further_trials import FurtherTrials
from evaltui.store.row_status import RowMark
from tests.projects import write_tools
from tests.session.test_session import LIMIT_S, all_keys, opened
from tests.simulated_agent import World, simulate, simulated_project

if TYPE_CHECKING:
    from evaltui.session.trials.evidence import Evidence

GOOD = Trials(20, 0)
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def edit(root: Path, number: int = 1) -> None:
    text = f"Is no use {number}."
    write_tools(root, [{"name": "find_order", "description": text, "parameters": {}}])


async def pinned(root: Path, world: World, fresh: Trials = GOOD) -> None:
    """All of it passes, and was pinned with so many fresh trials."""
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        await session.baselines.pin(keys, "mine", fresh=dict.fromkeys(keys, fresh))
    world.asked.clear()


def failing(*cases: str) -> Callable[[str, object], float]:
    return lambda _, request: float(request.key.case not in cases)  # type: ignore[attr-defined]


def asked(world: World) -> Counter[str]:
    return Counter(request.key.case for _, request in world.asked)


def rows(session: Session) -> dict[str, str]:
    found = session.store.board("mine").rows.values()
    return {row.key.case: f"{row.result.passes}/{row.result.trials}" for row in found if row.result}


async def test_only_what_is_undecided_is_tried_again_until_it_is_proven(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, ear):
        (run,) = await session.run(all_keys(session), confirms=True)
        assert asked(world) == {f"gs-00{n}": 3 if n == 2 else 1 for n in range(6)}
        assert [key.case for key in run.proven] == ["gs-002"]
        assert rows(session) == {f"gs-00{n}": "0/3" if n == 2 else "1/1" for n in range(6)}
        row = session.store.board("mine").rows[run.proven[0]]
        assert RowMark.REGRESSED in row.marks
        assert row.recent == (CaseStatus.PASSED, CaseStatus.FAILED), "one run is one verdict"
        board = session.store.board("mine")
        assert board.runs.last is not None
        assert (board.runs.last.done, board.runs.last.total) == (6, 6)
        assert [one.trials for one in session.past(row.key, "mine")] == [3, 1]
        assert ear.runs()[0].changes.worse == run.proven
    async with opened(root) as (session, _):  # and so it is known to the next process
        await session.evidence("mine").load()
        proof = session.store.board("mine").rows[row.key].proof
        assert proof is not None
        assert str(proof.sides) == "20/20 → 0/3"


def test_a_case_that_was_pinned_with_a_slip_moves_is_tried_again_and_fails_the_run(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    slip = ("gs-002", 0)
    world.rate = lambda _, request: float((request.key.case, request.trial) != slip)
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    edit(root)
    world.rate = failing("gs-002")
    assert run_command(["run", "--fail-on", "regressions", "--fail-on", "proven"]) == 0
    said = capsys.readouterr().out
    assert "19/20 → 0/1, e = 1.2: undecided, 3 more failures would prove it" in said
    assert run_command(["baseline", "diff", "--json"]) == 0, "no result file lists it"
    told, whole = json.loads(capsys.readouterr().out)
    assert (whole["agent"], whole["paired"]["cases"]) == (told["agent"], 6)
    assert told["change"] == "moved"
    assert told["evidence"].startswith("19/20 → 0/1, e = 1.2: undecided")
    world.asked.clear()
    assert run_command(["run", "--confirm", "--fail-on", "regressions"]) == 1
    assert "↓ REGRESSION gs-002" in capsys.readouterr().out
    assert asked(world)["gs-002"] > 1
    assert run_command(["baseline", "diff", "--json"]) == 1
    told, _ = json.loads(capsys.readouterr().out)
    assert told["change"] == "regressed"


@pytest.mark.parametrize("slip", [(), (0,)])
@pytest.mark.parametrize("lucky", [(1,), (1, 2, 3), tuple(range(1, 20))])
def test_a_pass_among_further_trials_does_not_end_them_while_failures_could_prove_it(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    slip: tuple[int, ...],
    lucky: tuple[int, ...],
) -> None:
    """Case 2 fails, then passes at the trials that are told, and fails at all others."""
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    world.rate = lambda _, request: float(request.key.case != "gs-002" or request.trial not in slip)
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    edit(root)
    world.asked.clear()
    world.rate = lambda _, request: float(request.key.case != "gs-002" or request.trial in lucky)

    async def confirmed() -> None:
        async with opened(root) as (session, _):
            (run,) = await session.run(all_keys(session), confirms=True)
            key = CaseKey(session.project.suites[0].id, "gs-002")
            row = session.store.board("mine").rows[key]
            assert row.proof is not None
            assert row.proof.further is None, "nothing more could prove it"
            if len(lucky) < 4:
                assert row.marks[0] is RowMark.REGRESSED
                assert run.proven == (key,)
            else:
                assert asked(world)["gs-002"] < 20, "none that cannot decide any more"
                assert row.moved is not bool(slip)
            (suite,) = run.suites
            assert suite.regressions == (() if slip else ("gs-002",))

    asyncio.run(confirmed())


@pytest.mark.parametrize(
    ("gates", "code"), [(["proven"], 0), (["proven", "regressions"], 1), (["failures"], 1)]
)
def test_where_cases_fall_that_nothing_was_edited_for_a_gate_on_proof_alone_says_what_it_cannot_see(
    gates: list[str],
    code: int,
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    asked_for = ["run", "--confirm", *(f"--fail-on={one}" for one in gates)]
    capsys.readouterr()
    said = "fell though nothing that evaltui sees changed since the pin"
    world.rate = failing("gs-002", "gs-003")
    assert run_command(asked_for) == code
    assert (f"2 cases {said}" in capsys.readouterr().err) is (gates == ["proven"])
    edit(root)
    assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 1
    assert said not in capsys.readouterr().err, "now it can be proven"
    edit(root, 2)
    assert run_command(["run", "--filter", "gs-001", "--fail-on", "proven"]) == 0
    assert said not in capsys.readouterr().err, "they were edited, and did not run since"


@pytest.mark.parametrize(("gates", "code"), [(["proven"], 0), (["proven", "regressions"], 1)])
def test_where_nothing_counts_for_the_pin_a_gate_on_proof_alone_says_that_it_cannot_fail(
    gates: list[str],
    code: int,
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 5)
    monkeypatch.chdir(root)
    assert run_command(["run"]) == run_command(["baseline", "pin"]) == 0
    edit(root)
    world.rate = failing("gs-002", "gs-003")
    capsys.readouterr()
    asked_for = ["run", "--trials=3", "--confirm", *(f"--fail-on={one}" for one in gates)]
    assert run_command(asked_for) == code
    told = capsys.readouterr().err
    said = "2 cases fell of which no trial of the baseline counts"
    assert (said in told) is (gates == ["proven"])
    assert ("`gs-002`, `gs-003`" in told) is (gates == ["proven"])


def test_where_a_pin_has_a_failure_it_says_which_falls_another_gate_counts(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    slip = ("gs-002", 0)
    world.rate = lambda _, request: float((request.key.case, request.trial) != slip)
    assert run_command(["baseline", "pin", "--trials", "20", "--yes"]) == 0
    said = "fell though nothing that evaltui sees changed since the pin"
    other = "`--fail-on regressions` does not count `gs-002`, of which not all pinned trials passed"
    world.rate = failing("gs-002", "gs-003")
    assert run_command(["run", "--fail-on", "proven"]) == 0
    told = capsys.readouterr().err
    assert f"2 cases {said} (`gs-002`, `gs-003`): proof" in told
    assert f"{other}.\n" in told
    world.rate = failing("gs-002")
    assert run_command(["run", "--fail-on", "regressions"]) == 0
    told = capsys.readouterr().err
    assert f"1 case {said} (`gs-002`): proof" in told
    assert f"{other}.\n" in told


async def test_nothing_is_spent_on_what_cannot_be_proven(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 6, "[regressions]\nmax_trials = 2")
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, _):
        await session.run(all_keys(session), confirms=True)
    assert max(asked(world).values()) == 1


async def test_a_case_that_passed_this_time_draws_no_further_trial(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        world.rate = failing()
        world.asked.clear()
        (run,) = await session.run(all_keys(session), confirms=True)
        row = session.store.board("mine").rows[CaseKey(session.project.suites[0].id, "gs-002")]
        assert row.proof is not None
        assert row.proof.further, "more failures could prove it, and it did not fail"
        assert str(row.proof.sides) == "20/20 → 1/2"
        assert asked(world) == {f"gs-00{n}": 1 for n in range(6)}
        assert not run.proven


@pytest.mark.parametrize(
    ("right", "came_to", "is_proven"),
    [((0, 1), "2/3", False), ((0,), "1/5", True)],
    ids=["it passes again", "it fails from then on"],
)
async def test_one_that_somebody_wants_settled_is_tried_on_after_a_pass(
    tmp_path: Path, world: World, right: tuple[int, ...], came_to: str, is_proven: bool
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        world.asked.clear()
        world.rate = lambda _name, _request: float(len(world.asked) - 1 in right)
        key = CaseKey(session.project.suites[0].id, "gs-002")
        session.requests.rerun((key,), trials=1, confirms=True, is_repeat=True)
        await ear.until(lambda: len(ear.runs()) == 2)
        proof = session.store.board("mine").rows[key].proof
        assert proof is not None and str(proof.sides) == f"20/20 → {came_to}"
        assert proof.has_regressed is is_proven
        assert not session.store.board("mine").rows[key].is_undecided


async def test_attempts_share_no_recording_with_those_that_count_already(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root, cassettes="auto") as (session, _):
        await session.run(all_keys(session), confirms=True)
    trials = [request.trial for _, request in world.asked if request.key.case == "gs-002"]
    assert trials == [0, 1, 2]


async def test_an_agent_that_stops_answering_is_not_asked_for_ever(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 3)
    await pinned(root, world)
    edit(root)

    def rate(_name: str, _request: object) -> float:
        if len(world.asked) > 3:
            raise ConnectionError("down")
        return 0.0

    world.rate = rate
    async with opened(root) as (session, _):
        async with asyncio.timeout(LIMIT_S):
            (run,) = await session.run(all_keys(session), confirms=True)
        assert not run.proven
        found = session.store.board("mine").rows.values()
        assert {row.result.status for row in found if row.result} == {CaseStatus.FAILED}


@pytest.mark.parametrize(
    ("unanswered", "calls", "is_proven"),
    [({0}, 4, True), ({1}, 4, True), ({1, 3}, 5, True), ({0, 1}, 2, False), ({1, 2}, 3, False)],
)
async def test_an_error_among_further_trials_ends_them_only_where_another_follows(
    tmp_path: Path, world: World, unanswered: set[int], calls: int, is_proven: bool
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)

    def rate(_name: str, request: AgentRequest) -> float:
        if request.key.case == "gs-002" and asked(world)["gs-002"] - 1 in unanswered:
            raise AgentError("HTTP 500: out of order")
        return float(request.key.case != "gs-002")

    world.rate = rate
    async with opened(root) as (session, ear):
        async with asyncio.timeout(LIMIT_S):
            (run,) = await session.run(all_keys(session), confirms=True)
        told = [one.problem for one in ear.all(ProblemFound) if isinstance(one, ProblemFound)]
    assert asked(world) == {f"gs-00{n}": calls if n == 2 else 1 for n in range(6)}
    assert [key.case for key in run.proven] == (["gs-002"] if is_proven else [])
    said = [one.what for one in told if one.code == "not-answered"]
    why = "1 case stays undecided, since the agent gave no answer when tried again: `gs-002`"
    assert said == ([] if is_proven else [why])


async def test_where_nobody_is_answered_nothing_is_tried_again(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    edit(root)

    def rate(_name: str, _request: AgentRequest) -> float:
        raise AgentError("HTTP 500: out of order")

    world.rate = rate
    async with opened(root) as (session, _):
        await session.run(all_keys(session), confirms=True)
    assert len(world.asked) == 6


async def test_while_watching_it_is_done_where_the_settings_and_the_guard_let(
    tmp_path: Path, world: World
) -> None:
    settings = 'confirm_above = 0.075\n[regressions]\nconfirm = "auto"'
    root = simulated_project(tmp_path, 6, settings)
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    await pinned(root, world)
    world.rate = failing("gs-002")
    async with opened(root) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        edit(root)
        await ear.until(lambda: bool(ear.runs()))
        assert asked(world)["gs-002"] == 2, "6 + 1 are $0.07, one more would be above it"
        assert not ear.runs()[0].proven
        await session.close()
        await watch


@pytest.mark.parametrize(
    ("most_usd", "said"),
    [
        (0.08, ["what is undecided was not tried to the end"]),
        (0.04, ["2 cases were not run"]),
        (1, []),
    ],
)
async def test_where_the_money_ends_it_is_told_once_and_no_case_that_ran_is_said_not_to_have(
    tmp_path: Path, world: World, most_usd: float, said: list[str]
) -> None:
    root = simulated_project(tmp_path, 6)
    await pinned(root, world)
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    edit(root)
    world.rate = failing(*(f"gs-00{n}" for n in range(6)))
    async with opened(root, max_cost_usd=most_usd) as (session, ear):
        await session.run(all_keys(session), confirms=True)
        told = [one.problem for one in ear.all(ProblemFound) if isinstance(one, ProblemFound)]
        spent = [one.what.partition(": ")[2] for one in told if one.code == "budget-spent"]
        assert spent == said


async def test_what_a_run_spent_is_counted_once(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 2)
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    await pinned(root, world)
    edit(root)
    world.rate = failing("gs-001")
    async with opened(root) as (session, _):
        (run,) = await session.run(all_keys(session), confirms=True)
        board = session.store.board("mine")
        last = board.runs.last
        assert last is not None
        assert round(last.spent_usd, 6) == round(run.spent.usd, 6) == len(world.asked) / 100


def test_the_command_says_by_its_exit_code_what_is_proven(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = simulated_project(tmp_path, 3)
    asyncio.run(pinned(root, world))
    edit(root)
    monkeypatch.chdir(root)
    world.rate = failing("gs-001")
    assert run_command(["run", "--fail-on", "proven"]) == 0
    assert run_command(["run", "--fail-on", "proven", "--confirm"]) == 1


def test_in_lines_of_json_a_case_finishes_once(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 4)
    asyncio.run(pinned(root, world))
    edit(root)
    monkeypatch.chdir(root)
    world.rate = failing("gs-001")
    run_command(["run", "--confirm", "--reporter", "jsonl"])
    path = tmp_path / "run.jsonl"
    path.write_text(capsys.readouterr().out)
    events = list(read_events(path))
    results = [one.result for one in events if isinstance(one, CaseFinished)]
    assert Counter(one.key.case for one in results) == {f"gs-00{n}": 1 for n in range(4)}
    assert {one.key.case: one.trials for one in results}["gs-001"] == 3
    assert isinstance(events[-1], RunFinished), "its end comes last"


def test_an_agent_that_breaks_while_a_fall_is_confirmed_is_no_success(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 3)
    asyncio.run(pinned(root, world))
    edit(root)
    monkeypatch.chdir(root)

    def breaks(_: str, request: AgentRequest) -> float:
        if request.key.case == "gs-001" and asked(world)["gs-001"] > 1:
            raise AgentError("HTTP 500: out of order")
        return float(request.key.case != "gs-001")

    world.rate = breaks
    assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 1
    said, why = capsys.readouterr()
    assert "tried again: gs-001  0/1, 2 errors\n    → agent: HTTP 500: out of order" in said
    assert (
        "1 case stays undecided, since the agent gave no answer when tried again: `gs-001`" in said
    )
    open_ = "`--fail-on proven` fails for 1 case of which an attempt got no answer"
    assert f"{open_}, which leaves open what it would have proven: `gs-001`" in why


def test_it_is_said_where_a_further_trial_makes_another_of_what_a_line_told(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The figures of its suite stand above with an error, and those of the run count a failure."""
    root = simulated_project(tmp_path, 3)
    asyncio.run(pinned(root, world))
    edit(root)
    monkeypatch.chdir(root)

    def breaks(_: str, request: AgentRequest) -> float:
        if request.key.case == "gs-001" and asked(world)["gs-001"] == 1:
            raise AgentError("HTTP 500: out of order")
        return float(request.key.case not in ("gs-001", "gs-002"))

    world.rate = breaks
    run_command(["run", "--confirm", "--fail-on", "proven"])
    again = [line for line in capsys.readouterr().out.splitlines() if "tried again" in line]
    fallen, erred = sorted(again, key=lambda line: "gs-001" in line)
    assert fallen.startswith("  tried again: gs-002  0/")
    assert "→" not in fallen, "its line said that it failed"
    assert erred.startswith("  tried again: gs-001  0/2 ") and ", 1 error" in erred
    assert ": error → failed, " in erred and erred.endswith("ms")


def test_what_is_printed_counts_a_case_once_and_agents_side_by_side(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 4)
    asyncio.run(pinned(root, world))
    edit(root)
    monkeypatch.chdir(root)
    world.rate = lambda name, request: float(name == "other" or request.key.case != "gs-001")
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    reporters = ["--reporter", "console", "--reporter", "markdown=run.md"]
    reporters += ["--reporter", "github=run.txt"]
    run_command(["run", "--confirm", "--agent", "mine", "--agent", "other", *reporters])
    said = capsys.readouterr().out
    for path in (root / "run.md", summary):
        told = path.read_text().splitlines()[-1]
        assert told.startswith("`other` against `mine`: mean difference +25.0 points (95 %: ")
        assert "; a drop of less than " in told
    assert said.count("═══ find_order") == 2, "one of each agent"
    assert "tried again: gs-001  0/3" in said
    assert said.count("tried again") == 1, "a line a case, however often it was"
    assert "other against mine: mean difference +25.0 points" in said
    assert "lost 0, gained 1, p = 1 (McNemar)" in said, "each was to be tried once"
    assert "pass@" not in said, "what was tried again alone is no sample of the run"


def test_what_an_interrupted_run_had_tried_is_counted_already_and_recorded_once() -> None:
    further = FurtherTrials(cast("Evidence", None), lambda _: True)
    key, other = (CaseKey("a.json", name) for name in "ab")
    several = (TrialResult(0, P), TrialResult(1, F, error="no call"))
    further.go_on_with(
        [
            CaseResult(key, "r", "mine", P, duration_ms=5.0),
            CaseResult(other, "r", "mine", P, passes=1, trials=2, attempts=several),
        ]
    )
    assert further.results[key].attempts == (TrialResult(0, P, 5.0, was_counted=True),)
    assert further.results[other].attempts == (
        TrialResult(0, P, was_counted=True),
        TrialResult(1, F, error="no call", was_counted=True),
    )
    assert list(further.made) == [], "it is recorded already"
    whole = further.add(CaseResult(key, "r", "mine", F, trial=1))
    assert [one.trial for one in whole.attempts] == [0, 1]
    assert [one.was_counted for one in whole.attempts] == [True, False]
    assert list(further.made) == [whole]


def test_a_result_that_goes_on_with_an_answer_that_was_judged_again_has_new_ones() -> None:
    further, key = FurtherTrials(cast("Evidence", None), lambda _: True), CaseKey("a.json", "a")
    further.go_on_with([CaseResult(key, "r", "mine", F, was_judged_again=True)])
    assert not further.add(CaseResult(key, "r", "mine", P, trial=1)).was_judged_again


class Undecided:
    """Takes the part of the evidence: all cases fell, the first the surest, and stay undecided."""

    def __init__(self, keys: Sequence[CaseKey]) -> None:
        fell = {key: Trials(0, len(keys) - number) for number, key in enumerate(keys)}
        self.proofs = {key: Proof(key, TwoSides(GOOD, now), further=3) for key, now in fell.items()}

    def fallen(self, results: Iterable[CaseResult]) -> set[CaseKey]:
        return {one.key for one in results}

    def tell(self) -> None:
        pass


@pytest.mark.parametrize(
    ("came", "unanswered"),
    [
        ((E, E, E, E, E), "ab"),
        ((E, E, E, E, E, E), "abcd"),
        ((E, E, E, E, E, F, E), "ab"),
    ],
    ids=["five", "six", "an answer among them"],
)
def test_six_further_trials_in_a_row_that_tell_nothing_end_them_all(
    came: tuple[CaseStatus, ...], unanswered: str
) -> None:
    """And two in a row those of one case."""
    keys = [CaseKey("a.json", name) for name in "abcd"]
    further = FurtherTrials(cast("Evidence", Undecided(keys)), lambda _: True)
    for key in keys:
        further.add(CaseResult(key, "r", "mine", F))
    for status in came:
        ((key, number),) = further.next(1).items()
        further.add(CaseResult(key, "r", "mine", status, trial=number))
    assert bool(further.next(1)) is (unanswered == "ab")
    assert "".join(key.case for key in further.unanswered) == unanswered


class Weighed:
    """All that is in `proofs` fell."""

    def __init__(self, *keys: CaseKey) -> None:
        fell = {key: TwoSides(GOOD, Trials(0, int(key.case))) for key in keys}
        self.proofs = {key: Proof(key, sides, further=2) for key, sides in fell.items()}

    def tell(self) -> None:
        pass

    def fallen(self, results: Iterable[CaseResult]) -> set[CaseKey]:
        return {one.key for one in results}


def fell(*keys: CaseKey, may_go_on: bool = True) -> FurtherTrials:
    made = FurtherTrials(cast("Evidence", Weighed(*keys)), lambda _: may_go_on)
    for key in keys:
        made.add(CaseResult(key, "r", "a", F, trials=1, assertions_run=1))
    return made


def test_the_nearest_to_a_proof_is_tried_first_and_no_more_than_fit_at_once() -> None:
    one, two, three = (CaseKey("a.json", name) for name in "123")
    made = fell(one, two, three)
    assert [*made.next(2)] == [three, two]
    assert made.next(9) == {three: 3, two: 2, one: 1}, "none of their recordings is read again"
    assert made.unanswered == ()


def test_one_that_got_no_answer_and_of_which_nothing_is_known_is_not_tried_again() -> None:
    one, unknown = (CaseKey("a.json", name) for name in "12")
    made = fell(one)
    made.add(CaseResult(unknown, "r", "a", E))
    assert [*made.next(9)] == [one]


def test_nothing_is_tried_that_may_not_be_paid() -> None:
    assert fell(CaseKey("a.json", "1"), may_go_on=False).next(9) == {}
