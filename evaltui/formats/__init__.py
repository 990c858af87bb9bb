"""From files to core objects: every kind of eval file; every complaint names the key path."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.formats.naming import WORKSPACE_SCENARIOS
from evaltui.formats.suite_file import (
    NO_TEXTS,
    NOT_AN_EVAL_FILE,
    CaseTexts,
    Format,
    ReadSuite,
    suite_id,
)
from evaltui.json_text.document import EMPTY, read_json
from evaltui.json_text.kind import kind_of

__all__ = ["FORMATS", "NOT_AN_EVAL_FILE", "ReadSuite", "read_along", "read_suite", "suite_id"]

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "scenario": "evaltui.formats.scenario",
        "evalstudio": "evaltui.formats.evalstudio",
        "trace": "evaltui.formats.trace",
        "contract": "evaltui.formats.contract",
    }
)
"""Module by format name, asked in this order; each offers `suite_file.Format`."""


NOTHING: Mapping[str, bytes] = MappingProxyType({})


def read_along(path: Path) -> tuple[Path, ...]:
    """The files beside an eval file that its cases are read from too, there or not."""
    if path.parts[-2:] != WORKSPACE_SCENARIOS:
        return ()
    from evaltui.formats.evalstudio import READ_ALONG

    return tuple(path.with_name(name) for name in READ_ALONG)


def read_suite(
    path: Path,
    root: Path,
    content: bytes,
    beside: Mapping[str, bytes] = NOTHING,
    before: CaseTexts = NO_TEXTS,
) -> ReadSuite:
    """Read one eval file. Never raises: what is wrong with it stands in the problems.

    `beside`: what stands in the files that are read along, by their names. `before`: of the reading
    before; cases whose text is the same are not read again.
    """
    file = suite_id(path, root)
    document = read_json(file, content)
    if isinstance(document, Problem):
        if document.code == EMPTY:
            document = replace(document, hint="Write `[]`, or delete it.")
        return ReadSuite(None, (document,))
    for module in FORMATS.values():
        format_ = cast(Format, import_module(module))
        if format_.recognizes(document):
            from hashlib import sha256  # OpenSSL; settings have no need of it

            return format_.read(document, sha256(content).hexdigest()[:12], beside, before)
    what = f"{kind_of(document.value).capitalize()} stands where the cases belong"
    hint = 'Write a list of cases, or `{"metadata": {…}, "cases": […]}`.'
    return ReadSuite(None, (document.problem((), what, hint, code=NOT_AN_EVAL_FILE),))
