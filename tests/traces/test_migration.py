"""Suites of older versions: migrated, and valid then."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.traces.migration import migrate
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import read_suite
from evaltui.traces.validation import validate
from evaltui.traces.wire import pretty

FIXTURES = Path(__file__).parent.parent / "fixtures" / "schema_backcompat"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_an_older_suite_is_strictly_valid_once_migrated(path: Path) -> None:
    moved = migrate(json.loads(path.read_bytes()))
    found = validate(moved, strict=True, require_version="1.0.0")
    assert (found.errors, found.warnings) == ((), ())
    assert len(list(read_suite(pretty(moved)).cases())) == len(moved["cases"])


def test_ids_are_filled_in_and_kept() -> None:
    events = [{"idx": 4, "actor": "user", "type": "message", "span_id": "f" * 16}, {"actor": "a"}]
    suite = {"dataset_id": "d", "cases": [{"case_id": "c", "trace": events}]}
    first, second = migrate(suite)["cases"][0]["trace"]
    assert (first["idx"], first["span_id"], first["parent_span_id"]) == (4, "f" * 16, None)
    assert (second["idx"], second["span_id"]) == (1, f"{2:016x}")
    assert second["parent_span_id"] == first["span_id"]
    assert len(first["trace_id"]) == 32
    assert migrate(suite) == migrate(suite)


def test_a_later_version_is_not_relabelled() -> None:
    with pytest.raises(SuiteMistake, match=r"9\.9\.9"):
        migrate({"cases": [], "metadata": {"schema_version": "9.9.9"}})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cases": None}, "`cases` is not a list"),
        ({"dataset_id": ""}, "`dataset_id` is missing"),
        ({"metadata": {"schema_version": "9.9.9"}}, "`9.9.9`; known are 0.1.0, 1.0.0"),
        ({"cases": [{"case_id": "a"}, {"case_id": "a"}]}, "that of `cases[0]` already"),
        ({"cases": [{"case_id": "a", "regex_patterns": ["("]}]}, "no pattern: missing )"),
        ({"cases": [{"case_id": "a", "trace": [{"idx": 0}]}]}, "`cases[0].trace[0].actor`"),
        ({"cases": [{"case_id": "a", "polcy": {}}]}, "Did you mean `policy`?"),
        ({"cases": [{"case_id": "a", "policy": "x"}]}, "`cases[0].policy`: expected an object"),
    ],
)
def test_what_is_wrong_is_listed(change: dict[str, Any], said: str) -> None:
    good = {"dataset_id": "d", "metadata": {"schema_version": "1.0.0"}, "cases": []}
    assert validate(good, strict=True).passed
    found = validate({**good, **change}, strict=True)
    assert not found.passed
    assert any(said in error for error in found.errors), found.errors
