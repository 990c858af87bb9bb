"""Whatever a JSON text looks like: edits change what they are about, and places are right."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.key_path import KeyPath
from evaltui.json_text.edit import append_item, read_value, replace_value
from evaltui.json_text.entries import find_entries
from evaltui.json_text.tree import JsonTree
from tests.json_text.any_json import (
    DOCUMENTS,
    REPEATING,
    TEXTS,
    Text,
    exactly,
    lists,
    objects,
    written,
)

NEW = st.recursive(
    st.sampled_from([1, -2, 1e300, 2.5, True, None]) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def at(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value


def put(value: Any, path: KeyPath, new: Any) -> Any:
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(copy[path[0]], path[1:], new)
    return copy


def edited(before: Text, path: KeyPath, new: Any) -> str:
    """The new text of the value at `path`, after all that must hold of any edit does."""
    after = replace_value(before.content, path, new).decode()
    assert exactly(read_value(after.encode())) == exactly(put(before.value, path, new))
    start, end = before.spans[path]
    rest = len(before.text) - end
    assert after[:start] == before.text[:start]
    assert after[len(after) - rest :] == before.text[end:]
    return after[start : len(after) - rest]


def members(text: str) -> list[str]:
    """Each member of an object, or item of a list, as it is written."""
    return [text[start:end] for start, end in find_entries(text, ()).spans]


def containers(text: Text, kind: type) -> list[KeyPath]:
    return [path for path in text.spans if isinstance(at(text.value, path), kind)]


@given(DOCUMENTS, NEW, st.data())
def test_a_value_is_replaced_and_nothing_around_it(document: Any, new: Any, data: Any) -> None:
    text = written(data.draw, document)
    edited(text, data.draw(st.sampled_from([*text.spans])), new)


@given(objects(DOCUMENTS), st.dictionaries(TEXTS, NEW, max_size=3), st.data())
def test_keys_are_taken_out_and_added_and_all_others_stay(
    document: Any, added: dict[str, Any], data: Any
) -> None:
    text = written(data.draw, document)
    path = data.draw(st.sampled_from(containers(text, dict)))
    old = at(text.value, path)
    kept = {key: value for key, value in old.items() if data.draw(st.booleans())}
    added = {key: value for key, value in added.items() if key not in old}
    start, end = text.spans[path]
    before = dict(zip(old, members(text.text[start:end]), strict=True))
    after = members(edited(text, path, kept | added))
    if kept:
        assert after[: len(kept)] == [before[key] for key in kept]


@given(lists(DOCUMENTS), st.lists(NEW, max_size=3), st.data())
def test_items_are_taken_out_and_added_and_all_others_stay(
    document: Any, added: list[Any], data: Any
) -> None:
    text = written(data.draw, document)
    path = data.draw(st.sampled_from(containers(text, list)))
    old = at(text.value, path)
    fresh = {exactly(value): value for value in added}
    fresh = {said: value for said, value in fresh.items() if said not in map(exactly, old)}
    start, end = text.spans[path]
    new, stay = [], []
    for value, as_written in zip(old, members(text.text[start:end]), strict=True):
        if data.draw(st.booleans()):
            new.append(value)
            stay.append(as_written)
    for value in fresh.values():
        new.insert(data.draw(st.integers(0, len(new))), value)
    after = iter(members(edited(text, path, new)))
    assert all(one in after for one in stay)


@given(lists(DOCUMENTS), NEW, st.data())
def test_an_item_is_added_last(document: Any, new: Any, data: Any) -> None:
    text = written(data.draw, document)
    path = data.draw(st.sampled_from(containers(text, list)))
    start, end = text.spans[path]
    before = members(text.text[start:end])
    after = append_item(text.content, path, new).decode()
    rest = len(text.text) - end
    assert after[:start] == text.text[:start]
    assert after[len(after) - rest :] == text.text[end:]
    assert members(after[start : len(after) - rest])[:-1] == before
    assert exactly(read_value(after.encode())) == exactly(
        put(text.value, path, [*at(text.value, path), new])
    )


@given(REPEATING, st.data())
def test_every_key_is_found_at_its_line_and_column(document: Any, data: Any) -> None:
    text = written(data.draw, document)
    tree = JsonTree(text.content)
    for path, start in text.keys.items():
        assert tree.locate(path) == text.place(start)
    found = sorted(tree.duplicate_keys(), key=lambda one: one[1:])
    assert found == [(path, *text.place(start)) for path, start in text.repeated]


@pytest.mark.parametrize("number", ["1e+4", "1E+5", "-2.5e+10", "0.0e+0", "1e+308"])
def test_a_plus_in_an_exponent_is_part_of_the_number(number: str) -> None:
    content = b'{"maxMs": %s, "e+1": [%s]}' % (number.encode(), number.encode())
    assert replace_value(content, ("maxMs",), 500) == content.replace(number.encode(), b"500", 1)
    assert replace_value(content, ("e+1", 0), 1) == content.replace(
        b"[%s]" % number.encode(), b"[1]"
    )
    assert replace_value(content, ("e+1",), json.loads(f"[{number}]")) == content
