"""A job for the runner: one case and everything needed to ask and judge it."""

from msgspec import Struct, field

from evaltui.core.case import Case
from evaltui.core.check import Plan
from evaltui.core.driver import Driver
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json
from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseResult
from evaltui.core.tool import ToolRegistry


class Job(Struct, frozen=True):
    """One case to run, `trials` times; its values are of the moment the run began."""

    case: Case
    driver: Driver
    plan: Plan
    settled: Outcome | None = None
    """What is certain of the case: it is then not asked at all."""
    registry: ToolRegistry = field(default_factory=ToolRegistry)
    inputs: Inputs = field(default_factory=Inputs)
    seed: Json = None
    snapshot: Json = None
    trials: int = 1
    first_trial: int = 0
    """The number of the first attempt: attempts of one number share a recording."""
    finished: tuple[CaseResult, ...] = ()
    """Attempts that an interrupted run had made: they are not made again."""
    expected: Expected = NOTHING_EXPECTED
    is_asked: bool = True
    """Whether the agent is asked at all, so that the tools it calls shape the result."""
