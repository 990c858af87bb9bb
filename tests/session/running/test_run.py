"""One run: what is carried, what is compared, what stops it, where its snapshot comes from."""

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished, ProblemFound, RunEnd, RunFinished
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.disk.codec import encode
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.results import result_file
from evaltui.disk.results.result_wire import CaseWire, to_wire
from evaltui.session.running import earlier_results
from evaltui.session.running import run as module
from evaltui.session.running.run import Run
from evaltui.session.trials.further_trials import FurtherTrials
from tests.projects import ORDERS, case, make_project, write_suite
from tests.session.test_session import Ear, all_keys, opened, written_by
from tests.test_robustness.agent_server import agent_server

SNAPSHOT = {"order": {"state": "found"}}


def results(ear: Ear) -> dict[str, CaseResult]:
    """The last result of each case that ended, by id."""
    return {e.result.key.case: e.result for e in ear.heard if isinstance(e, CaseFinished)}


def problems(ear: Ear) -> list[str]:
    return [str(event.problem) for event in ear.heard if isinstance(event, ProblemFound)]


def contents(run: RunFinished) -> dict[str, bytes]:
    """Of the files that it wrote."""
    return {file: Path(file).read_bytes() for file in run.files}


def remote(root: Path, *messages: str) -> Path:
    """A project for the agent over HTTP: a case a message, with its way as the id."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    cases = [case(text.partition(":")[0], text, "find_order") for text in messages]
    for one in cases:
        del one["stubs"]
    write_suite(root, "find_order", cases)
    return root


async def test_cases_that_are_not_rerun_are_carried_with_all_they_had(tmp_path: Path) -> None:
    make_project(tmp_path)
    async with opened(tmp_path) as (session, _):
        (first,) = await session.run(all_keys(session))
    async with opened(tmp_path) as (session, _):
        (second,) = await session.run(all_keys(session)[:1])
    written = written_by(second)
    fresh, carried = written["cases"]
    assert "carriedFrom" not in fresh
    assert carried["carriedFrom"] == first.run_id
    assert carried["verdicts"], "known to a new process from the file only (B2)"
    assert written["summary"]["totalCases"] == 2


async def test_a_run_leaves_nothing_behind_that_waits_for_a_moment_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(earlier_results, "_LOOK_S", 3600.0)
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        assert "history" not in {task.get_name() for task in asyncio.all_tasks()}


async def test_a_run_writes_the_suites_of_its_cases_and_no_others(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (first,) = await session.run(all_keys(session))
        before = contents(first)
        (second,) = await session.run(all_keys(session)[:1])
        assert [suite.suite for suite in second.suites] == ["evals/find_order.golden.json"]
        assert len(second.suites[0].cases) == 2
    assert len(first.files) == 2
    assert not {*first.files} & {*second.files}
    assert len(second.files) == 1
    assert contents(first) == before


async def test_what_the_journal_has_of_a_case_is_not_made_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def noted(case: CaseResult, **how: bool) -> CaseWire:
        made.append(case.key.case)
        return to_wire(case, **how)

    monkeypatch.setattr(result_file, "to_wire", noted)
    async with opened(make_project(tmp_path)) as (session, ear):
        (run,) = await session.run(all_keys(session))
        cases = written_by(run)["cases"]
        finished = results(ear)
    assert not made
    assert cases == [json.loads(encode(to_wire(finished[one["id"]]))) for one in cases]
    assert len(cases) == 2


async def test_files_are_written_without_a_journal_too(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / ".evaltui").mkdir()
    (tmp_path / ".evaltui" / "runs").write_text("no folder")
    async with opened(tmp_path) as (session, ear):
        (run,) = await session.run(all_keys(session))
    assert any("journal" in problem for problem in problems(ear))
    assert [one["status"] for one in written_by(run)["cases"]] == ["passed", "passed"]


async def test_an_error_is_never_a_regression(tmp_path: Path) -> None:
    remote(tmp_path, "good", "flips")
    with agent_server() as url:
        async with opened(tmp_path, agent=[url]) as (session, _):
            (name,) = session.agents
            await session.run(all_keys(session))
            await session.baselines.pin(all_keys(session), name)
        remote(tmp_path, "good", "flips")
        path = tmp_path / "evals" / "find_order.golden.json"
        path.write_text(path.read_text().replace('"message": "flips"', '"message": "500"'))
        async with opened(tmp_path, agent=[url]) as (session, _):
            (finished,) = await session.run(all_keys(session))
    (suite,) = finished.suites
    assert suite.regressions == ()
    assert suite.errored == ("flips",)
    assert suite.baseline_run_id


async def test_a_muted_failure_is_kept_but_does_not_regress(tmp_path: Path) -> None:
    make_project(tmp_path)
    async with opened(tmp_path) as (session, _):
        (agent,) = session.agents
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), agent)
        wrong = {**ORDERS[0], "expect": {"toolsCalled": ["play_music"]}}
        write_suite(tmp_path, "find_order", (wrong, ORDERS[1]))
        session.edits.mute("known bug", all_keys(session)[0])
    async with opened(tmp_path) as (session, ear):
        runs = await session.run(all_keys(session))
        board = session.store.board(agent)
        assert (board.counts.all.muted, board.counts.all.failed) == (1, 0)
    assert results(ear)["gs-find-order-001"].status == "failed"
    assert "muted" not in json.dumps(written_by(runs[0])), "a mute is no part of a result"
    assert all(suite.regressions == () for run in runs for suite in run.suites)


@pytest.mark.parametrize("kind", ["file", "command", "url"])
async def test_a_snapshot_resolves_tokens(tmp_path: Path, kind: str) -> None:
    ask_for_state(tmp_path)
    with SnapshotSource(tmp_path, kind) as source:
        async with opened(tmp_path, snapshot=source) as (session, ear):
            await session.run(all_keys(session))
    (result,) = results(ear).values()
    assert (result.status, result.assertions_skipped) == ("passed", 0)
    assert problems(ear) == []


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("missing.json", "missing.json"),
        ("broken.json", "Expecting"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"no database\")'", "no database"),
        ("http://127.0.0.1:1/snapshot", "Connect"),
        ("'unclosed", "No closing quotation"),
    ],
)
async def test_a_snapshot_that_fails_is_said_and_its_assertions_are_skipped(
    tmp_path: Path, source: str, reason: str
) -> None:
    ask_for_state(tmp_path)
    (tmp_path / "broken.json").write_text("{")
    async with opened(tmp_path, snapshot=source) as (session, ear):
        await session.run(all_keys(session))
    (result,) = results(ear).values()
    assert result.assertions_skipped == 1
    assert result.skipped_tokens == ("{{snapshot:order.state}}",)
    (told,) = problems(ear)
    assert "The snapshot could not be captured from" in told
    assert reason in told


async def test_what_is_found_in_preparing_a_run_stands_until_the_run_after_it(
    tmp_path: Path,
) -> None:
    ask_for_state(tmp_path)
    async with opened(tmp_path, snapshot="now.json") as (session, ear):
        await session.run(all_keys(session))
        (found,) = session.store.problems.others
        assert (found.code, len(problems(ear))) == ("snapshot", 1)
        (tmp_path / "now.json").write_text(json.dumps(SNAPSHOT))
        await session.run(all_keys(session))
        assert session.store.problems.others == []


async def test_what_is_found_in_preparing_is_told_though_the_history_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: History) -> int:
        raise HistoryError("database is locked")

    ask_for_state(tmp_path)
    monkeypatch.setattr(History, "next_number", fail)
    async with opened(tmp_path, snapshot="missing.json") as (session, _):
        await session.run(all_keys(session))
        assert [found.code for found in session.store.problems.others] == ["snapshot", "history"]


async def test_a_snapshot_that_is_switched_off_starts_nothing(tmp_path: Path) -> None:
    ask_for_state(tmp_path)
    settings = tmp_path / "evaltui.toml"
    for is_enabled in ("false", "true"):
        settings.write_text(f'snapshot_enabled = {is_enabled}\nsnapshot = "touch ran.txt"\n')
        async with opened(tmp_path) as (session, _):
            await session.run(all_keys(session))
        assert (tmp_path / "ran.txt").exists() is (is_enabled == "true")


def ask_for_state(root: Path) -> None:
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    wants = case("s-1", "Look up order SO-1", "find_order")
    wants["expect"]["responseContains"] = ["{{snapshot:order.state}}"]
    write_suite(root, "find_order", [wants])


class SnapshotSource:
    """A source of SNAPSHOT of the kind asked for, as `--snapshot` takes it."""

    def __init__(self, root: Path, kind: str) -> None:
        self._root, self._kind = root, kind

    def __enter__(self) -> str:
        (self._root / "now.json").write_text(json.dumps(SNAPSHOT))
        if self._kind == "file":
            return "now.json"
        if self._kind == "command":
            return f"{sys.executable} -c 'print(open(\"now.json\").read())'"
        self._server = HTTPServer(("127.0.0.1", 0), _Snapshot)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_address[1]}/now"

    def __exit__(self, *_: object) -> None:
        if self._kind == "url":
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


class _Snapshot(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(SNAPSHOT).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


async def test_who_asks_again_hears_first_of_what_failed(tmp_path: Path) -> None:
    make_project(tmp_path)
    failing = case("gs-find-order-009", "Look up order SO-9", "find_order", toolsCalled=["nothing"])
    write_suite(tmp_path, "find_order", [*ORDERS, failing])
    async with opened(tmp_path) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        (failed,) = {key for key in keys if key.case == failing["id"]}
        session.requests.rerun(keys)
        await ear.until(lambda: len(ear.runs()) == 2)
    first, second = ear.started()
    assert first.cases == keys
    assert second.cases == (failed, *(key for key in keys if key != failed))


async def test_a_run_that_was_stopped_before_it_began_asks_nobody() -> None:
    asked: list[str] = []

    async def ask() -> None:
        asked.append("asked")

    request = SimpleNamespace(is_rejudging=False)
    for end in (RunEnd.CANCELLED, RunEnd.COMPLETED):
        assert asked == []
        run = SimpleNamespace(end=end, request=request, run_id="r", _ask=ask)
        await Run._run_cases(cast("Run", run))
    assert asked == ["asked"]


async def test_a_run_says_whether_undecided_cases_are_tried_again(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        for confirms in (False, True):
            await session.run(all_keys(session)[:1], confirms=confirms)
    assert [run.tries_again for run in ear.started()] == [False, True]


@pytest.mark.parametrize("has_judge", [True, False])
async def test_what_a_judge_scores_runs_after_the_rest_and_knows_how_that_went(
    monkeypatch: pytest.MonkeyPatch, has_judge: bool
) -> None:
    ran: list[tuple[object, ...]] = []

    async def run_jobs(jobs: tuple[object, ...]) -> None:
        ran.append(jobs)

    async def load_meanwhile() -> None:
        pass

    monkeypatch.setattr(module, "split_rubrics", lambda *_: (("plain",), ("rubric",)))
    monkeypatch.setattr(module, "HeldRubrics", lambda *_: "held")
    nothing = SimpleNamespace(rows={}, mutes=SimpleNamespace(reasons={}))
    run = SimpleNamespace(
        pending={"plain": None, "rubric": None},
        project=None,
        _panel="a judge" if has_judge else None,
        _board=nothing,
        _state=nothing,
        _further=None,
        _earlier=SimpleNamespace(load_meanwhile=load_meanwhile),
        _first_jobs=lambda keys, held="": (*keys, held),
        _run_jobs=run_jobs,
    )
    await Run._ask(cast("Run", run))
    apart = [("plain", ""), ("rubric", "held")]
    assert ran == (apart if has_judge else [("plain", "rubric", "")])


@pytest.mark.parametrize("unanswered", [0, 1, 2])
async def test_what_stays_undecided_since_the_agent_was_silent_is_said_once(
    unanswered: int,
) -> None:
    async def load_what_can_be() -> None:
        pass

    keys = tuple(CaseKey("evals/a.json", f"c{n}") for n in range(unanswered))
    told: list[str] = []
    evidence = SimpleNamespace(fallen=lambda _: set())
    run = SimpleNamespace(
        request=SimpleNamespace(resumed=()),
        _earlier=SimpleNamespace(load_what_can_be=load_what_can_be, evidence=evidence),
        _board=SimpleNamespace(rows={}),
        _events=SimpleNamespace(report=lambda one: told.append(one.what)),
        _config=SimpleNamespace(concurrency=2),
        _may_send=True,
    )
    further = SimpleNamespace(next=lambda _: {}, unanswered=keys)
    await Run._try_again(cast("Run", run), cast("FurtherTrials", further))
    since = "undecided, since the agent gave no answer when tried again"
    one, two = f"1 case stays {since}: `c0`", f"2 cases stay {since}: `c0`, `c1`"
    assert told == [[], [one], [two]][unanswered]


def test_only_of_cases_that_were_chosen_by_their_outcome_something_else_was_planned() -> None:
    made = [
        CaseResult(CaseKey("evals/a.json", name), "r", "a", CaseStatus.PASSED, assertions_run=1)
        for name in ("chosen", "other")
    ]
    before, heard = Planned(Trials(0, 1)), list[CaseFinished]()
    run = SimpleNamespace(
        request=SimpleNamespace(by_outcome={made[0].key}),
        pending={},
        _planned=SimpleNamespace(of=lambda result: replace(result, planned=before)),
        _money=SimpleNamespace(allowance=None),
        _further=None,
        _kept=None,
        _events=SimpleNamespace(emit=heard.append),
        _spending=SimpleNamespace(budgets=SimpleNamespace(tell=lambda **_: None)),
    )
    for result in made:
        Run._on_event(cast("Run", run), CaseFinished("r", result))
    assert [event.result.planned for event in heard] == [before, None]
