"""What files say of a case of every kind, and what is asked of its body: most answers are here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct, field

from evaltui.core.json_value import Json, JsonObject


class Body(Struct, frozen=True, gc=False):
    """A kind says what is otherwise with it; how it is asked and judged says `kinds/`."""

    asks_agent: ClassVar[bool] = True
    """Whether the agent under test is asked; else neither it nor its tools nor its price count, and
    the answer is the same every time."""
    is_conversation: ClassVar[bool] = False
    """Whether the agent may be asked several times, each time after all that was said before."""
    has_expect: ClassVar[bool] = False
    """Whether assertions judge it; else it has none, and its id names no tool."""
    needs_expect: ClassVar[bool] = False
    """Whether it cannot be judged without one."""

    @property
    def expect(self) -> JsonObject | None:
        """The assertions that judge it, as written."""
        return {}

    @property
    def asks_judge(self) -> bool:
        """Whether a model judges its answers."""
        return False

    @property
    def asks_persona(self) -> bool:
        """Whether a model says what the agent is asked."""
        return False

    @property
    def takes_model(self) -> bool:
        """Whether it takes one besides the agent under test."""
        return self.asks_judge or self.asks_persona

    @property
    def speaker(self) -> str:
        """The name of who talks to the agent; empty where nobody is named."""
        return ""

    @property
    def spoken(self) -> tuple[str, ...]:
        """All that is written down of what a user says, besides its message."""
        return ()

    @property
    def annotations(self) -> JsonObject:
        """What is noted of it for its readers."""
        return {}

    def own_parts(self) -> Mapping[str, Json]:
        """What its fingerprint counts beyond what all kinds have."""
        return {}

    def own_question(self) -> Sequence[Json]:
        """What its answer hangs on beyond what all kinds have."""
        return ()

    def of_model(self) -> Iterable[tuple[str, Json]]:
        """What a model holds its answers against, by the name of what it is told of."""
        return ()


class EvaluatorUse(Struct, frozen=True, gc=False):
    """An evaluator that judges a case: one by its type, with settings."""

    type: str
    config: JsonObject = field(default_factory=dict)
    """As written; defaults of its schema are not filled in."""


class WrittenCase(Body, frozen=True, gc=False):
    """What files may say of a case of any kind."""

    message: str
    stubs: JsonObject | None = None
    """What each tool answers; `None` when the file has none."""
    max_turns: int = 5
    difficulty: str = ""
    created_at: str = ""
    bug_ref: str = ""
    evaluators: tuple[EvaluatorUse, ...] = ()

    @property
    def evaluator_names(self) -> tuple[str, ...]:
        """What the verdicts of its evaluators go by, in their order."""
        return tuple(use.type for use in self.evaluators)

    @property
    def named_checks(self) -> tuple[str, ...]:
        """Who judges it by what is written: assertions, evaluators, dimensions."""
        return self.evaluator_names


class AssertedCase(WrittenCase, frozen=True, gc=False):
    """One message to the agent, whose answer the assertions of the contract judge."""

    has_expect: ClassVar[bool] = True

    expect: JsonObject | None = None
    """As written: `None` means absent, `{}` means nothing asserted."""

    @property
    def named_checks(self) -> tuple[str, ...]:
        return (*(self.expect or ()), *super().named_checks)
