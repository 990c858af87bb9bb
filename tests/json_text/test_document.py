"""One parser for every file, and places that are found in the item in question alone."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.errors import Problem
from evaltui.core.key_path import KeyPath
from evaltui.json_text.document import JsonDocument, read_json
from evaltui.json_text.tree import JsonTree

MOST_LEVELS = 200

_VALUES = st.recursive(
    st.text(max_size=3) | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def document(text: str) -> JsonDocument:
    read = read_json("a.json", text.encode())
    assert isinstance(read, JsonDocument)
    return read


@pytest.mark.parametrize("levels", [MOST_LEVELS, MOST_LEVELS + 2])
def test_lists_and_objects_count_alike(levels: int) -> None:
    half = levels // 2
    read = read_json("deep.json", b'[{"a":' * half + b"1" + b"}]" * half)
    assert isinstance(read, Problem) == (levels > MOST_LEVELS)


def test_whole_numbers_keep_all_their_digits() -> None:
    assert document(f"[{10**30}]").value == [10**30]


@pytest.mark.parametrize(
    "text", ["[NaN]", "[Infinity]", "[-1e999]", '["\\ud800"]', "[1] 2", "[1,]"]
)
def test_what_is_no_json_is_refused_with_a_place(text: str) -> None:
    read = read_json("a.json", text.encode())
    assert isinstance(read, Problem)
    assert (read.file, read.line, read.code) == ("a.json", 1, "json-syntax")
    assert read.column > 1


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("path", [(), ("cases",)])
@given(items=st.lists(_VALUES, max_size=4))
def test_places_within_items_are_those_of_the_whole_text(
    items: list[Any], path: tuple[str, ...], indent: int | None
) -> None:
    value: Any = {"x": 1, path[0]: items} if path else items
    read = document(json.dumps(value, indent=indent, ensure_ascii=False))
    read.entries(path)
    whole = JsonTree(read.content)
    for key in _paths(value):
        assert read.locate(key) == whole.locate(key), key
        assert read.locate((*key, "nothing")) == whole.locate((*key, "nothing"))
    beyond: KeyPath = (*path, len(items), "id")
    assert read.locate(beyond) == whole.locate(beyond)
    assert read.locate((*path, 99, "id")) == whole.locate((*path, 99, "id"))


def test_a_place_within_an_item_needs_no_tree_of_the_whole_file() -> None:
    read = document('[{"id": 1}, {"id": 2}]')
    read.entries(())
    assert read.problem((1, "id"), "odd").column == 14
    assert read._tree is None


def _paths(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    return [path, *(deep for key, inner in pairs for deep in _paths(inner, (*path, key)))]
