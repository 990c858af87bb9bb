"""What `[judge]` may say: who scores rubrics, and who plays the users of scenarios."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from evaltui.settings.written import WHOLE, Dollars, PerMinute, Probability, Text, Written


def _odd(votes: int) -> int:
    if votes % 2 == 0:
        hint = "An odd number of votes always has a majority: write 1, 3 or 5."
        raise PydanticCustomError("even-votes", "`votes` is even", {"hint": hint})
    return votes


class Player(Written):
    """`[judge.persona]`: who plays users of scenarios; other keys are options of its type."""

    model_config = ConfigDict(extra="allow")

    type: Text | None = Field(
        None,
        description="type of agent that plays users; without it that of the judge, with the "
        "judge's options wherever this table says nothing else",
    )


class Judge(Written):
    """`[judge]`: who scores rubrics; other keys are options of its type."""

    model_config = ConfigDict(extra="allow")

    agent: Text | None = Field(
        None, description="name of the `[agents.NAME]` table to judge with, instead of a `type`"
    )
    type: Text | None = Field(None, description="type of agent to judge with, e.g. `openai`")
    votes: Annotated[int, Field(ge=1, le=99), WHOLE, AfterValidator(_odd)] = Field(
        1, description="judgements per dimension, an odd number; the majority decides"
    )
    threshold: Probability | None = Field(
        None,
        description="share of the highest score that a graded dimension needs to pass; without "
        "it, grades are only measured",
    )
    persona: Player | None = Field(
        None, description="who plays the users of scenarios, where the judge does not"
    )
    max_cost_usd: Dollars | None = Field(
        None, description="US dollars that the judge may cost, within the overall limit"
    )
    max_requests_per_minute: PerMinute | None = Field(
        None, description="most requests per minute to the judge; they are spaced out"
    )

    @model_validator(mode="after")
    def _is_one(self) -> "Judge":
        if (self.agent is None) == (self.type is None):
            is_none = self.agent is None
            what = "The judge has no `type`" if is_none else "`type` and `agent` are both given"
            hint = 'Write `type = "openai"` with its options, or `agent = "NAME"` of a profile.'
            raise PydanticCustomError("no-judge", what, {"hint": hint})
        return self
