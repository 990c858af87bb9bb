"""Lines and columns of key paths."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.key_path import KeyPath, format_key
from evaltui.json_text.tree import JsonTree

TEXT = """{
  "a": [1, {"b.c": "é", "d": 2}],
  "é": {"x": null, "x": 3}
}""".encode()


def test_keys_items_and_columns_in_characters() -> None:
    assert JsonTree(TEXT).locate(("a",)) == (2, 3)
    assert JsonTree(TEXT).locate(("a", 1)) == (2, 12)
    assert JsonTree(TEXT).locate(("a", 1, "d")) == (2, 25)
    assert JsonTree(TEXT).locate(("a", 1, "b.c")) == (2, 13)


def test_the_last_of_equal_keys_is_meant() -> None:
    assert JsonTree(TEXT).locate(("é", "x")) == (3, 20)


def test_an_absent_key_gives_its_nearest_outer_one() -> None:
    assert JsonTree(TEXT).locate(("a", 1, "nothing", "here")) == (2, 12)
    assert JsonTree(TEXT).locate(("a", 7)) == (2, 3)
    assert JsonTree(TEXT).locate(("zzz",)) == (1, 1)
    assert JsonTree(b"").locate(("zzz",)) == (1, 1)


def test_there_is_no_item_before_the_first() -> None:
    assert JsonTree(TEXT).locate(("a", -1)) == (2, 3)


@given(st.binary())
def test_broken_text_has_places_too(content: bytes) -> None:
    line, column = JsonTree(content).locate(("a", 0, "b"))
    assert line >= 1 and column >= 1


def test_repeated_keys_at_every_depth() -> None:
    content = b'[{"a": {"b": 1, "b": 2}},\n {"a": 1, "a": 2, "a": 3}]'
    found = list(JsonTree(content).duplicate_keys())
    assert found == [((0, "a", "b"), 1, 17), ((1, "a"), 2, 11), ((1, "a"), 2, 19)]


def paths(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    children = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(deep for key, child in children for deep in paths(child, (*path, key)))]


@given(
    st.recursive(
        st.none() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=12,
    )
)
def test_every_key_is_found_where_it_is_written(value: Any) -> None:
    text = json.dumps(value, indent=1)
    lines = text.split("\n")
    tree = JsonTree(text.encode())
    for path in paths(value):
        line, column = tree.locate(path)
        rest = lines[line - 1][column - 1 :]
        if path and isinstance(path[-1], str):
            assert rest.startswith(json.dumps(path[-1]) + ":"), format_key(path)
        else:
            inner: Any = value
            for part in path:
                inner = inner[part]
            assert rest.startswith(json.dumps(inner)[:1]), format_key(path)
