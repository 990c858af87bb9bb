"""The suite of traces that `--suite` names; eval files that an agent is asked for are refused."""

from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import TraceSuite, read_suite_file


def read_named_suite(path: Path) -> TraceSuite:
    """Raises OSError, SuiteMistake, and UserError for an eval file of another kind."""
    try:
        suite = read_suite_file(path)
        next(suite.cases(range(min(1, len(suite)))), None)
    except SuiteMistake:
        _refuse_eval_file(path)
        raise
    return suite


def _refuse_eval_file(path: Path) -> None:
    """Where it is clear that it is one: it has a case that can be run."""
    from evaltui.formats import read_suite

    found = read_suite(path, Path.cwd(), read_file(path, RESULTS_LIMIT)).suite
    if found is None or all(not case.asks_agent or case.invalid for case in found.cases):
        return
    what = f"`{path}` is no suite of traces: an agent has to be asked for its cases."
    raise UserError(what, f"Run it without --suite: `evaltui run {path}`.")
