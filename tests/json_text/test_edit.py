"""Only the lines concerned change, whatever the file looks like."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaltui.core.errors import UserError
from evaltui.core.key_path import KeyPath
from evaltui.json_text.edit import append_case, read_value, replace_value

KEYS = st.text(max_size=3)
SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
ENVELOPES = st.fixed_dictionaries(
    {"metadata": st.none() | st.dictionaries(KEYS, SCALARS, max_size=3)},
    optional={"x": VALUES},
).flatmap(
    lambda head: st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=3).map(
        lambda cases: head | {"cases": cases}
    )
)
LAYOUTS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 1, 2, 4, "\t"]),
        "separators": st.sampled_from([(",", ": "), (",", ":"), (" ,", " : ")]),
        "ensure_ascii": st.booleans(),
    }
)


def written(value: Any, layout: dict[str, Any], newline: str, mark: bytes) -> bytes:
    text = json.dumps(value, **layout).replace("\n", newline)
    return mark + (text + newline).encode("utf-8")


def paths(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    found = [path]
    if isinstance(value, dict):
        for key, item in value.items():
            found += paths(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += paths(item, (*path, index))
    return found


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


@given(
    ENVELOPES, LAYOUTS, st.sampled_from(["\n", "\r\n"]), st.sampled_from([b"", b"\xef\xbb\xbf"]),
    VALUES, st.data(),
)  # fmt: skip
def test_replacing_changes_that_value_and_nothing_else(
    value: Any, layout: dict[str, Any], newline: str, mark: bytes, new: Any, data: st.DataObject
) -> None:
    content = written(value, layout, newline, mark)
    path = data.draw(st.sampled_from(paths(value)))
    after = replace_value(content, path, new)
    assert read_value(after) == put(value, path, new)
    assert after.startswith(mark + b"{") or not path
    assert (b"\r" in after) <= (newline == "\r\n")
    assert replace_value(after, path, new) == after


@given(ENVELOPES, LAYOUTS, SCALARS, st.data())
def test_a_plain_value_changes_one_line(
    value: Any, layout: dict[str, Any], new: Any, data: st.DataObject
) -> None:
    content = written(value, layout, "\n", b"")
    plain = [path for path in paths(value) if not isinstance(at(value, path), dict | list)]
    assume(plain)
    path = data.draw(st.sampled_from(plain))
    before, after = content.splitlines(), replace_value(content, path, new).splitlines()
    assert len(before) == len(after)
    assert sum(old != now for old, now in zip(before, after, strict=True)) <= 1


@given(
    ENVELOPES, LAYOUTS, st.sampled_from(["\n", "\r\n"]), st.dictionaries(KEYS, VALUES, max_size=3)
)
def test_appending_leaves_every_other_line(
    value: Any, layout: dict[str, Any], newline: str, case: Any
) -> None:
    content = written(value, layout, newline, b"")
    after = append_case(content, case)
    assert read_value(after) == value | {"cases": [*value["cases"], case]}
    assume(value["cases"])
    old, new = content.split(b"\n"), after.split(b"\n")
    common = 0
    while common < len(old) and old[common] == new[common]:
        common += 1
    assert len(old) - common <= 1 or new[-(len(old) - common - 1) :] == old[common + 1 :]


@given(ENVELOPES, LAYOUTS, st.text(max_size=5), VALUES)
def test_a_missing_key_is_added_last(
    value: Any, layout: dict[str, Any], key: str, new: Any
) -> None:
    assume(key not in value)
    after = read_value(replace_value(written(value, layout, "\n", b""), (key, "inner"), new))
    assert after == value | {key: {"inner": new}}
    assert list(after)[-1] == key


HAND_MADE = b"""[
  { "id": "a", "expect": { "toolsCalled": ["x"],
      "responseContains": [
        "Paris",   "18" ] } },
  {"id": "b",
   "expect": {}}
]"""


def test_hand_made_layout_stays() -> None:
    after = replace_value(
        HAND_MADE, (0, "expect"), {"toolsCalled": ["y"], "responseContains": ["Paris", "19"]}
    )
    assert after == HAND_MADE.replace(b'"x"', b'"y"').replace(b'"18"', b'"19"')
    assert replace_value(HAND_MADE, (0, "expect", "toolsCalled"), ["x", "y"]) == HAND_MADE.replace(
        b'["x"]', b'["x", "y"]'
    )


def test_a_new_key_stands_on_its_own_line() -> None:
    content = b'{\n    "a": 1\n}\n'
    assert replace_value(content, ("b",), ["x", "y"]) == (
        b'{\n    "a": 1,\n    "b": [\n        "x",\n        "y"\n    ]\n}\n'
    )


def test_the_last_of_equal_keys_counts() -> None:
    assert replace_value(b'{"a": 1, "a": 2}', ("a",), 3) == b'{"a": 1, "a": 3}'


def test_true_is_not_one() -> None:
    assert replace_value(b"[1, true]", (), [True, 1]) == b"[true, 1]"


@pytest.mark.parametrize("content", [b"", b"{", b"[1,]", b"\xff\xfe[]", b"[] []", b"[NaN]"])
def test_no_json_is_a_user_error(content: bytes) -> None:
    with pytest.raises(UserError, match="not valid JSON"):
        replace_value(content, (), 1)


@pytest.mark.parametrize("path", [(5,), ("a", 0), (0, "b")])
def test_a_path_that_leads_nowhere_is_a_user_error(path: KeyPath) -> None:
    with pytest.raises(UserError, match="There is no"):
        replace_value(b"[1]" if isinstance(path[0], int) else b'{"a": {}}', path, 1)


@pytest.mark.parametrize("content", [b"1", b'{"a": []}', b'{"cases": {}}'])
def test_no_list_of_cases_is_a_user_error(content: bytes) -> None:
    with pytest.raises(UserError, match="no list of cases"):
        append_case(content, {})


@given(ENVELOPES, LAYOUTS, st.sampled_from(["\n", "\r\n"]), st.data())
def test_members_that_are_taken_out_leave_the_bytes_of_the_others(
    value: Any, layout: dict[str, Any], newline: str, data: st.DataObject
) -> None:
    """What is left is the text before, with pieces cut out of it."""
    content = written(value, layout, newline, b"")
    several = [path for path in paths(value) if isinstance(at(value, path), dict | list)]
    path = data.draw(st.sampled_from([one for one in several if len(at(value, one)) > 1] or [()]))
    old = at(value, path)
    assume(len(old) > 1)
    kept = data.draw(st.lists(st.booleans(), min_size=len(old), max_size=len(old)))
    assume(any(kept))
    new: Any = [item for item, is_kept in zip(old, kept, strict=True) if is_kept]
    if isinstance(old, dict):
        new = {key: old[key] for key in new}
    after = replace_value(content, path, new)
    assert read_value(after) == put(value, path, new)
    rest = iter(content)
    assert all(byte in rest for byte in after)


def test_one_item_more_or_less_is_one_line_more_or_less() -> None:
    content = b'{"a": [\n  {"b": 1},\n  {"b": 2},\n  {"b": 3}\n]}\n'
    items: list[Any] = [{"b": 1}, {"b": 2}, {"b": 3}]
    for gone, line in ((0, b'\n  {"b": 1},'), (1, b'\n  {"b": 2},'), (2, b',\n  {"b": 3}')):
        rest = [*items[:gone], *items[gone + 1 :]]
        assert replace_value(content, ("a",), rest) == content.replace(line, b"")
    more = replace_value(content, ("a",), [*items, {"b": 4}, {"b": 5}])
    assert more == content.replace(b"3}", b'3},\n  {"b": 4},\n  {"b": 5}')


def test_one_key_out_and_another_in_leaves_the_lines_of_all_others() -> None:
    content = b'{\n  "a": 1e5,\n  "b": [1,  2],\n  "c": {"d":1},\n  "e": 0\n}\n'
    value = read_value(content)
    for gone, line in (("a", b'\n  "a": 1e5,'), ("c", b',\n  "c": {"d":1}'), ("e", b',\n  "e": 0')):
        rest = {key: item for key, item in value.items() if key != gone} | {"f": True}
        after = content.replace(line, b"").replace(b"\n}", b',\n  "f": true\n}')
        assert replace_value(content, (), rest) == after


def test_items_in_between_keep_their_lines() -> None:
    content = b'{"a": [\n  {"b": 1.50},\n  {"b":2},\n  {"b": 3}\n]}\n'
    items: list[Any] = [{"b": 0}, {"b": 1.5}, {"c": 1}, {"b": 3}, {"b": 4}]
    assert replace_value(content, ("a",), items) == (
        b'{"a": [\n  {"b": 0},\n  {"b": 1.50},\n  {"c": 1},\n  {"b": 3},\n  {"b": 4}\n]}\n'
    )
    assert replace_value(content, ("a",), [{"b": 2}, {"b": 5}]) == (
        b'{"a": [\n  {"b":2},\n  {"b": 5}\n]}\n'
    )
