"""Runs that EvalStudio itself kept in a workspace: `data/runs.json`, read as it is."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.workspace_files import RUNS
from evaltui.files import leads_out, read_file
from evaltui.json_text.document import read_json


def workspace_runs(folders: Iterable[Path]) -> Iterator[dict[str, Json] | Problem]:
    """Those of these folders of data; what cannot be read is a problem."""
    for folder in folders:
        path = folder / RUNS
        try:
            content = b"[]" if leads_out(path, folder) else read_file(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            what = f"The file cannot be read: {error.strerror or type(error).__name__}"
            yield Problem(str(path), what, "Check its permissions.", code="unreadable")
            continue
        document = read_json(str(path), content)
        if isinstance(document, Problem):
            yield document
        elif isinstance(document.value, list):
            yield from (one for one in document.value if isinstance(one, dict) and "id" in one)
