"""What the developer wrote: one eval case, and the name by which everything refers to it."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, NamedTuple, Self, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.case_body import AssertedCase, WrittenCase
from evaltui.core.case_prints import happened_in, held_against, said_in
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.message_count import needs_player
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.response import Message
from evaltui.core.trace import Event, ToolContract, ToolPolicy
from evaltui.core.verdict import CRITERIA, EVALUATOR, REFERENCE, RUBRIC

SCENARIO_ID, PERSONA_ID = "scenarioId", "personaId"
"""Keys of `Case.extra`: of what a case of an EvalStudio workspace is made."""


class Tier(StrEnum):
    """What an eval file calls itself; how a case is asked and judged says the type of its body."""

    GOLDEN = "golden"
    LABELED = "labeled"
    REGRESSION = "regression"
    RUBRIC = "rubric"
    SCENARIO = "scenario"
    TRACE = "trace"


class CaseKey(NamedTuple):
    """Names one case of one suite; ids are unique within a suite only."""

    suite: str
    """Suite id: the eval file's path below the project root, with `/`."""
    case: str
    """The case's `id` as written."""

    def __str__(self) -> str:
        return f"{self.suite}::{self.case}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The case of `SUITE::CASE`; an empty one where the text names a file alone.

        Both parts may hold `::`. A suite is a file, so it ends with the first `.json` before one;
        where none does, it ends at the first `::`.
        """
        suite, ending, case = text.partition(".json::")
        if ending:
            return cls(f"{suite}.json", case)
        suite, _, case = text.partition("::")
        return cls(suite, case)


class RubricDimension(Struct, frozen=True, gc=False):
    """One scored dimension of a rubric case (contract requirement 56)."""

    dimension: str
    max_score: float
    criteria: str


class KnownAnswer(Struct, frozen=True, gc=False):
    """An answer that a person scored: by it a judge is calibrated. It shapes no verdict."""

    response: str
    scores: Mapping[str, float]
    """By dimension."""


class ContractCase(AssertedCase, frozen=True, gc=False, tag="contract"):
    """Judged by its assertions, then by evaluators."""

    needs_expect: ClassVar[bool] = True


class RubricCase(AssertedCase, frozen=True, gc=False, tag="rubric"):
    """Once the assertions hold, it is scored by dimension."""

    dimensions: tuple[RubricDimension, ...] = ()
    reference_data: JsonObject | None = None
    calibration: tuple[KnownAnswer, ...] = ()

    @property
    def asks_judge(self) -> bool:
        return True

    @property
    def named_checks(self) -> tuple[str, ...]:
        dimensions = (f"{RUBRIC}{one.dimension}" for one in self.dimensions)
        return (*super().named_checks, *dimensions)

    def own_parts(self) -> Mapping[str, Json]:
        parts: dict[str, Json] = {}
        if of := self.dimensions:
            parts["rubric"] = [[one.dimension, one.max_score, one.criteria] for one in of]
        if self.reference_data is not None:
            parts[REFERENCE] = self.reference_data
        return parts

    def own_question(self) -> Sequence[Json]:
        return ("rubric",)

    def of_model(self) -> Iterable[tuple[str, Json]]:
        for one in self.dimensions:
            yield f"{RUBRIC}{one.dimension}", [one.max_score, one.criteria]
        if self.dimensions and self.reference_data is not None:
            yield REFERENCE, self.reference_data


class ScenarioCase(WrittenCase, frozen=True, gc=False, tag="scenario"):
    """A conversation with the agent, judged after each of its turns.

    `message` is what a user says first, where that is written down.
    """

    is_conversation: ClassVar[bool] = True

    name: str = ""
    instructions: str = ""
    persona: Persona = Persona()
    seed_messages: tuple[Message, ...] = ()
    """What was said before, oldest first."""
    max_messages: int = 10
    """Of user and agent, seed messages among them, results of tools not."""
    is_default_limit: bool = False
    """Whether `max_messages` is nowhere written: evaluators are not told of it then."""
    success_criteria: str = ""
    failure_criteria: str = ""
    failure_criteria_mode: FailureMode = FailureMode.ON_MAX_MESSAGES

    @property
    def speaker(self) -> str:
        return self.persona.name

    @property
    def asks_judge(self) -> bool:
        return bool(self.success_criteria or self.failure_criteria)

    @property
    def asks_persona(self) -> bool:
        return needs_player(self)

    @property
    def spoken(self) -> tuple[str, ...]:
        seeds = (one.content for one in self.seed_messages if one.role == "user")
        return (*seeds, *self.persona.lines)

    @property
    def criteria(self) -> list[Json]:
        return [self.success_criteria, self.failure_criteria, self.failure_criteria_mode.value]

    def own_parts(self) -> Mapping[str, Json]:
        return {"conversation": said_in(self), CRITERIA: self.criteria}

    def own_question(self) -> Sequence[Json]:
        return (said_in(self),)

    def of_model(self) -> Iterable[tuple[str, Json]]:
        return ((CRITERIA, self.criteria),) if self.asks_judge else ()


class TraceCase(WrittenCase, frozen=True, gc=False, tag="trace"):
    """What an agent did already, and what judges hold it against.

    `message` is the input as a text.
    """

    asks_agent: ClassVar[bool] = False

    input: Json = None
    expected_output: Json = None
    trace: tuple[Event, ...] = ()
    tool_contracts: Mapping[str, ToolContract] = field(default_factory=dict)
    """By the name of the tool."""
    policy: ToolPolicy = ToolPolicy()
    regex_patterns: tuple[str, ...] = ()
    """Python's patterns, each to be found in the final output."""
    json_schema: JsonObject | None = None
    metadata: JsonObject = field(default_factory=dict)

    @property
    def evaluator_names(self) -> tuple[str, ...]:
        """Told from those of judges; those of one type are numbered, from the second on."""
        types = [use.type for use in self.evaluators]
        numbered = ((one, types[:index].count(one) + 1) for index, one in enumerate(types))
        return tuple(f"{EVALUATOR}{one}{f' {nth}' if nth > 1 else ''}" for one, nth in numbered)

    @property
    def annotations(self) -> JsonObject:
        return self.metadata

    def own_parts(self) -> Mapping[str, Json]:
        against = self.expected_output, self.tool_contracts, self.policy, self.regex_patterns
        held = held_against(*against, self.json_schema, self.metadata)
        return {"trace": happened_in(self.input, self.trace), "heldAgainst": held}

    def own_question(self) -> Sequence[Json]:
        return (happened_in(self.input, self.trace),)


CaseBody: TypeAlias = ContractCase | RubricCase | ScenarioCase | TraceCase
"""Its type is the kind of case: how the answer comes about and how it is judged."""


class Case(Struct, frozen=True, gc=False):
    """One eval case: its name, what is asked and expected, and where that is written."""

    key: CaseKey
    body: CaseBody
    tier: Tier = Tier.GOLDEN
    description: str = ""
    line: int = 0
    """1-based line of the case in its file, 0 when unknown."""
    invalid: str = ""
    """Why it cannot be judged (it then fails with this reason); empty for a good case."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Keys the contract does not know, kept as they are."""

    def is_same_reading(self, other: "Case") -> bool:
        """Whether it was not read anew since the other, and at most stands on another line: in two
        that were, equal parts may be written otherwise."""
        is_same_body = self.body is other.body and self.extra is other.extra
        return self is other or (is_same_body and replace(other, line=self.line) == self)

    @property
    def id(self) -> str:
        return self.key.case

    @property
    def names(self) -> tuple[str, ...]:
        """What it goes by: its id, and that of the EvalStudio scenario that it is one case of."""
        scenario_id = self.extra.get(SCENARIO_ID)
        return (self.id, scenario_id) if isinstance(scenario_id, str) else (self.id,)

    @property
    def asks_agent(self) -> bool:
        """Whether the agent under test is asked: one that is not answers alike every time."""
        return self.body.asks_agent

    @property
    def takes_model(self) -> bool:
        """Whether it takes a model besides the agent under test, to judge it or to play the user:
        what cannot be judged takes none."""
        return not self.invalid and self.body.takes_model

    @property
    def message(self) -> str:
        """What the agent is asked, for lists and searches."""
        return self.body.message

    @property
    def messages(self) -> tuple[str, ...]:
        """All that the agent is known to be asked."""
        return self.body.spoken or (self.body.message,)

    @property
    def expect(self) -> JsonObject | None:
        """The body's assertions as written."""
        return self.body.expect

    @property
    def stubs(self) -> JsonObject | None:
        """The body's tool answers as written."""
        return self.body.stubs
