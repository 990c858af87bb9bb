"""evaltui: runs the evals of an agent's tools, and reruns those that a change can affect.

It also exports the names that custom evaluators are written with (`from evaltui import
define_evaluator`) and those with which a program runs evaluators.
"""

TYPE_CHECKING = False  # checkers take it for that of `typing`, which `--version` would wait for

if TYPE_CHECKING:
    from evaltui.evaluators.kit.evaltui import EvaluationResult as EvaluationResult
    from evaltui.evaluators.kit.evaltui import EvaluatorContext as EvaluatorContext
    from evaltui.evaluators.kit.evaltui import EvaluatorDefinition as EvaluatorDefinition
    from evaltui.evaluators.kit.evaltui import Invocation as Invocation
    from evaltui.evaluators.kit.evaltui import PersonaFacts as PersonaFacts
    from evaltui.evaluators.kit.evaltui import ScenarioFacts as ScenarioFacts
    from evaltui.evaluators.kit.evaltui import ToolUse as ToolUse
    from evaltui.evaluators.kit.evaltui import define_evaluator as define_evaluator
    from evaltui.evaluators.kit.evaltui import failed as failed
    from evaltui.evaluators.kit.evaltui import measured as measured
    from evaltui.evaluators.kit.evaltui import message_text as message_text
    from evaltui.evaluators.kit.evaltui import passed as passed
    from evaltui.evaluators.kit.evaltui import skipped as skipped
    from evaltui.evaluators.registry import EvaluatorRegistry as EvaluatorRegistry
    from evaltui.evaluators.registry import create_registry as create_registry
    from evaltui.evaluators.run_evaluators import EvaluationSummary as EvaluationSummary
    from evaltui.evaluators.run_evaluators import run_evaluators as run_evaluators
    from evaltui.project.load_evaluators import load_evaluators as load_evaluators

__version__ = "0.1.0"

_KIT = "evaltui.evaluators.kit.evaltui"
_MODULES = {
    **dict.fromkeys((
        "EvaluationResult", "EvaluatorContext", "EvaluatorDefinition", "Invocation", "PersonaFacts",
        "ScenarioFacts", "ToolUse", "define_evaluator", "failed", "measured", "message_text",
        "passed", "skipped",
    ), _KIT),
    "EvaluatorRegistry": "evaltui.evaluators.registry",
    "create_registry": "evaltui.evaluators.registry",
    "EvaluationSummary": "evaltui.evaluators.run_evaluators",
    "run_evaluators": "evaltui.evaluators.run_evaluators",
    "load_evaluators": "evaltui.project.load_evaluators",
}  # fmt: skip
"""Where the names above are defined. Importing them all here would cost every start of the program
a hundred times what this module does: all that is in the package is imported through it."""


def __getattr__(name: str) -> object:
    """One of these names, when it is asked for first."""
    if name not in _MODULES:
        raise AttributeError(f"module `evaltui` has no attribute `{name}`")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)
