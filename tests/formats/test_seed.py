"""Seed manifests."""

from pathlib import Path

from evaltui.core.errors import Severity
from evaltui.formats.seed import ReadSeed, read_seed


def read(content: bytes) -> ReadSeed:
    return read_seed(Path("/p/evals/seed-manifest.json"), Path("/p"), content)


def test_values_are_kept_as_written() -> None:
    assert read(b'{"a": {"b": [18.0, 12345678901234567890]}}') == ReadSeed(
        {"a": {"b": [18.0, 12345678901234567890]}}
    )


def test_what_is_no_object_is_no_manifest() -> None:
    found = read(b"[1]")
    assert found.values is None
    assert "a list" in found.problems[0].what


def test_broken_text_names_its_place() -> None:
    found = read(b'{"a":\n')
    assert found.values is None
    assert (found.problems[0].file, found.problems[0].line) == ("evals/seed-manifest.json", 1)


def test_repeated_keys_are_warned_of() -> None:
    found = read(b'{"a": 1,\n "a": 2}')
    assert found.values == {"a": 2}
    assert [(each.line, each.severity) for each in found.problems] == [(2, Severity.WARNING)]
