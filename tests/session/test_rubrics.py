"""Rubric cases in a session: when they are asked and judged, and when that may cost money."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import UserError
from evaltui.core.events import CaseFinished, RunFinished
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree
from evaltui.session import Session
from tests.evaluators.loaded import evaluator, write
from tests.projects import (
    ORDERS,
    make_project,
    with_description,
    write_suite,
    write_tools,
)
from tests.scenarios.judges import says
from tests.session.test_session import AGENT, Ear, all_keys, opened

KEY = CaseKey("evals/find_order.rubric.json", "rb-find-order-001")
RUBRIC: dict[str, Any] = {
    "id": KEY.case,
    "input": {"message": "Look up order SO-7"},
    "stubs": {"find_order": {"state": "found"}},
    "rubric": [{"dimension": "accuracy", "maxScore": 1, "criteria": "1: right. 0: wrong."}],
}
SETTINGS = 'agent = "embedded"\n[judge]\ntype = "openai"\nmodel = "m"\n'


class FakeJudge(Agent):
    """Scores every dimension alike, and counts how often it was asked."""

    name = "judge"
    fingerprint = "000000000000"

    def __init__(self, *, cost_usd: float | None = None) -> None:
        self.traits = AgentTraits(is_free=cost_usd is None)
        self.cost_usd = cost_usd
        self.score = 1
        self.text = ""
        """In place of a score."""
        self.asked: list[AgentRequest] = []
        self.most = self._at_once = 0

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self.asked.append(request)
        self._at_once += 1
        self.most = max(self.most, self._at_once)
        await asyncio.sleep(0)
        self._at_once -= 1
        usage = None if self.cost_usd is None else Usage(1, 1, self.cost_usd)
        return AgentResponse(self.text or says(self.score), usage=usage)


def write_cases(root: Path, cases: Sequence[Any]) -> None:
    document = {"metadata": {"toolName": "find_order"}, "cases": cases}
    (root / KEY.suite).write_text(json.dumps(document))


def write_rubric(root: Path, **changed: Any) -> None:
    write_cases(root, [{**RUBRIC, **changed}])


def criteria(text: str) -> list[dict[str, Any]]:
    return [{**RUBRIC["rubric"][0], "criteria": text}]


def project(root: Path, settings: str = SETTINGS) -> Path:
    make_project(root)
    write_rubric(root)
    (root / "evaltui.toml").write_text(settings)
    return root


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    fake = FakeJudge()

    def made(config: Config, profile: AgentProfile, **_: Any) -> Agent:
        assert config.judge is not None
        assert profile == config.judge.profile
        return fake

    monkeypatch.setattr("evaltui.session.judge_in_force.trusted_agent", made)
    return fake


def expensive(judge: FakeJudge, cost_usd: float) -> FakeJudge:
    judge.cost_usd, judge.traits = cost_usd, AgentTraits()
    return judge


def written_of(run: RunFinished) -> dict[str, Any]:
    """The rubric case in the result files of a run."""
    documents = [json.loads(Path(file).read_text()) for file in run.files]
    cases = [case for document in documents for case in document["cases"]]
    (written,) = [case for case in cases if case["id"] == KEY.case]
    found: dict[str, Any] = written
    return found


def result_of(session: Session) -> CaseResult:
    result = session.store.board(AGENT).rows[KEY].result
    assert result is not None
    return result


@asynccontextmanager
async def watching(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, after a run of everything that was asked for by hand."""
    async with opened(root, trust=True) as (session, ear):
        await session.run(all_keys(session))
        ear.heard.clear()
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        yield session, ear
        await session.close()
        await watch


def asked_agent_for(ear: Ear) -> list[str]:
    """Cases that finished in runs that asked the agent."""
    asking = {run.run_id for run in ear.started() if not run.is_rejudging}
    events = [event for event in ear.heard if isinstance(event, CaseFinished)]
    return [event.result.key.case for event in events if event.run_id in asking]


async def test_without_a_judge_a_rubric_is_not_run_and_not_passed(tmp_path: Path) -> None:
    async with opened(project(tmp_path, "")) as (session, _):
        await session.run(all_keys(session))
        result = result_of(session)
    assert result.status is CaseStatus.SKIPPED
    assert result.error == "not run: a rubric needs a judge (`[judge]` in the settings)"


@pytest.mark.parametrize(("score", "status"), [(1, CaseStatus.PASSED), (0, CaseStatus.FAILED)])
async def test_with_a_judge_it_is_asked_and_judged(
    tmp_path: Path, judge: FakeJudge, score: int, status: CaseStatus
) -> None:
    judge.score = score
    async with opened(project(tmp_path), trust=True) as (session, _):
        finished = (await session.run(all_keys(session)))[0]
        result = result_of(session)
    assert result.status is status
    assert [verdict.check for verdict in result.verdicts] == ["rubric/accuracy"]
    written = written_of(finished)
    assert written["passed"] is bool(score)
    assert written["details"]["rubric"] == {
        "accuracy": {"score": score, "maxScore": 1, "criteria": "1: right. 0: wrong."}
    }


async def test_its_assertions_are_judged_first_and_a_failure_of_theirs_spares_the_judge(
    tmp_path: Path, judge: FakeJudge
) -> None:
    project(tmp_path)
    write_rubric(tmp_path, expect={"responseContains": ["no such text"]})
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run(all_keys(session))
        result = result_of(session)
    assert result.status is CaseStatus.FAILED
    assert judge.asked == []


async def test_votes_are_as_many_questions(tmp_path: Path, judge: FakeJudge) -> None:
    async with opened(project(tmp_path, SETTINGS + "votes = 3\n"), trust=True) as (session, _):
        await session.run([KEY])
        assert result_of(session).verdicts[0].evidence["agreement"] == "3 of 3"
    assert [request.trial for request in judge.asked] == [0, 1, 2]


async def test_it_waits_for_the_deterministic_cases_of_its_tool(
    tmp_path: Path, judge: FakeJudge
) -> None:
    write_suite(project(tmp_path), "find_order", (ORDERS[0], failing()))
    async with opened(tmp_path, trust=True) as (session, ear):
        await session.run(all_keys(session))
        result = result_of(session)
        order = [event.result.key for event in ear.heard if isinstance(event, CaseFinished)]
    assert result.status is CaseStatus.SKIPPED
    assert "`evals/find_order.golden.json::gs-find-order-002` did not pass" in result.error
    assert order[-1] == KEY
    assert judge.asked == []


async def test_it_does_not_wait_for_those_of_another_tool_and_not_for_muted_ones(
    tmp_path: Path, judge: FakeJudge
) -> None:
    project(tmp_path)
    write_suite(tmp_path, "play_music", (failing(),))
    write_suite(tmp_path, "find_order", (failing(),))
    muted = "evals/find_order.golden.json::gs-find-order-002"
    (tmp_path / "evaltui.toml").write_text(f'{SETTINGS}[mute]\n"{muted}" = "known"\n')
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run(all_keys(session))
        assert result_of(session).status is CaseStatus.PASSED
    assert len(judge.asked) == 1


@pytest.mark.parametrize(("id_", "is_held"), [("gs-find-order-9", True), ("gs-sing-9", False)])
async def test_a_file_of_several_tools_holds_it_by_what_the_ids_name(
    tmp_path: Path, judge: FakeJudge, id_: str, is_held: bool
) -> None:
    project(tmp_path)
    sings = {**ORDERS[0], "id": "gs-sing-1"}
    mixed = [ORDERS[0], sings, {**failing(), "id": id_}]
    (tmp_path / "evals" / "find_order.golden.json").unlink()
    (tmp_path / "evals" / "orders.golden.json").write_text(json.dumps(mixed))
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run(all_keys(session))
        result = result_of(session)
    assert (result.status is CaseStatus.SKIPPED) is is_held
    assert (f"orders.golden.json::{id_}` did not pass" in result.error) is is_held
    assert bool(judge.asked) is not is_held


def failing() -> dict[str, Any]:
    return {**ORDERS[1], "expect": {"responseContains": ["no such text"]}}


async def test_what_was_held_runs_once_the_others_pass(tmp_path: Path, judge: FakeJudge) -> None:
    write_suite(project(tmp_path), "find_order", (ORDERS[0], failing()))
    async with watching(tmp_path) as (session, ear):
        assert result_of(session).status is CaseStatus.SKIPPED
        write_suite(tmp_path, "find_order", ORDERS)
        await ear.until(lambda: result_of(session).status is CaseStatus.PASSED)
    assert len(judge.asked) == 1


async def test_a_changed_rubric_judges_the_kept_answer_again(
    tmp_path: Path, judge: FakeJudge
) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        judge.score = 0
        write_rubric(tmp_path, rubric=criteria("1: perfect."))
        await ear.until(lambda: bool(ear.runs()))
        assert result_of(session).status is CaseStatus.FAILED
        assert "1: perfect." in judge.asked[-1].message
    assert asked_agent_for(ear) == []
    assert len(judge.asked) == 2


async def test_another_judge_judges_the_kept_answer_again(tmp_path: Path, judge: FakeJudge) -> None:
    async with watching(project(tmp_path)) as (_, ear):
        (tmp_path / "evaltui.toml").write_text(SETTINGS.replace('"m"', '"other"'))
        await ear.until(lambda: bool(ear.runs()))
    assert asked_agent_for(ear) == []
    assert len(judge.asked) == 2


async def test_a_judge_that_is_taken_out_while_open_judges_no_more(
    tmp_path: Path, judge: FakeJudge
) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        (tmp_path / "evaltui.toml").write_text('agent = "embedded"\n')
        await ear.until(lambda: session.judges.panel(AGENT) is None)
        await session.run([KEY])
        assert result_of(session).status is CaseStatus.SKIPPED
    assert len(judge.asked) == 1


async def test_a_judge_in_the_settings_has_what_was_never_judged_asked(
    tmp_path: Path, judge: FakeJudge
) -> None:
    async with watching(project(tmp_path, 'agent = "embedded"\n')) as (session, ear):
        (tmp_path / "evaltui.toml").write_text(SETTINGS)
        await ear.until(lambda: result_of(session).status is CaseStatus.PASSED)
    assert asked_agent_for(ear) == [KEY.case]
    assert len(judge.asked) == 1


async def test_opening_asks_no_judge_that_costs_money(tmp_path: Path, judge: FakeJudge) -> None:
    expensive(judge, 0.01)
    async with opened(project(tmp_path), trust=True) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(ear.runs()))
        board = session.store.board(AGENT)
        assert [key for key, row in board.rows.items() if row.result is None] == [KEY]
        await session.close()
        await watch
    assert judge.asked == []


async def test_a_changed_rubric_is_judged_again_where_that_is_known_to_be_cheap(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 0.01)
    async with watching(project(tmp_path)) as (_, ear):
        write_rubric(tmp_path, rubric=criteria("1: perfect."))
        await ear.until(lambda: bool(ear.runs()))
    assert len(judge.asked) == 2


async def test_a_changed_rubric_waits_where_judging_is_dear(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 5.0)
    async with watching(project(tmp_path)) as (session, ear):
        write_rubric(tmp_path, rubric=criteria("1: perfect."))
        board = session.store.board(AGENT)
        await ear.until(lambda: board.spending is not None and board.spending.held == 1)
        stale = board.rows[KEY].due
        assert stale is not None
        assert stale.degree is Degree.TO_JUDGE
        assert ear.runs() == []
    assert len(judge.asked) == 1


async def test_what_judging_costs_is_in_the_result_the_estimate_and_the_budget(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 0.5)
    async with opened(project(tmp_path), trust=True) as (session, _):
        assert session.requests.estimate([KEY]).asks_first, "nobody knows what it costs"
        assert not session.requests.estimate([ORDERS_KEY]).asks_first
        await session.run([KEY])
        assert result_of(session).cost_usd == 0.5
        assert session.requests.estimate([KEY]).cost_usd == 0.5
        spending = session.store.board(AGENT).spending
        assert spending is not None
        assert spending.spent_usd == 0.5
        assert list(session.store.boards) == [AGENT]


ORDERS_KEY = CaseKey("evals/find_order.golden.json", "gs-find-order-001")


async def test_a_judge_stops_at_the_limit_of_the_session(tmp_path: Path, judge: FakeJudge) -> None:
    expensive(judge, 0.5)
    project(tmp_path, f"max_cost_usd = 0.5\n{SETTINGS}")
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run([KEY])
        await session.run([KEY])
        result = result_of(session)
    assert (result.status, result.category) == (CaseStatus.ERROR, "budget")
    assert len(judge.asked) == 1


async def test_a_judge_of_unknown_price_stops_under_a_limit(
    tmp_path: Path, judge: FakeJudge
) -> None:
    judge.traits = AgentTraits()
    project(tmp_path, f"max_cost_usd = 0.5\n{SETTINGS}votes = 3\n")
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run([KEY])
        result = result_of(session)
    assert (result.status, result.category) == (CaseStatus.ERROR, "budget")
    assert "what `judge` costs is not known" in result.error
    assert len(judge.asked) == 1


async def test_nothing_is_sent_to_a_judge_before_somebody_agreed(
    tmp_path: Path, judge: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    async with opened(project(tmp_path)) as (session, ear):
        assert not session.is_trusted
        assert [str(grant) for grant in session.grants()] == [
            "sends to https://api.openai.com/v1 with $OPENAI_API_KEY  (judge)"
        ]
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0.05)
        assert ear.runs() == []
        await session.close()
        await watch
    assert judge.asked == []


async def test_recorded_judgements_are_replayed_without_asking(
    tmp_path: Path, judge: FakeJudge
) -> None:
    project(tmp_path, SETTINGS + "votes = 3\n")
    async with opened(tmp_path, trust=True, cassettes="record") as (session, _):
        await session.run([KEY])
    expensive(judge, 0.5)
    async with opened(tmp_path, trust=True, cassettes="replay", max_cost_usd=0.1) as (session, _):
        await session.run([KEY])
        assert result_of(session).verdicts[0].evidence["agreement"] == "3 of 3"
        assert not session.requests.estimate([KEY]).asks_first, "a replay costs nothing"
    assert len(judge.asked) == 3


async def test_a_replay_of_a_model_needs_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    project(tmp_path, SETTINGS + 'api_key = "${MY_KEY}"\n')
    async with opened(tmp_path, trust=True, cassettes="replay") as (session, _):
        await session.run([KEY])
        result = result_of(session)
    assert result.status is CaseStatus.ERROR
    assert "nothing is recorded for this request" in result.error


@pytest.mark.parametrize(("each_usd", "asks"), [(0.5, False), (5.0, True)])
async def test_what_judging_again_takes_is_what_the_judge_costs(
    tmp_path: Path, judge: FakeJudge, each_usd: float, asks: bool
) -> None:
    expensive(judge, each_usd)
    async with opened(project(tmp_path), trust=True) as (session, _):
        await session.run(all_keys(session))
        estimate = session.requests.judging_estimate([KEY], AGENT)
        assert (estimate.cost_usd, estimate.asks_first) == (each_usd, asks)
        assert session.requests.judging_estimate([ORDERS_KEY], AGENT).cost_usd is None


async def test_each_attempt_is_judged_and_all_of_it_is_paid(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 0.5)
    async with opened(project(tmp_path), trust=True, trials=3) as (session, _):
        await session.run([KEY])
        result = result_of(session)
    assert (result.trials, result.passes) == (3, 3)
    assert len(judge.asked) == 3
    assert result.cost_usd == 1.5


@pytest.mark.parametrize("at_once", [1, 4])
async def test_as_many_kept_answers_are_judged_again_at_once_as_the_settings_say(
    tmp_path: Path, judge: FakeJudge, at_once: int
) -> None:
    project(tmp_path, f"concurrency = {at_once}\n{SETTINGS}")
    cases = [{**RUBRIC, "id": f"rb-find-order-00{number}"} for number in range(6)]
    write_cases(tmp_path, cases)
    async with watching(tmp_path) as (_, ear):
        judge.most = 0
        write_cases(tmp_path, [{**case, "rubric": criteria("1: perfect.")} for case in cases])
        await ear.until(lambda: bool(ear.runs()))
    assert judge.most == at_once
    assert len(judge.asked) == 12


async def test_an_option_that_is_none_is_told_at_its_place(tmp_path: Path) -> None:
    project(tmp_path, 'agent = "embedded"\n[judge]\ntype = "openai"\nmodl = "m"\n')
    async with opened(tmp_path, trust=True) as (session, _):
        (problem,) = [one for one in session.store.problems.reported if one.key == "judge"]
        assert (problem.file, problem.line) == ("evaltui.toml", 2)
        with pytest.raises(UserError, match="cannot be used"):
            await session.run([KEY])


async def test_a_save_runs_the_rest_and_leaves_what_is_dear_to_judge(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 5.0)
    async with watching(project(tmp_path)) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Looks up orders by number."))
        await ear.until(lambda: bool(ear.runs()))
        assert sorted(asked_agent_for(ear)) == ["gs-find-order-001", "gs-find-order-002"]
        spending = session.store.board(AGENT).spending
        assert spending is not None
        assert spending.held == 1
    assert len(judge.asked) == 1


async def test_opening_leaves_a_changed_case_that_is_dear_to_judge(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 0.01)
    async with opened(project(tmp_path), trust=True) as (session, _):
        await session.run(all_keys(session))
    write_rubric(tmp_path, input={"message": "Look up order SO-8"})
    async with opened(tmp_path, trust=True) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        session.requests.rerun([ORDERS_KEY], reason="the last")
        await ear.until(lambda: any(run.reason == "the last" for run in ear.started()))
        assert [run.reason for run in ear.started()] == ["the last"]
        await session.close()
        await watch
    assert len(judge.asked) == 1


async def test_while_nobody_agreed_no_judge_is_there_and_verdicts_stay(
    tmp_path: Path, judge: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    async with opened(project(tmp_path), trust=True) as (session, _):
        await session.run(all_keys(session))
    write_rubric(tmp_path, rubric=criteria("1: perfect."))
    async with opened(tmp_path) as (session, ear):
        assert session.judges.panel(AGENT) is None
        await session.run([KEY], is_rejudging=True)
        assert result_of(session).score == 1, "that of the judge, not of a plan without one"
        row = session.store.board(AGENT).rows[KEY]
        assert row.due is None or row.due.degree is Degree.TO_JUDGE
        assert ear.all(CaseFinished) == []
    assert len(judge.asked) == 1


async def test_a_changed_evaluator_beside_a_rubric_asks_no_judge_again(
    tmp_path: Path, judge: FakeJudge
) -> None:
    length = {"type": "response-length", "config": {"max": 400}}
    root = project(tmp_path, f"{SETTINGS}votes = 3\n")
    write_rubric(root, evaluators=[length])
    async with watching(root) as (session, ear):
        assert len(judge.asked) == 3
        judge.score = 0
        write_rubric(root, evaluators=[{**length, "config": {"max": 300}}])
        await ear.until(lambda: bool(ear.runs()))
        assert result_of(session).status is CaseStatus.PASSED
        assert len(judge.asked) == 3
        write_rubric(root, referenceData={"state": "lost"})
        await ear.until(lambda: len(ear.runs()) == 2)
        assert result_of(session).status is CaseStatus.FAILED
    assert (asked_agent_for(ear), len(judge.asked)) == ([], 6)


async def test_a_changed_evaluator_beside_criteria_asks_no_judge_again(
    tmp_path: Path, judge: FakeJudge
) -> None:
    judge.text = json.dumps(
        {"successMet": False, "failureMet": False, "confidence": 1, "reasoning": "fine"}
    )
    length = {"type": "response-length", "config": {"max": 400}}
    path = project(tmp_path) / "evals/orders.scenario.json"
    lines = ["Look up order SO-1", "Look up order SO-2"]
    written = {
        "name": "Two",
        "persona": {"lines": lines},
        "failureCriteria": "It is rude.",
        "evaluators": [length],
    }
    (tmp_path / KEY.suite).unlink()
    path.write_text(json.dumps(written))
    async with watching(tmp_path) as (session, ear):
        assert len(judge.asked) == 2
        judge.text = "nothing that can be read"
        path.write_text(json.dumps({**written, "evaluators": []}))
        await ear.until(lambda: bool(ear.runs()))
        (row,) = (row for row in session.store.board(AGENT).rows.values() if row.key.case == "Two")
        assert row.result is not None
        assert (row.result.status, len(judge.asked)) == (CaseStatus.PASSED, 2)
        path.write_text(json.dumps({**written, "failureCriteria": "It is slow."}))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert len(judge.asked) == 4
    assert asked_agent_for(ear) == []


def held(session: Session) -> int:
    spending = session.store.board(AGENT).spending
    return 0 if spending is None else spending.held


def polite(root: Path, body: str) -> None:
    write(root, "checks/polite.py", evaluator(body, "polite"))


async def test_a_saved_evaluator_waits_for_nobody_where_the_judge_is_asked_nothing(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 5.0)
    root = project(tmp_path, f'evaluators = ["./checks/polite.py"]\n{SETTINGS}votes = 3\n')
    write_rubric(root, evaluators=[{"type": "polite"}])
    polite(root, "return passed('well')")
    async with watching(root) as (session, ear):
        assert len(judge.asked) == 3
        polite(root, "return passed('very well')")
        await ear.until(lambda: bool(ear.runs()))
        assert result_of(session).verdicts[0].reason == "very well"
        assert session.requests.due_keys(AGENT) == ()
        assert held(session) == 0
        polite(root, "return failed('not well')")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert result_of(session).status is CaseStatus.FAILED
    assert (asked_agent_for(ear), len(judge.asked)) == ([], 3)


async def test_a_saved_evaluator_waits_where_the_judge_would_have_to_say_something_new(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 5.0)
    root = project(tmp_path, f'evaluators = ["./checks/polite.py"]\n{SETTINGS}')
    others = [{**RUBRIC, "id": f"rb-find-order-00{number}"} for number in (2, 3)]
    write_cases(root, [{**one, "evaluators": [{"type": "polite"}]} for one in (RUBRIC, *others)])
    polite(root, "return passed('well') if ctx.config else failed('badly')")
    async with watching(root) as (session, ear):
        assert judge.asked == []
        polite(root, "return passed('well')")
        await ear.until(lambda: bool(ear.runs()))
        await ear.until(lambda: held(session) == 3)
        assert (result_of(session).status, ear.all(CaseFinished)) == (CaseStatus.FAILED, [])
        assert len(session.requests.due_keys(AGENT)) == 3
    assert (asked_agent_for(ear), judge.asked) == ([], [])


async def test_the_criteria_of_a_conversation_are_not_judged_again_for_a_saved_evaluator(
    tmp_path: Path, judge: FakeJudge
) -> None:
    expensive(judge, 5.0)
    judge.text = json.dumps(
        {"successMet": False, "failureMet": False, "confidence": 1, "reasoning": "not yet"}
    )
    root = project(tmp_path, f'evaluators = ["./checks/polite.py"]\n{SETTINGS}')
    (root / KEY.suite).unlink()
    lines = ["Look up order SO-1", "And SO-2"]
    talk = {"name": "Two", "persona": {"lines": lines}, "failureCriteria": "It is rude."}
    file = "evals/two.scenario.json"
    write(root, file, json.dumps({**talk, "evaluators": [{"type": "polite"}]}))
    polite(root, "return passed('well')")
    async with watching(root) as (session, ear):
        assert len(judge.asked) == 2
        polite(root, "return passed('very well')")
        await ear.until(lambda: bool(ear.runs()))
        result = session.store.board(AGENT).rows[CaseKey(file, "Two")].result
        assert result is not None
        said = {one.check: one.reason for one in result.verdicts}
        assert said["polite"] == "very well"
        assert session.requests.due_keys(AGENT) == ()
    assert (asked_agent_for(ear), len(judge.asked)) == ([], 2)


async def test_another_version_of_judging_has_the_judge_asked_again(
    tmp_path: Path, judge: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path)
    async with opened(root, trust=True) as (session, _):
        await session.run(all_keys(session))
    assert len(judge.asked) == 1
    monkeypatch.setattr("evaltui.project.project.RULES", "another")
    judge.score = 0
    async with opened(root, trust=True) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(ear.runs()))
        assert result_of(session).status is CaseStatus.FAILED
        await session.close()
        await watch
    assert (asked_agent_for(ear), len(judge.asked)) == ([], 2)
