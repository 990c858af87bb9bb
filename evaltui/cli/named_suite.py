"""The suite of traces that `--suite` names; eval files that an agent is asked for are refused."""

from contextlib import suppress
from pathlib import Path

from evaltui.core.errors import UNKNOWN_KEY, Problem, UserError
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import TraceSuite, decode_json, read_suite_file
from evaltui.traces.unknown_keys import misspelt_in_case, misspelt_in_suite


def read_named_suite(path: Path) -> TraceSuite:
    """Raises OSError, SuiteMistake, and UserError for an eval file of another kind."""
    try:
        suite = read_suite_file(path)
        next(suite.cases(range(min(1, len(suite)))), None)
    except SuiteMistake:
        _refuse_eval_file(path)
        raise
    return suite


def misspelt_keys(suite: TraceSuite) -> tuple[str, ...]:
    """What `check` warns of in a suite that was read: what stands under these keys judges nothing.

    Raises OSError.
    """
    if not _has_misspelt(suite):
        return ()
    from evaltui.formats import suite_id, trace
    from evaltui.formats.suite_file import NO_TEXTS
    from evaltui.json_text.document import read_json

    path = Path(suite.file)
    document = read_json(suite_id(path, Path.cwd()), read_file(path, RESULTS_LIMIT))
    if isinstance(document, Problem):
        return (str(document),)
    found = trace.read(document, "", {}, NO_TEXTS).problems
    return tuple(str(one) for one in found if one.code == UNKNOWN_KEY)


def _has_misspelt(suite: TraceSuite) -> bool:
    """Their places are looked up only then: that takes much longer, and its whole text once more.
    A case that cannot be read is refused when its turn comes."""
    if any(misspelt_in_suite(suite.keys)):
        return True
    with suppress(SuiteMistake):
        for at, text in enumerate(suite.texts):
            if any(misspelt_in_case(decode_json(bytes(text), suite.file), ("cases", at))):
                return True
    return False


def _refuse_eval_file(path: Path) -> None:
    """Where it is clear that it is one: it has a case that can be run."""
    from evaltui.formats import read_suite

    found = read_suite(path, Path.cwd(), read_file(path, RESULTS_LIMIT)).suite
    if found is None or all(not case.asks_agent or case.invalid for case in found.cases):
        return
    what = f"`{path}` is no suite of traces: an agent has to be asked for its cases."
    raise UserError(what, f"Run it without --suite: `evaltui run {path}`.")
