"""A file that is read again: only cases whose text is another are read."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import Case
from evaltui.formats import ReadSuite, read_suite
from evaltui.formats.suite_file import NO_TEXTS, CaseTexts

ROOT = Path("/project")
FIRST, SECOND, THIRD = (
    {"id": f"gs-a-{n}", "input": {"message": f"hi {n}"}, "expect": {"toolsCalled": ["a"]}}
    for n in range(3)
)
MISSPELT = {**SECOND, "expekt": {}}


def read(
    *cases: dict[str, Any], before: CaseTexts = NO_TEXTS, indent: int = 1, **metadata: str
) -> ReadSuite:
    text = json.dumps({"metadata": {"toolName": "a", **metadata}, "cases": cases}, indent=indent)
    return read_suite(ROOT / "evals" / "a.json", ROOT, text.encode(), before=before)


def cases(found: ReadSuite) -> tuple[Case, ...]:
    assert found.suite is not None
    return found.suite.cases


def test_a_case_whose_text_is_the_same_is_the_same() -> None:
    then = read(FIRST, SECOND, THIRD)
    longer = {**SECOND, "input": {"message": "something else"}}
    now = read(FIRST, longer, THIRD, before=then.texts)
    assert [one is other for one, other in zip(cases(now), cases(then), strict=True)] == [
        True,
        False,
        True,
    ]
    assert cases(now)[1].message == "something else"


def test_one_that_only_moved_has_its_new_line() -> None:
    then, alone = read(FIRST, SECOND), read(SECOND, FIRST)
    now = read(SECOND, FIRST, before=then.texts)
    assert cases(now) == cases(alone) != cases(then)
    for one in cases(now):
        (old,) = (case for case in cases(then) if case.id == one.id)
        assert one is not old
        assert one.is_same_reading(old)


@pytest.mark.parametrize(
    "again",
    [
        (FIRST, SECOND, THIRD),
        (THIRD, FIRST),
        (FIRST, FIRST, SECOND),
        (FIRST, MISSPELT),
        (MISSPELT, SECOND, {"id": 1}, THIRD),
        ("no case", FIRST),
        (),
    ],
)
def test_what_is_found_is_what_a_first_reading_finds(again: tuple[Any, ...]) -> None:
    texts = read(FIRST, MISSPELT, THIRD).texts
    for indent in (1, 2):
        found, alone = (read(*again, before=one, indent=indent) for one in (texts, NO_TEXTS))
        assert (found.suite, found.problems) == (alone.suite, alone.problems)
        texts = found.texts


def test_a_case_of_a_file_that_calls_itself_something_else_is_another() -> None:
    then = read(FIRST, tier="golden")
    now = read(FIRST, before=then.texts, tier="labeled")
    assert cases(now) == cases(read(FIRST, tier="labeled")) != cases(then)
