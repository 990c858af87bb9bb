"""What is taken for granted of an answer, a result and an agent of which no more is said."""

from importlib import import_module
from pkgutil import walk_packages

from msgspec import Struct
from msgspec.structs import fields

from evaltui import core
from evaltui.core.agent import AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, Tier
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.model import ModelReply, ModelRequest
from evaltui.core.outcome import Outcome
from evaltui.core.response import AgentResponse, Execution, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite_result import Summary
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus

KEY = CaseKey("evals/a.json", "c")
OTHERWISE: dict[str, object] = {
    "AgentRequest.max_turns": 5,
    "AgentRequest.timeout_s": 60.0,
    "AgentResponse.tells_calls": True,
    "AgentResponse.turns": 1,
    "AgentTraits.may_read_registry": True,
    "AgentTraits.reads_registry": True,
    "BaselineCase.trials": 1,
    "CaseResult.trials": 1,
    "PairedCase.is_tried_alike": True,
    "CheckContext.is_final": True,
    "CheckContext.turn": 1,
    "Config.call_at": 0.40,
    "Config.concurrency": 1,
    "Config.confirm_above": 1.0,
    "Config.keep_runs": 50,
    "Config.multiset_tools": True,
    "Config.timeout_ms": 60_000,
    "Config.trials": 1,
    "WrittenCase.max_turns": 5,
    "EvaluatorSource.timeout_s": 30.0,
    "JudgeConfig.votes": 1,
    "Level.alpha": 0.1,
    "Level.max_trials": 20,
    "PairedCase.step": 1.0,
    "Panel.votes": 1,
    "RegressionsConfig.alpha": 0.1,
    "RegressionsConfig.max_trials": 20,
    "RunStarted.concurrency": 1,
    "RunStarted.trials": 1,
    "ScenarioCase.max_messages": 10,
    "ToolRegistry.configured": True,
    "Turn.tells_calls": True,
    "Verdict.hard": True,
    "WatchConfig.debounce_ms": 50,
}
"""Numbers that are not zero and flags that are set where nobody says anything."""


def test_what_nobody_tells_is_zero_or_no_but_for_what_is_named_here() -> None:
    modules = [import_module(one.name) for one in walk_packages(core.__path__, "evaltui.core.")]
    structs = {
        one.__name__: one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Struct) and one is not Struct
    }
    found = {
        f"{name}.{field.name}": field.default
        for name, one in structs.items()
        for field in fields(one)
        if isinstance(field.default, int | float) and field.name in one.__annotations__
    }
    assert {name: value for name, value in found.items() if value} == OTHERWISE
    assert len(found) > 100


def test_a_case_is_known_by_suite_and_id_and_shows_what_its_body_says() -> None:
    body = ContractCase("hi", expect={"maxTokens": 1}, stubs={"t": 1})
    case = Case(KEY, body)
    assert (str(KEY), case.id) == ("evals/a.json::c", "c")
    assert (case.message, case.expect, case.stubs) == ("hi", {"maxTokens": 1}, {"t": 1})
    assert (case.tier, case.line, case.invalid, case.description) == (Tier.GOLDEN, 0, "", "")
    assert (body.max_turns, ContractCase("hi").expect, ContractCase("hi").stubs) == (5, None, None)
    assert (RubricCase("hi").dimensions, RubricCase("hi").reference_data) == ((), None)


def test_an_answer_is_live_and_its_calls_real_unless_it_says_otherwise() -> None:
    answer = AgentResponse("x")
    assert answer.execution is Execution.REAL
    assert (answer.source, answer.turns, answer.retries) == ("live", 1, 0)
    assert (answer.duration_ms, answer.queued_ms, answer.first_token_ms) == (0.0, 0.0, None)
    assert (answer.usage, answer.tool_calls, answer.notes) == (None, (), ())
    assert (ModelReply("x").source, ModelReply("x").retries) == ("live", 0)
    call = ToolCall("t")
    assert (call.params, call.success, call.duration_ms, call.error) == (None, None, None, "")


def test_a_result_is_of_a_single_attempt_that_has_counted_nothing() -> None:
    result = CaseResult(KEY, "r", "a", CaseStatus.FAILED)
    assert (result.trial, result.trials, result.passes, result.attempts) == (0, 1, 0, ())
    assert (result.assertions_run, result.assertions_skipped, result.skipped_tokens) == (0, 0, ())
    assert (result.duration_ms, result.queued_ms, result.finished_at) == (0.0, 0.0, 0.0)
    assert (result.error, result.category, result.carried_from) == ("", "", "")
    assert (result.score, result.response, result.verdicts) == (None, None, ())
    assert Outcome(CaseStatus.FAILED, "why") == Outcome(
        CaseStatus.FAILED, "why", "", None, {}, 0, 0, (), ()
    )
    assert Summary() == Summary(0, 0, 0, 0, 0, 0, 0, 0.0, None)
    verdict = Verdict("c", VerdictStatus.PASSED, "why")
    assert (verdict.kind, verdict.value, verdict.hard) == (Kind.ASSERTION, None, True)
    assert (verdict.label, verdict.category, verdict.duration_ms) == ("", "", 0.0)


def test_an_unknown_agent_counts_as_one_that_reads_is_sampled_and_costs() -> None:
    traits = AgentTraits()
    assert traits.reads_registry
    assert not (traits.is_deterministic or traits.is_free or traits.may_tell_costs)
    assert (traits.max_repairs, traits.settings, traits.sees_expectations) == (0, "", False)


def test_a_request_is_the_first_one_and_tells_nothing_of_what_is_expected() -> None:
    request = AgentRequest(KEY, "hi", ToolRegistry())
    assert (request.trial, request.retries, request.max_turns, request.timeout_s) == (0, 0, 5, 60.0)
    assert (request.history, request.previous, request.stubs) == ((), (), None)
    assert request.expected is NOTHING_EXPECTED
    assert Expected((), (), False, {}, {}, None) == NOTHING_EXPECTED
    model = ModelRequest(KEY, (), ToolRegistry())
    assert (model.trial, model.turn, model.on_text) == (0, 0, None)


def test_a_tool_is_active_and_a_registry_there_unless_it_says_otherwise() -> None:
    tool = ToolDefinition("t")
    assert (tool.status, tool.line, tool.file, tool.unresolved) == (ToolStatus.ACTIVE, 0, "", ())
    registry = ToolRegistry()
    assert (registry.configured, registry.size, registry.as_of) == (True, 0, {})
