"""JSON texts as people and programs may write them, with the place of each value."""

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from evaltui.core.key_path import KeyPath

SPACES = st.sampled_from(["", " ", "\n", "\n    ", "\r\n\t", "  "])
WHOLE = st.sampled_from(["0", "-0", "7", "-1", "10", "12345678901234567890"])
NUMBERS = st.builds(
    "".join,
    st.tuples(
        WHOLE,
        st.sampled_from(["", ".0", ".5", ".250"]),
        st.sampled_from(["", "e", "E"]).flatmap(
            lambda e: (
                st.builds(
                    "".join,
                    st.tuples(
                        st.just(e),
                        st.sampled_from(["", "+", "-"]),
                        st.sampled_from(["0", "4", "05", "10"]),
                    ),
                )
                if e
                else st.just("")
            )
        ),
    ),
)
TEXTS = st.one_of(
    st.sampled_from(["1e+4", 'a"e+1', "\\", "E+", "e-4", "é", "\\e+"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
)
STRINGS = st.builds(json.dumps, TEXTS, ensure_ascii=st.booleans())
Written = str | list[Any] | tuple[tuple[str, Any], ...]
"""A scalar as it is written; a list; an object as its members, whose keys are written too."""


def value_of(document: Written) -> Any:
    if isinstance(document, str):
        return json.loads(document)
    if isinstance(document, list):
        return [value_of(item) for item in document]
    return {json.loads(key): value_of(item) for key, item in document}


def exactly(value: Any) -> str:
    """So that `true`, 1 and 1.0 are three values; the two zeros are one."""
    return json.dumps(value, sort_keys=True).replace("-0.0", "0.0")


def lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Of items that all differ, also where they only look different."""
    return st.lists(inner, max_size=4, unique_by=lambda item: exactly(value_of(item)))


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.tuples(STRINGS, inner)
    return st.lists(members, max_size=4, unique_by=lambda one: json.loads(one[0])).map(tuple)


DOCUMENTS: st.SearchStrategy[Written] = st.recursive(
    NUMBERS | STRINGS | st.sampled_from(["true", "false", "null"]),
    lambda inner: lists(inner) | objects(inner),
    max_leaves=8,
)
REPEATING: st.SearchStrategy[Written] = st.recursive(
    NUMBERS | STRINGS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(st.sampled_from(['"a"', '"e+1"', '"b"']), inner), max_size=4).map(
            tuple
        )
    ),
    max_leaves=8,
)
"""Objects may have a key twice."""


@dataclass
class Text:
    """What was written, and where: offsets in characters."""

    text: str = ""
    spans: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Of each value; of the last of equal keys."""
    keys: dict[KeyPath, int] = field(default_factory=dict)
    """Where the key begins that names it, or the item."""
    repeated: list[tuple[KeyPath, int]] = field(default_factory=list)
    """Keys that an object has had before."""

    @property
    def content(self) -> bytes:
        return self.text.encode()

    @property
    def value(self) -> Any:
        return json.loads(self.text)

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)


def written(draw: Any, document: Written) -> Text:
    """With whatever space between its parts."""
    made = Text()

    def put(part: str) -> None:
        made.text += draw(SPACES) + part + draw(SPACES)

    def write(value: Written, path: KeyPath) -> None:
        made.text += draw(SPACES)
        start = len(made.text)
        if path and isinstance(path[-1], int):
            made.keys[path] = start
        if isinstance(value, str):
            made.text += value
        elif isinstance(value, list):
            made.text += "["
            for index, item in enumerate(value):
                if index:
                    put(",")
                write(item, (*path, index))
            made.text += draw(SPACES) + "]"
        else:
            made.text += "{"
            seen: set[str] = set()
            for index, (key, item) in enumerate(value):
                if index:
                    put(",")
                made.text += draw(SPACES)
                name = json.loads(key)
                inner = (*path, name)
                if name in seen:
                    made.repeated.append((inner, len(made.text)))
                    forget(inner)
                seen.add(name)
                made.keys[inner] = len(made.text)
                made.text += key
                put(":")
                write(item, inner)
            made.text += draw(SPACES) + "}"
        made.spans[path] = start, len(made.text)

    def forget(path: KeyPath) -> None:
        for places in (made.spans, made.keys):
            for one in [one for one in places if one[: len(path)] == path]:
                del places[one]

    write(document, ())
    made.text += draw(SPACES)
    return made
