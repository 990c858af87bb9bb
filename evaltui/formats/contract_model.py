"""The contract's eval files as people write them: one model for each kind of object in them.

One case is validated at a time and becomes a noun of the core at once. Whether `id`, `input` and
`expect` are there is said by `contract_case`, which knows the tier of the file.
"""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from evaltui.settings.written import WHOLE, Text, Written

MAX_TURNS = 5
"""Where `maxTurns` is absent (contract requirement 4)."""
MOST_SCORE = 1_000_000_000
"""Far above any scale, and a number that can be calculated with."""
_ABOVE_NOTHING = Field(gt=0, le=MOST_SCORE)
_FROM_NOTHING = Field(ge=0, le=MOST_SCORE)


class _InEvals(Written):
    """Keys that the contract does not know are kept; keys are spelled in one way only."""

    model_config = ConfigDict(extra="allow", validate_by_name=False)


class Input(_InEvals):
    """What the agent is asked."""

    model_config = ConfigDict(json_schema_extra={"required": ["message"]})

    message: str = Field(default="", description="what the user says")


class Dimension(_InEvals):
    """One scored dimension of a rubric case."""

    dimension: str
    max_score: Annotated[int, _ABOVE_NOTHING] | Annotated[float, _ABOVE_NOTHING]
    criteria: str = ""


class Known(_InEvals):
    """An answer with scores that a person gave."""

    response: str
    scores: dict[str, Annotated[int, _FROM_NOTHING] | Annotated[float, _FROM_NOTHING]] = Field(
        description="by dimension", examples=[{"accuracy": 1}]
    )


def _complete(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        needs = "`dimension` (text), `maxScore` (above 0, at most a billion) and `criteria` (text)"
        what = f"A dimension needs {needs}"
        raise PydanticCustomError("wrong-type", what, {"hint": "Complete it."}) from None


class EvaluatorEntry(Written):
    """An evaluator that judges the answer after `expect`."""

    type: Text = Field(description="e.g. tool-order; `evaltui evaluators list` lists them all")
    config: dict[str, Any] = Field({}, description="its settings, as in its schema")


def _allow_assertions(schema: dict[str, Any]) -> None:
    """Keys of `expect` that are no assertion are allowed, lint speaks of them."""
    from evaltui.expectations import ASSERTIONS

    expect = {
        "type": "object",
        "description": "What a good answer is. Every assertion must hold; {} asserts nothing.",
        "properties": {key: assertion.schema for key, assertion in ASSERTIONS.items()},
    }
    schema.clear()
    schema["anyOf"] = [expect, {"type": "null"}]


def _nothing() -> list[Any]:
    return []


class EvalCase(_InEvals):
    """One eval case."""

    # Lists are made by a factory: pydantic copies an empty one deeply for each case, which was half
    # of the time that reading takes. The signature of `list` itself would be parsed from a text.
    model_config = ConfigDict(json_schema_extra={"required": ["id", "input"]})

    id: str = Field("", description="unique in the file; results are kept under it")
    description: str = Field("", description="what the case is about")
    difficulty: str = Field("", description="e.g. straightforward, ambiguous, edge, adversarial")
    created_at: str = Field("", description="when the case was written, ISO 8601")
    bug_ref: str = Field("", description="what a regression case guards against")
    input: Input = Field(
        Input(), description="what the agent is asked", examples=[{"message": "…"}]
    )
    expect: dict[str, Any] | None = Field(None, json_schema_extra=_allow_assertions)
    evaluators: list[EvaluatorEntry] = Field(
        default_factory=_nothing, description="evaluators that judge the answer once `expect` holds"
    )
    stubs: dict[str, Any] | None = Field(None, description="what each tool answers, by its name")
    max_turns: Annotated[int, Field(ge=1), WHOLE] = Field(
        MAX_TURNS, description="most rounds of tool calls"
    )
    rubric: list[Annotated[Dimension, WrapValidator(_complete)]] = Field(
        default_factory=_nothing, description="dimensions to score"
    )
    reference_data: dict[str, Any] | None = Field(
        None, description="what the judge may compare the answer with"
    )
    calibration: list[Known] = Field(
        default_factory=_nothing,
        description="answers with known scores, to calibrate the judge with",
    )


class Metadata(_InEvals):
    """The tool as it was when the evals were written."""

    tool_name: str | None = Field(
        None, description="tool that the cases are about; empty: none in particular"
    )
    tool_version: str | None = None
    description_hash: str | None = Field(
        None, description="first 12 hex digits of the SHA-256 of the tool's description"
    )
    registry_size: Annotated[int, WHOLE] | None = Field(None, description="number of tools")
    tier: str | None = Field(None, description="golden, labeled, regression or rubric")


class EvalFile(_InEvals):
    """Cases about one tool, and the tool as it was then."""

    metadata: Metadata | None = None
    cases: list[EvalCase]
    title: str | None = Field(None, description="heading of the suite")
