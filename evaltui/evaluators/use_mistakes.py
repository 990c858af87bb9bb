"""Why an evaluator named by a case cannot judge it, in the same words in the verdict and in the
problem of its file."""

from collections.abc import Iterator

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.did_you_mean import did_you_mean
from evaltui.evaluators.config_schema import SchemaMistake
from evaltui.evaluators.registry import EvaluatorRegistry


def use_mistakes(use: EvaluatorUse, registry: EvaluatorRegistry) -> Iterator[SchemaMistake]:
    """Each with what to do; `path` is the place in what the case says of it."""
    known = registry.registered(use.type)
    if known is None:
        yield SchemaMistake(("type",), f"there is no evaluator `{use.type}`", _where(use, registry))
    elif known.schema is not None:
        schema = f"`evaltui evaluators list --json` has the schema of `{use.type}`."
        for one in known.schema.mistakes(dict(use.config)):
            yield SchemaMistake(("config", *one.path), one.what, one.hint or schema)


def _where(use: EvaluatorUse, registry: EvaluatorRegistry) -> str:
    """Where one may be that is not known."""
    if near := did_you_mean(use.type, registry.types()):
        return near
    if not registry.is_complete:
        return "Some that the settings name could not be loaded; see the problems."
    return "Name it in `evaluators` of the settings; `evaltui evaluators list` lists them all."
