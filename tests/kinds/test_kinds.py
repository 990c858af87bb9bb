"""Every kind of case has its line: how it is asked, how it is judged."""

from typing import get_args

from evaltui.core.case import Case, CaseBody, CaseKey, ContractCase, RubricCase
from evaltui.core.json_value import JsonObject
from evaltui.core.response import AgentResponse, Message
from evaltui.core.result import CaseStatus
from evaltui.expectations.contract_config import ContractConfig
from evaltui.kinds import KINDS, kind_of, settled

KEY = CaseKey("evals/a.golden.json", "gs-1")
EXPECT: JsonObject = {"responseNonEmpty": True, "responseContains": ["a", "b"]}


def test_no_kind_of_body_is_forgotten() -> None:
    assert set(KINDS) == set(get_args(CaseBody))


async def test_a_contract_case_asks_once_and_has_a_stage_for_each_assertion() -> None:
    asked: list[tuple[str, tuple[Message, ...]]] = []

    async def ask(message: str, history: tuple[Message, ...] = ()) -> AgentResponse:
        asked.append((message, history))
        return AgentResponse("ab")

    case = Case(KEY, ContractCase("hello", EXPECT))
    kind = kind_of(case)
    assert (await kind.driver(case, ask)).text == "ab"
    assert asked == [("hello", ())]
    assert [len(stage) for stage in kind.plan(case, config=ContractConfig())] == [1, 1, 1]
    assert settled(case) is None


def test_a_rubric_case_is_skipped_and_a_case_that_cannot_be_judged_fails() -> None:
    rubric = settled(Case(KEY, RubricCase("hello")))
    assert rubric is not None
    assert rubric.status is CaseStatus.SKIPPED
    assert rubric.reason == "rubric cases are reserved: not run, not counted as passed"
    invalid = settled(Case(KEY, ContractCase("hello"), invalid="`expect` is missing"))
    assert invalid is not None
    assert (invalid.status, invalid.reason) == (CaseStatus.FAILED, "`expect` is missing")
