"""What a client says about the run it wants."""

from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from evaltui.api.faults import Fault, NotFound
from evaltui.api.scopes import Scope
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.settings.mistakes import check
from evaltui.settings.sentences import Wording
from evaltui.settings.spelling import camel_case
from evaltui.settings.written import WHOLE, Many, Text, Written

T = TypeVar("T")


def _not_empty(chosen: list[T], info: ValidationInfo) -> list[T]:
    if not chosen:
        what = f"`{info.field_name}` chooses nothing"
        raise PydanticCustomError("empty", what, {"hint": "Leave it out to run everything."})
    return chosen


Chosen: TypeAlias = Annotated[Many[T], AfterValidator(_not_empty)]
"""Whoever sends an empty list chose nothing, which must not run everything."""
_Tier: TypeAlias = Literal["golden", "labeled", "regression", "rubric", "scenario", "trace"]
_IN_BODY = Wording("field of a run", "an object", camel_case)


class RunWanted(Written):
    """Which cases to run, and on which agents; nothing at all means everything."""

    paths: Chosen[Text] = Field([], description="files, folders, `FILE::CASE`; keys of scenarios")
    tiers: Chosen[_Tier] = Field([], description="only these tiers")
    filter: str = Field("", description="cases whose id, description or tool contains this")
    failed: bool = Field(False, description="only cases that failed last time")
    eval: str = Field(
        "", description="an eval of an EvalStudio workspace: its scenarios, with its connector"
    )
    agents: Chosen[Text] = Field(
        [], description="names of agents in the settings; default: those under test"
    )
    trials: Annotated[int, Field(ge=1, le=1000), WHOLE] | None = Field(
        None, description="trials per case; default: as in the settings"
    )


def run_wanted(body: dict[str, Any]) -> RunWanted:
    """Raises UserError with the first mistake."""
    return check(RunWanted, body, _IN_BODY)


def of_eval(wanted: RunWanted, config: Config) -> RunWanted:
    """With what the eval stands for that it names, and its id. Raises UserError."""
    if not wanted.eval:
        return wanted
    from evaltui.settings.evalstudio.evalstudio_evals import eval_named

    if wanted.paths:
        raise Fault("`paths` and `eval` cannot be combined.", "Send one of them.")
    found = eval_named(config, wanted.eval)
    agents = wanted.agents or [found.agent]
    update = {"eval": found.id, "paths": [*found.paths], "agents": agents}
    return wanted.model_copy(update=update)


def within(wanted: RunWanted, scope: Scope) -> RunWanted:
    """The same of one project alone. Raises NotFound for a path that is not of it."""
    if not scope.folder:
        return wanted
    for path in wanted.paths:
        if not scope.has(CaseKey.parse(path).suite):
            hint = f"Name paths in `{scope.folder}`, or none for all of it."
            raise NotFound(f"`{path}` is not of this project.", hint)
    return wanted.model_copy(update={"paths": wanted.paths or [scope.folder]})
