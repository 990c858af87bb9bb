"""The seed manifest: stable values that tokens refer to."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.formats.complaint import Complaints
from evaltui.formats.suite_file import suite_id
from evaltui.json_text.document import read_json
from evaltui.json_text.kind import kind_of


class ReadSeed(Struct, frozen=True):
    """The manifest's values; `None` when it could not be read at all."""

    values: Mapping[str, Json] | None
    problems: tuple[Problem, ...] = field(default=())


def read_seed(path: Path, root: Path, content: bytes) -> ReadSeed:
    """Read a seed manifest (contract requirement 10): one JSON object. Never raises."""
    document = read_json(suite_id(path, root), content)
    if isinstance(document, Problem):
        return ReadSeed(None, (document,))
    value = document.value
    if not isinstance(value, dict):
        what = f"The seed manifest is {kind_of(value)}, not an object"
        return ReadSeed(None, (document.problem((), what, "Write `{…}`.", code="wrong-type"),))
    complaints = Complaints(document)
    if document.entries(()).has_duplicate_keys:
        complaints.repeated_keys()
    return ReadSeed(value, complaints.problems())
