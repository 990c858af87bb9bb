"""A kept answer gets a new verdict; what shaped the answer stays known."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.bearing import OF_VERDICT
from evaltui.core.case import CaseKey
from evaltui.core.check import CheckContext
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import ANOTHER_TOOL, Degree, due_reasons
from evaltui.judging.rejudge import rejudge
from tests.expectations.judging import make_case
from tests.judging.test_run_plan import FAILED, Says

BEFORE = Inputs(
    case="case",
    tools={"t.description": "1"},
    registry="others",
    seed={"a": "1"},
    agent="agent",
    checks={"multiset_tools": "on"},
    answer="message",
    rules="1",
    settings={"timeoutMs": 1_000, "trials": 1},
)
NOW = replace(BEFORE, case="new", seed={"a": "2"}, checks={"multiset_tools": "off"}, rules="2")
ANSWER = AgentResponse("x", duration_ms=3.0)
ANSWERED = CheckContext(make_case({}), ANSWER)
RESULT = CaseResult(
    key=CaseKey("s", "c"),
    run_id="run-1",
    agent="agent",
    status=CaseStatus.PASSED,
    duration_ms=3.0,
    passes=1,
    assertions_run=4,
    response=ANSWER,
    inputs=BEFORE,
    finished_at=12.0,
)


async def test_the_verdict_is_new_and_the_answer_is_not() -> None:
    failed = await rejudge(RESULT, ANSWERED, ((Says("b", FAILED),),), NOW)
    assert (failed.status, failed.error, failed.passes) == (CaseStatus.FAILED, "b said so", 0)
    assert (failed.assertions_run, len(failed.verdicts)) == (1, 1)
    assert failed.response is ANSWER
    assert (failed.run_id, failed.duration_ms, failed.finished_at) == ("run-1", 3.0, 12.0)
    assert due_reasons(failed, NOW) is None
    passed = await rejudge(failed, ANSWERED, ((Says("b"),),), NOW)
    assert (passed.status, passed.error, passed.category) == (CaseStatus.PASSED, "", "")


async def test_whoever_did_not_answer_is_not_judged() -> None:
    late = replace(
        RESULT, status=CaseStatus.FAILED, category="timeout", error="timeout: …", response=None
    )
    check = Says("b")
    again = await rejudge(late, None, ((check,),), NOW)
    assert check.asked == []
    assert again == replace(late, inputs=again.inputs)
    assert due_reasons(again, NOW) is None


@given(st.sampled_from(OF_VERDICT))
async def test_all_that_shapes_the_verdict_alone_is_taken_from_now(name: str) -> None:
    now = replace(NOW, live="told now", evaluator_files="files now")
    again = await rejudge(RESULT, ANSWERED, (), now)
    assert getattr(again.inputs, name) == getattr(now, name) != getattr(BEFORE, name)


async def test_what_else_changed_matters_as_before() -> None:
    now = replace(NOW, registry="others now")
    degree, _ = due_reasons(RESULT, now) or (None, ())
    assert degree is Degree.TO_JUDGE
    again = await rejudge(RESULT, ANSWERED, (), now)
    assert due_reasons(again, now) == (Degree.POSSIBLY, (ANOTHER_TOOL,))


@given(st.sampled_from([name for name in Inputs.__struct_fields__ if name not in OF_VERDICT]))
async def test_nothing_that_shaped_the_answer_is_taken_from_now(name: str) -> None:
    other: object = {} if isinstance(getattr(NOW, name), dict) else "other"
    again = await rejudge(RESULT, ANSWERED, (), replace(NOW, **{name: other}))
    assert getattr(again.inputs, name) == getattr(BEFORE, name)
