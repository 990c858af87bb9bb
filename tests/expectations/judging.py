"""One case, one response, all verdicts: the shortest way to ask in a test."""

from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, Tier
from evaltui.core.check import CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Execution, ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.run_plan import run_plan

OK = ToolCall("get_weather", {"city": "Paris"}, success=True)


def make_case(expect: JsonObject | None, stubs: JsonObject | None = None, **fields: str) -> Case:
    message = fields.pop("message", "How is it there?")
    tier = Tier(fields.pop("tier", "labeled"))
    key = CaseKey("evals/x.json", fields.pop("id", "c1"))
    kind = RubricCase if tier is Tier.RUBRIC else ContractCase
    return Case(key, kind(message, expect=expect, stubs=stubs), tier, **fields)  # type: ignore[arg-type]


async def judge(
    expect: JsonObject | None,
    text: str = "It is 22 degrees in Paris.",
    *calls: ToolCall,
    seed: Json = None,
    snapshot: Json = None,
    stubs: JsonObject | None = None,
    execution: Execution = Execution.REAL,
    duration_ms: float = 100.0,
    config: ContractConfig | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts of one contract case."""
    case = make_case(expect, stubs)
    response = AgentResponse(text, calls, duration_ms, execution)
    context = CheckContext(case, response, seed, snapshot)
    return await run_plan(contract_plan(case, config=config or ContractConfig()), context)


async def judge_one(expect: JsonObject, *args: object, **options: object) -> Verdict:
    """The verdict of an expectation that counts once."""
    verdicts = await judge(expect, *args, **options)  # type: ignore[arg-type]
    assert len(verdicts) == 1
    return verdicts[0]


def calls(*names: str) -> tuple[ToolCall, ...]:
    """Successful calls without parameters."""
    return tuple(ToolCall(name, {}, success=True) for name in names)
