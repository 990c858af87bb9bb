"""Advice for text that is no JSON goes by what its parser says: here it still says so."""

import pytest

from evaltui.core.errors import Problem
from evaltui.json_text.document import read_json

DEFAULT = "Correct the JSON here."


def problem(text: str) -> Problem:
    read = read_json("a.json", text.encode())
    assert isinstance(read, Problem)
    return read


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"a": 1', "The file ends in the middle; it may be half-saved."),
        ('["a', "The file ends in the middle; it may be half-saved."),
        ("[1] 2", "Only one value may stand in a JSON file; remove what follows it."),
        ("{a: 1}", 'Keys stand in double quotes: `"key"`.'),
        ("[" * 300, "Nest fewer lists and objects into each other: 200 levels are the limit."),
        ('["a\nb"]', r"Write line breaks in text as `\n` and tabs as `\t`."),
        ("[1e999]", "Write the number as text."),
        (
            r'["\ud800"]',
            r"Half of a surrogate pair; write the character itself or both `\uXXXX` halves.",
        ),
        (
            r'["\udc00\u0041"]',
            r"Half of a surrogate pair; write the character itself or both `\uXXXX` halves.",
        ),
        (r'["\q"]', r"Write a backslash as `\\`."),
        ('{"a" 1}', 'A key is followed by a colon: `"key": value`.'),
        ("[1 2]", "A comma is missing before this, or a quote inside a text is not escaped."),
        ('{"a": 1 "b": 2}', "A comma is missing before this, or a quote inside a text is not"),
        ("[// x\n1]", "JSON has no comments; remove it."),
        ("[1 # x\n]", "JSON has no comments; remove it."),
        ("['a']", 'Texts stand in double quotes: `"text"`.'),
        ("[NaN]", "JSON has no NaN or Infinity; use `null` or a text."),
        ("[-Infinity]", "JSON has no NaN or Infinity; use `null` or a text."),
        ("[None]", "Use `true`, `false` or `null`."),
        ("[1,]", "Remove the comma before it, or write the missing value."),
        ('{"a": 1, }', "Remove the comma before it, or write the missing value."),
        ('{"a": }', "Remove the comma before it, or write the missing value."),
        ("[01]", DEFAULT),
    ],
)
def test_what_to_do_is_told_by_what_the_parser_says(text: str, hint: str) -> None:
    found = problem(text)
    assert found.hint.startswith(hint)
    assert found.what.startswith("Not valid JSON: ")


def test_a_mistake_has_its_place_in_characters_at_the_end_of_its_line() -> None:
    found = problem('["é" 1]')
    assert (found.line, found.column) == (1, 6)
    broken = problem('["a\nb"]')
    assert (broken.line, broken.column) == (1, 4), "not the line that the break opens"
