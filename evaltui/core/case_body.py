"""What is asked of the body of every kind of case; the answers of most are here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from evaltui.core.json_value import Json, JsonObject


class Body(Struct, frozen=True, gc=False):
    """A kind says what is otherwise with it; how it is asked and judged says `kinds/`."""

    asks_agent: ClassVar[bool] = True
    """Whether the agent under test is asked; else neither it nor its tools nor its price count, and
    the answer is the same every time."""
    is_conversation: ClassVar[bool] = False
    """Whether the agent may be asked several times, each time after all that was said before."""
    has_expect: ClassVar[bool] = False
    """Whether `expect` judges it; else that is not used, and its id names no tool."""
    needs_expect: ClassVar[bool] = False
    """Whether it cannot be judged without one."""

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
