"""A changed check is judged again from kept answers; nobody is asked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.agent_name import JUDGE
from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, RubricDimension
from evaltui.core.config import Config
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseFinished, Event, RunEnd
from evaltui.core.inputs import Inputs
from evaltui.core.judge import Judge, JudgeRequest, Panel
from evaltui.core.response import AgentResponse, ToolCall, Turn
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.sink import Sink
from evaltui.core.staleness import Degree
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.session import Session
from evaltui.session.money.spending import Spending
from evaltui.session.running import rejudging as module
from tests.cli.test_resume import interrupt
from tests.projects import case, make_project, write_suite
from tests.session.test_session import Ear, all_keys, asking, opened, written_by
from tests.session.turns import Ticking

if TYPE_CHECKING:
    from evaltui.project import Project

AGENT = "paid"
FUNCTION = """
from pathlib import Path
def answer(message):
    with open(Path(__file__).with_name("asked.log"), "a") as log:
        log.write(message + "\\n")
    call = {"name": "find_order", "params": {"order_id": "SO-1"}, "success": True}
    return {"response": "It is there.", "toolCalls": [call], "usage": {"cost_usd": 0.2}}
"""


def orders(count: int, **expect: Any) -> list[dict[str, Any]]:
    cases = [case(f"c-{n}", f"Look up order SO-{n}", "find_order", **expect) for n in range(count)]
    for one in cases:
        del one["stubs"]
    return cases


def project(root: Path, count: int) -> Path:
    """So many cases of an agent that costs money and writes down what it is asked."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    write_suite(root, "find_order", orders(count))
    (root / "mine.py").write_text(FUNCTION)
    (root / "evaltui.toml").write_text(
        f'agent = "{AGENT}"\n[agents.{AGENT}]\ntype = "python"\nfunction = "mine.py:answer"\n'
    )
    return root


def asked(root: Path) -> int:
    log = root / "asked.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


@asynccontextmanager
async def watching(root: Path, *, is_fresh: bool = True) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching; with `is_fresh` after a run of everything."""
    async with opened(root) as (session, ear):
        if is_fresh:
            await session.run(all_keys(session))
        ear.heard.clear()
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        yield session, ear
        await session.close()
        await watch


def statuses(session: Session) -> list[CaseStatus]:
    rows = session.store.board(AGENT).rows.values()
    return [row.result.status for row in rows if row.result is not None]


@pytest.mark.parametrize("is_fresh", [True, False], ids=["this process", "an earlier one"])
async def test_an_edited_check_gets_new_verdicts_and_no_request(
    tmp_path: Path, is_fresh: bool
) -> None:
    root = project(tmp_path, 20)
    if not is_fresh:
        async with opened(root) as (session, _):
            await session.run(all_keys(session))
    async with watching(root, is_fresh=is_fresh) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        before = asked(root)
        write_suite(root, "find_order", orders(20, responseContains=["It is gone."]))
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED] * 20
        assert session.requests.due_keys(AGENT) == ()
        board = session.store.board(AGENT)
        assert board.runs.last is not None
        assert (board.runs.last.spent_usd, board.runs.last.done) == (0.0, 20)
    assert asked(root) == before == 20
    (started,), (finished,) = ear.started(), ear.runs()
    assert started.is_rejudging
    assert started.trigger == ("evals/find_order.golden.json",)
    written = written_by(finished)
    assert written["summary"]["failed"] == 20
    assert all(one["toolCalls"] and "carriedFrom" not in one for one in written["cases"])


async def test_the_next_process_knows_the_new_verdicts(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with watching(root) as (_, ear):
        write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
        await ear.until(lambda: bool(ear.runs()))
    async with opened(root) as (session, _):
        assert statuses(session) == [CaseStatus.FAILED] * 2
        assert session.requests.due_keys(AGENT) == ()
        assert len(session.past(all_keys(session)[0], AGENT)) == 2


async def test_only_the_edited_check_is_judged(tmp_path: Path) -> None:
    root = project(tmp_path, 3)
    async with watching(root) as (_, ear):
        cases = orders(3)
        cases[1]["expect"]["responseContains"] = ["It is gone."]
        write_suite(root, "find_order", cases)
        await ear.until(lambda: bool(ear.runs()))
    judged = [event.result for event in ear.heard if isinstance(event, CaseFinished)]
    assert [(one.key.case, one.status) for one in judged] == [("c-1", CaseStatus.FAILED)]


async def test_a_changed_message_is_asked_and_a_changed_check_beside_it_is_not(
    tmp_path: Path,
) -> None:
    root = project(tmp_path, 2)
    async with watching(root) as (session, ear):
        cases = orders(2, responseContains=["It is gone."])
        cases[0]["input"] = asking("Where is SO-0?")["input"]
        write_suite(root, "find_order", cases)
        await ear.until(lambda: len(ear.runs()) == 2)
        assert statuses(session) == [CaseStatus.FAILED] * 2
    assert asked(root) == 3
    assert [[key.case for key in run.cases] for run in ear.started()] == [["c-1"], ["c-0"]]
    assert [run.is_rejudging for run in ear.started()] == [True, False]


async def test_a_setting_that_shapes_only_verdicts_asks_nobody(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with watching(root) as (_, ear):
        path = root / "evaltui.toml"
        path.write_text("multiset_tools = false\n" + path.read_text())
        await ear.until(lambda: bool(ear.runs()))
    assert ear.started()[0].is_rejudging
    assert asked(root) == 2


async def test_judging_by_hand_leaves_what_would_be_answered_otherwise(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
    cases = orders(2, responseContains=["It is gone."])
    cases[0]["input"] = asking("Where is SO-0?")["input"]
    write_suite(root, "find_order", cases)
    async with opened(root) as (session, ear):
        session.requests.rejudge(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.PASSED, CaseStatus.FAILED]
        assert [key.case for key in session.requests.due_keys(AGENT)] == ["c-0"]
    assert asked(root) == 2


async def test_an_answer_that_is_not_kept_any_more_is_asked_for(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    for file in (*(root / "evals" / "results").glob("*.json"), *(root / ".evaltui/runs").iterdir()):
        file.unlink()
    async with watching(root, is_fresh=False) as (session, ear):
        write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert statuses(session) == [CaseStatus.FAILED] * 2
        assert session.requests.due_keys(AGENT) == ()
    assert asked(root) == 4


async def test_a_save_that_finds_answers_gone_asks_only_within_the_guard_of_money(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, 2)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    for file in (*(root / "evals" / "results").glob("*.json"), *(root / ".evaltui/runs").iterdir()):
        file.unlink()
    monkeypatch.setattr(Spending, "may_run", lambda *_: False)
    async with watching(root, is_fresh=False) as (session, ear):
        write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
        await ear.until(lambda: bool(ear.runs()))
        await ear.until(
            lambda: session.requests.due_keys(AGENT, to_judge=False) == all_keys(session)
        )
        session.requests.rerun(all_keys(session)[:1], reason="the last")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert ear.started()[1].reason == "the last"
    assert asked(root) == 3


async def test_what_never_ran_has_no_answer_to_judge(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with opened(root) as (session, ear):
        await session.run(all_keys(session)[:1])
        (again,) = await session.run(all_keys(session), is_rejudging=True)
        assert again.end is RunEnd.COMPLETED
        assert ear.started()[-1].cases == all_keys(session)[:1]
    assert asked(root) == 1


async def test_whoever_gave_no_answer_is_not_asked_for_one(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    broken = FUNCTION.replace("    call =", "    assert 'SO-0' not in message\n    call =")
    (root / "mine.py").write_text(broken)
    async with watching(root) as (session, ear):
        assert statuses(session) == [CaseStatus.ERROR, CaseStatus.PASSED]
        write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.ERROR, CaseStatus.FAILED]
        assert session.requests.due_keys(AGENT) == ()
    assert asked(root) == 2


async def test_a_check_that_changes_during_a_run_stops_no_answer(tmp_path: Path) -> None:
    root = project(tmp_path, 4)
    (root / "mine.py").write_text(
        FUNCTION.replace("    call =", "    import time; time.sleep(0.1)\n    call =")
    )
    async with watching(root, is_fresh=False) as (session, ear):
        session.requests.rerun(all_keys(session))
        await ear.until(lambda: bool(ear.all(CaseFinished)))
        write_suite(root, "find_order", orders(4, responseContains=["It is gone."]))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert session.requests.due_keys(AGENT) == ()
        assert statuses(session) == [CaseStatus.FAILED] * 4
    assert asked(root) == 4
    assert {run.end for run in ear.runs()} == {RunEnd.COMPLETED}
    assert [run.is_rejudging for run in ear.started()] == [False, True]


async def test_a_changed_seed_is_judged_with_its_new_values(tmp_path: Path) -> None:
    root = project(tmp_path, 1)
    write_suite(root, "find_order", orders(1, responseContains=["{{seed:where}}"]))
    seed = root / "evals" / "seed-manifest.json"
    seed.write_text('{"where": "there"}')
    async with watching(root) as (session, ear):
        assert statuses(session) == [CaseStatus.PASSED]
        seed.write_text('{"where": "nowhere"}')
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED]
        seed.write_text('{"where": "there"}')
        await ear.until(lambda: len(ear.runs()) == 2)
        assert statuses(session) == [CaseStatus.PASSED]
    assert asked(root) == 1


async def test_what_is_to_be_judged_waits_while_watching_is_paused(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with watching(root) as (session, ear):
        session.watch_loop.pause()
        write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
        await ear.until(lambda: session.watch_loop.pending(session.agents[0]) == 2)
        assert not ear.started()
        session.watch_loop.resume()
        await ear.until(lambda: bool(ear.runs()))
        assert session.watch_loop.pending(session.agents[0]) == 0
    assert asked(root) == 2


async def test_judging_by_hand_asks_for_no_answer_that_is_gone(tmp_path: Path) -> None:
    root = project(tmp_path, 2)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    for file in (*(root / "evals" / "results").glob("*.json"), *(root / ".evaltui/runs").iterdir()):
        file.unlink()
    write_suite(root, "find_order", orders(2, responseContains=["It is gone."]))
    async with opened(root) as (session, ear):
        session.requests.rejudge(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        session.requests.rerun(all_keys(session)[:1], reason="the last")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert ear.started()[1].reason == "the last"
    assert asked(root) == 3


async def test_several_trials_are_asked_again_since_one_answer_is_kept(tmp_path: Path) -> None:
    root = project(tmp_path, 1)
    async with opened(root, trials=2) as (session, ear):
        await session.run(all_keys(session))
        ear.heard.clear()
        session.requests.rejudge(all_keys(session))
        session.requests.rerun(all_keys(session), reason="the last")
        await ear.until(lambda: bool(ear.runs()))
        assert [run.reason for run in ear.started()] == ["the last"]


def test_resuming_judges_again_and_asks_for_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, 3)
    assert run_command(["-C", str(root), "run"]) == 0
    assert asked(root) == 3
    interrupt(root, lambda number, _: number <= 3)
    write_suite(root, "find_order", orders(3, responseContains=["It is gone."]))
    capsys.readouterr()
    assert run_command(["-C", str(root), "run", "--resume"]) == 1
    assert "0/3 passed" in capsys.readouterr().out
    assert asked(root) == 3


async def test_a_case_that_is_not_asked_any_more_or_now_is_gets_what_a_full_run_gives(
    tmp_path: Path,
) -> None:
    root = project(tmp_path, 1)
    reserved = {"rubric": [{"dimension": "tone", "maxScore": 5, "criteria": "kind"}]}
    (asked_one,) = orders(1)
    rubric = {**asked_one, **reserved}
    del rubric["expect"]
    write_suite(root, "find_order", [rubric])
    with (root / "evaltui.toml").open("a") as settings:
        settings.write("is_free = true\n")  # what it would cost nobody knows: that asks first
    async with watching(root) as (session, ear):
        for now in ({**rubric, "expect": {"responseContains": ["It is gone."]}}, rubric):
            before = len(ear.runs())
            write_suite(root, "find_order", [now])
            await ear.until(lambda before=before: len(ear.runs()) > before)  # type: ignore[misc]
            seen = statuses(session)
            await session.run(all_keys(session))
            assert statuses(session) == seen


async def test_judging_many_answers_again_leaves_everybody_else_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(project(tmp_path, 6)) as (session, _):
        await session.run(all_keys(session))
        monkeypatch.setattr("evaltui.session.running.rejudging.time", Ticking())
        counting = Counting()
        session.add_sink(counting)
        taking = asyncio.create_task(counting.take())
        await session.run(all_keys(session), is_rejudging=True)
        taking.cancel()
        turns = counting.at_results
    assert len(turns) == 6
    assert all(before < after for before, after in pairwise(turns))
    assert asked(tmp_path) == 6


class Counting(Sink):
    """Counts turns of the event loop, and notes how many there were at each result."""

    hears = frozenset({CaseFinished})

    def __init__(self) -> None:
        self.at_results: list[int] = []
        self._turns = 0

    async def take(self) -> None:
        while True:
            self._turns += 1
            await asyncio.sleep(0)

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.at_results.append(self._turns)


TONE = RubricDimension("tone", 1.0, "Friendly?")
VERDICTS = (Verdict("toolsCalled", VerdictStatus.PASSED, "it was called"),)


def kept(response: AgentResponse | None, judge: str = "a") -> object:
    """What is kept of a result that judge `a` scored."""
    then, now = (Inputs(checks={JUDGE: one}) for one in ("a", judge))
    status = CaseStatus.PASSED
    result = CaseResult(CaseKey("a", "a"), "r", "a", status, response=response, inputs=then)
    return module._kept(replace(result, verdicts=VERDICTS), now)


def test_verdicts_are_kept_by_turn_where_the_same_judge_scored_them() -> None:
    turns = (Turn(0, 1), Turn(1, 2, verdicts=VERDICTS))
    talk = AgentResponse("", conversation=turns)
    assert kept(AgentResponse("")) == kept(None) == {1: VERDICTS}
    assert kept(talk) == {1: (), 2: VERDICTS}
    assert kept(talk, "b") == {}


@pytest.mark.parametrize(
    ("status", "category", "response", "is_lost"),
    [
        (CaseStatus.PASSED, "", None, True),
        (CaseStatus.FAILED, "assertion", None, True),
        (CaseStatus.ERROR, "judge_error", None, True),
        (CaseStatus.ERROR, "agent_error", None, False),
        (CaseStatus.SKIPPED, "", None, False),
        (CaseStatus.PASSED, "", AgentResponse(""), False),
    ],
)
def test_an_answer_that_was_judged_and_is_not_kept_is_lost(
    status: CaseStatus, category: str, response: AgentResponse | None, is_lost: bool
) -> None:
    key = CaseKey("a", "a")
    result = CaseResult(key, "r", "a", status, response=response, category=category)
    assert module._is_lost(result) is is_lost


async def test_so_many_are_judged_at_once_and_told_in_their_order() -> None:
    begun: list[int] = []
    go_on = asyncio.Event()

    async def one(number: int) -> None:
        begun.append(number)
        await go_on.wait()

    found = module._in_order((one(number) for number in range(3)), 2)
    first = asyncio.ensure_future(anext(found))
    for _ in range(5):
        await asyncio.sleep(0)
    assert begun == [0, 1]
    go_on.set()
    assert [await first] + [result async for result in found] == [None] * 3
    assert begun == [0, 1, 2]


async def test_nobody_is_asked_for_a_verdict_and_it_is_noted_whose_is_missing() -> None:
    key, judge = CaseKey("a", "a"), cast("Judge", SimpleNamespace(name="wise"))
    panel, stands = module.unasked(Panel(judge, 1, 0.5, judge))
    assert (panel.judge, panel.player, stands.name) == (stands, None, "wise")
    with pytest.raises(AgentError, match="nobody agreed"):
        await stands.ask(cast("JudgeRequest", SimpleNamespace(key=key)))
    assert stands.wanted == {key}


@pytest.mark.parametrize("is_ended_elsewhere", [True, False])
async def test_a_conversation_that_would_have_ended_elsewhere_is_not_judged_again(
    monkeypatch: pytest.MonkeyPatch, is_ended_elsewhere: bool
) -> None:
    talk = AgentResponse("then", conversation=(Turn(0, 1),))
    again = None if is_ended_elsewhere else replace(talk, text="now")

    async def judged_again(*_: object) -> AgentResponse | None:
        return again

    async def rejudge(result: CaseResult, *_: object, certain: object) -> CaseResult:
        assert certain is None
        return result

    for name, made in {
        "InputsOf": lambda *_: lambda *_: Inputs(),
        "plan_of": lambda *_, **__: (),
        "settled_by_plan": lambda *_: None,
        "judged_again": judged_again,
        "rejudge": rejudge,
    }.items():
        monkeypatch.setattr(module, name, made)
    project = SimpleNamespace(evaluators_for=lambda _: None, seed=None)
    rejudging = module.Rejudging(
        cast("Project", project), cast("Any", None), cast("Any", None), Config(Path())
    )
    asked = Case(CaseKey("a", "a"), ContractCase("hello"))
    result = CaseResult(asked.key, "r", "a", CaseStatus.PASSED, response=talk)
    judged = await rejudging._judge_one(asked, cast("Any", None), result)
    assert (judged.response if judged is not None else None) == again


class NowAndThen:
    """The inputs of now, with the tools of then where they are compared with a result's."""

    others: tuple[str, ...] | None = ()
    registry = "then"

    def __init__(self, *_: object) -> None:
        pass

    def __call__(self, _case: object, _suite: object, before: Inputs | None = None) -> Inputs:
        tools = {"find_order.description": "x"} if before is None else {}
        return Inputs(tools=tools, registry=self.registry, all_tools="all of now")

    def reached(self, *_: object) -> object:
        return SimpleNamespace(others=self.others)


@pytest.fixture
def by_tools(monkeypatch: pytest.MonkeyPatch) -> module.Rejudging:
    """Judges as then, in a project of which the tools that a result called all have one print."""

    async def rejudge(result: CaseResult, *_: object, certain: object) -> CaseResult:
        assert certain is None
        return result

    monkeypatch.setattr(module, "InputsOf", NowAndThen)
    monkeypatch.setattr(module, "plan_of", lambda *_, **__: ())
    monkeypatch.setattr(module, "settled_by_plan", lambda *_: None)
    monkeypatch.setattr(module, "rejudge", rejudge)
    prints = SimpleNamespace(of_called=lambda names: dict.fromkeys(names, "print"))
    registry = ToolRegistry({name: ToolDefinition(name) for name in ("find_order", "wave")})
    project = SimpleNamespace(
        evaluators_for=lambda _: None, seed=None, tool_prints=prints, registry=registry
    )
    nobody = cast("Any", None)
    return module.Rejudging(cast("Project", project), nobody, nobody, Config(Path()))


def asked_then(response: AgentResponse | None) -> CaseResult:
    inputs = Inputs(registry="then", all_tools="all")
    key = CaseKey("a", "a")
    return CaseResult(key, "r", "a", CaseStatus.PASSED, response=response, inputs=inputs)


@pytest.mark.parametrize(
    ("others", "registry", "are_same"),
    [
        ((), "now", True),
        (None, "then", True),
        (None, "now", False),
        (("wave.description changed",), "then", False),
    ],
)
async def test_what_a_case_mentions_now_counts_from_now_on(
    by_tools: module.Rejudging,
    monkeypatch: pytest.MonkeyPatch,
    others: tuple[str, ...] | None,
    registry: str,
    are_same: bool,
) -> None:
    monkeypatch.setattr(NowAndThen, "others", others)
    monkeypatch.setattr(NowAndThen, "registry", registry)
    asked = Case(CaseKey("a", "a"), ContractCase("hello"))
    judged = await by_tools._judge_one(asked, cast("Any", None), asked_then(AgentResponse("")))
    assert judged is not None
    assert judged.inputs.tools == {"find_order.description": "x"}
    now, then = (registry, "all of now"), ("then", "")
    assert (judged.inputs.registry, judged.inputs.all_tools) == (now if are_same else then)


@pytest.mark.parametrize("is_answered", [True, False])
def test_tools_that_were_called_and_are_not_mentioned_count_too(
    by_tools: module.Rejudging, is_answered: bool
) -> None:
    calls = (ToolCall("find_order", {}), ToolCall("wave", {}))
    response = AgentResponse("", calls) if is_answered else None
    now = Inputs(tools={"find_order.description": "x"})
    made = by_tools._by_tools_of_now(asked_then(response), now, are_others_same=False)
    assert made.inputs.called == ({"wave": "print"} if is_answered else {})


def test_an_answer_is_judged_that_would_be_given_now(
    by_tools: module.Rejudging, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Case(CaseKey("a", "a"), ContractCase("hello"))
    rubric = replace(asked, body=RubricCase("hello", dimensions=(TONE,)))
    row = SimpleNamespace(result=asked_then(AgentResponse("")))
    degree, untrusted = [Degree.TO_JUDGE], list[str]()
    monkeypatch.setattr(module, "can_be_judged_again", lambda *_: True)
    monkeypatch.setattr(by_tools._inputs_of, "changed", lambda *_: (degree[0], ()), raising=False)
    monkeypatch.setattr(
        by_tools._project, "untrusted_evaluators", lambda *_: untrusted, raising=False
    )
    by_tools._board = cast("Any", SimpleNamespace(rows={}))

    def can(case: Case = asked) -> bool:
        return by_tools.can_judge(case, cast("Any", None))

    assert not can(), "it never ran"
    by_tools._board.rows[asked.key] = cast("Any", row)
    assert can()
    assert not can(rubric), "nobody can judge it"
    untrusted.append("mine")
    assert not can(), "nobody agreed to its evaluator"
    untrusted.clear()
    degree[0] = Degree.AFFECTED
    assert not can(), "it would be asked otherwise"
    degree[0] = Degree.POSSIBLY
    by_tools._unasked = module.UnaskedJudge("wise")
    assert can()
    row.result = replace(row.result, inputs=Inputs(case="edited"))
    assert not can(), "the judge would be asked otherwise"
    by_tools._unasked = None
    assert can()
    monkeypatch.setattr(module, "can_be_judged_again", lambda *_: False)
    assert not can()
    row.result = None
    assert not can()


@pytest.mark.parametrize("together", [1, 2])
async def test_of_what_is_chosen_and_kept_each_is_judged_in_its_order(
    by_tools: module.Rejudging, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    async def judge_one(_case: object, _suite: object, result: CaseResult) -> CaseResult | None:
        return None if result.key.case == "2" else result

    monkeypatch.setattr(by_tools, "_together", lambda _: together)
    monkeypatch.setattr(by_tools, "_judge_one", judge_one)
    answered, lost = asked_then(AgentResponse("")), asked_then(None)
    results = [replace(answered, key=CaseKey("a", str(number))) for number in range(5)]
    results[0] = replace(lost, key=results[0].key)
    cases = [Case(one.key, ContractCase("hello")) for one in results]
    suite, whole = SimpleNamespace(cases=cases), SimpleNamespace(cases=results)
    chosen = {one.key for one in results[:4]}
    judged = by_tools.judge(cast("Any", suite), cast("Any", whole), chosen)
    assert [one.key.case async for one in judged] == ["1", "3"]
