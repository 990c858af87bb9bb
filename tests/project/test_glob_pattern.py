"""Globs over relative paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.project.glob_pattern import fixed_part, glob_pattern


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("evals/**/*.json", "evals/a.json", True),
        ("evals/**/*.json", "evals/a/b/c.json", True),
        ("evals/*.json", "evals/a/c.json", False),
        ("**/*.{golden,labeled}.json", "x.golden.json", True),
        ("**/*.{golden,labeled}.json", "d/x.rubric.json", False),
        ("a?[0-9][!x].json", "ab1y.json", True),
        ("a?[0-9][!x].json", "ab1x.json", False),
        ("a+(b).json", "a+(b).json", True),
        ("./a/**", "a/b/c", True),
        ("a[.json", "a[.json", True),
    ],
)
def test_matches(glob: str, path: str, matches: bool) -> None:
    assert (glob_pattern(glob).fullmatch(path) is not None) is matches


@given(st.text())
def test_any_text_is_a_glob(glob: str) -> None:
    glob_pattern(glob).fullmatch("evals/a.json")


def test_the_part_without_wildcards() -> None:
    assert fixed_part("a/b/*.json") == "a/b"
    assert fixed_part("*.json") == ""
    assert fixed_part("a/**/b/c.json") == "a"
