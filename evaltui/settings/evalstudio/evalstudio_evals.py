"""Evals of an EvalStudio workspace by their names: what to run, and with which agent."""

from evaltui.core.config import Config
from evaltui.core.did_you_mean import did_you_mean, few
from evaltui.core.errors import Problem, UserError
from evaltui.core.workspace_files import CONFIG
from evaltui.files import read_file
from evaltui.json_text.document import read_json
from evaltui.settings.evalstudio.evalstudio_file import WorkspaceEval, read_workspace


def eval_named(config: Config, name: str) -> WorkspaceEval:
    """By its id or name. Raises UserError, also for one whose connector is not there."""
    known = _evals(config)
    found = [one for one in known if one.id == name] or [one for one in known if one.name == name]
    if not found:
        names = [one.name for one in known]
        hint = did_you_mean(name, names) or (f"There are {few(names)}." if names else "")
        hint = hint or f"Evals are those of an EvalStudio workspace, with a `{CONFIG}`."
        raise UserError(f"There is no eval `{name}`.", hint)
    if len(found) > 1:
        ids = few([one.id for one in found])
        raise UserError(f"Several evals are called `{name}`.", f"Name one by its id: {ids}.")
    if not found[0].agent:
        what = f"The eval `{name}` names no connector that is there."
        raise UserError(what, "`evaltui check` says what is wrong with it.")
    return found[0]


def _evals(config: Config) -> tuple[WorkspaceEval, ...]:
    if config.file != CONFIG:
        return ()
    document = read_json(CONFIG, read_file(config.root / CONFIG))
    if isinstance(document, Problem) or not isinstance(document.value, dict):
        return ()
    return read_workspace(document, config.root).evals
