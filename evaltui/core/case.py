"""What the developer wrote: one eval case, and the name by which everything refers to it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct, field

from evaltui.core.json_value import Json, JsonObject


class Tier(StrEnum):
    """Kinds of eval file; the value is what stands in the contract's `tier`."""

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


class RubricDimension(Struct, frozen=True, gc=False):
    """One scored dimension of a rubric case (contract requirement 56)."""

    dimension: str
    max_score: float
    criteria: str


class Case(Struct, frozen=True, gc=False):
    """One eval case. `expect` is as written: `None` means absent, `{}` means nothing asserted."""

    key: CaseKey
    tier: Tier
    message: str
    description: str = ""
    expect: JsonObject | None = None
    stubs: JsonObject | None = None
    max_turns: int = 5
    difficulty: str = ""
    created_at: str = ""
    bug_ref: str = ""
    rubric: tuple[RubricDimension, ...] = ()
    reference_data: JsonObject | None = None
    line: int = 0
    """1-based line of the case in its file, 0 when unknown."""
    invalid: str = ""
    """Why it cannot be judged (it then fails with this reason); empty for a good case."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Keys the contract does not know, kept as they are."""

    @property
    def id(self) -> str:
        return self.key.case
