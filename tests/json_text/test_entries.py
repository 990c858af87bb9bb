"""Lines of entries: the short way for strict JSON tells what the parser of broken text tells."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.json_text import entries as module
from evaltui.json_text.entries import entry_lines, find_entries

values = st.recursive(
    st.none() | st.integers() | st.text('a"\\]}{[,:\n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)
lists = st.lists(values, min_size=1, max_size=4) | st.dictionaries(
    st.text(max_size=3), values, min_size=1, max_size=4
)
paths = st.sampled_from([(), ("tools",), ("result", "tools")])


@given(lists, paths, st.sampled_from([None, 0, 2]), st.sampled_from(["", "\n", " \r\n\t"]))
def test_strict_json_is_read_without_the_parser(
    entries: object, path: tuple[str, ...], indent: int | None, before: str
) -> None:
    document = entries
    for key in reversed(path):
        document = {"other": {"tools": [1]}, key: document}
    text = before + json.dumps(document, indent=indent)
    assert entry_lines(text, path) == module._lines_of_broken(text, path)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{\n  // one\n  "b": 2\n}', [3]),
        ('{"tools": [\n1,\n2', []),
        ("", []),
        ("[" * 100_000, []),
    ],
)
def test_text_that_is_no_json_raises_nothing(text: str, lines: list[int]) -> None:
    found = entry_lines(text, ())
    assert set(lines) <= set(found)


def test_the_last_of_two_keys_counts() -> None:
    assert entry_lines('{"tools": [1],\n"tools": [\n2]}', ["tools"]) == [3]


def test_the_last_of_two_keys_counts_where_it_leads_nowhere() -> None:
    assert find_entries('{"a": {"tools": [1]}, "a": 5}', ["a", "tools"]).lines == []


def test_each_entry_is_cut_out_of_the_text() -> None:
    text = '{"x": [0], "cases": [ {"id": "é]"} ,\n2,"a"] }'
    found = find_entries(text, ["cases"])
    assert [text[start:end] for start, end in found.spans] == ['{"id": "é]"}', "2", '"a"']
    assert found.lines == [1, 2, 2]
    members = find_entries('{"a": 1, "b" : [2]}', []).spans
    assert members == [(1, 7), (9, 18)]


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ('{"cases": [{"a": 1}, {"a": 2}]}', False),
        ('{"cases": [{"a": {"b": 1, "b": 2}}]}', True),
        ('{"cases": [], "cases": []}', True),
        ('{"x": {"a": 1, "a": 2}, "cases": [1]}', True),
        ('{"cases": {"a": 1, "a": 2}}', True),
    ],
)
def test_repeated_keys_are_noticed_anywhere(text: str, repeats: bool) -> None:
    assert find_entries(text, ["cases"]).has_duplicate_keys == repeats


def test_a_path_to_nothing_has_no_lines() -> None:
    assert entry_lines('{"other": 1}', ["tools"]) == []
