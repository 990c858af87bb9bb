"""Numbers in JSON from elsewhere are finite, or refused with their place."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaltui
from evaltui.core.finite_json import NoNumber, decode_external, decode_json

ONE_OWNER = {
    "core/finite_json.py",
    "json_text/strict_json.py",
    "disk/codec.py",  # null for numbers that are none, in what we wrote
}
OURS = {
    "agents/embedded/background.py",
    "agents/models/reply_draft.py",  # what it wrote itself a line before
    "cli/schema.py",
    "json_text/tree.py",  # a key, as in the next
    "traces/repeated_keys.py",
    "evidence/replayed_pack.py",  # what it wrote itself just before
    "traces/importers/conformance.py",
    "evaluators/config_schema.py",  # a schema that was read before
}
CHECKED_LATER = {
    "agents/adapter_dialect.py",  # whether a key stands twice
    "agents/http/event_lines.py",  # whether a text is whole
    "evaluators/child_lines.py",
}
CHILDREN = ("child/", "evaluators/kit/", "evaluators/built_in/numbers_from_tools.py")
"""Programs of their own, and what only compares."""


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('{"a": 1e999}', 1, 7, "`1e999` is too large"),
        ('{"1e999": "-1e999",\n "é\\"": [-1E+400]}', 2, 10, "`-1E+400` is too large"),
        ("1" * 310 + ".5", 1, 1, "`11111111111111111111…` is too large"),
        ("9" * 250 + "e99", 1, 1, "too large"),
        ('["NaN", NaN]', 1, 9, "`NaN` is not a number"),
        ("[-Infinity]", 1, 2, "`-Infinity` is not a number"),
    ],
)
def test_a_number_that_is_none_is_refused_with_its_place(
    text: str, line: int, column: int, what: str
) -> None:
    for given_ in (text, text.encode()):
        with pytest.raises(NoNumber, match=re.escape(what)) as error:
            decode_json(given_)
        assert (error.value.lineno, error.value.colno) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "-0",
            "-0.0",
            "1e22",
            "0.1e-400",
            "18446744073709551616",
            "-9223372036854775809",
            "9" * 40,
        ),
        *(
            '"\\ud800"',
            '"\\ud83d\\ude00"',
            '"\\u0000\\/"',
            '"\x7f\u2028"',
            ' {"a":1,"a":[2]} ',
            "[]\n",
        ),
    ],
)
def test_a_number_or_a_text_is_what_the_standard_library_makes_of_it(text: str) -> None:
    for given_ in (text, text.encode(), text.encode("utf-8-sig"), text.encode("utf-16")):
        read, plain = decode_json(given_), json.loads(given_)
        assert (read, repr(read)) == (plain, repr(plain))


@pytest.mark.parametrize("text", ["[1,]", "01", ".5", "1 2", '"\x01"', '"\\x"', "9" * 5000, ""])
def test_what_is_no_json_is_told_in_the_words_of_the_standard_library(text: str) -> None:
    for given_ in (text, text.encode()):
        with pytest.raises(ValueError) as told:
            json.loads(given_)
        with pytest.raises(ValueError, match=re.escape(str(told.value))):
            decode_json(given_)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_all_others_are_as_they_stand(value: Any) -> None:
    assert decode_json(json.dumps(value)) == value


@pytest.mark.parametrize("text", ["1e308", "1e0308", '"1e999"', "1" * 400, "1e-999", "[0.1e-400]"])
def test_large_ones_that_can_be_kept_are_kept(text: str) -> None:
    value = decode_json(text)
    assert value == json.loads(text)
    assert not isinstance(value, float) or math.isfinite(value)


def test_nothing_else_in_the_package_decodes_what_others_wrote() -> None:
    root = Path(evaltui.__file__).parent
    calls = re.compile(r"\bjson\.loads?\(|import from_json|validate_json\(")
    found = {
        name
        for path in root.rglob("*.py")
        if calls.search(path.read_text(encoding="utf-8"))
        and not (name := path.relative_to(root).as_posix()).startswith(CHILDREN)
    }
    assert found <= ONE_OWNER | OURS | CHECKED_LATER
    assert found >= ONE_OWNER


def test_halves_of_surrogate_pairs_that_a_program_says_can_be_written() -> None:
    text = '{"a\\ud800": ["\\udc80x", 1]}'
    said = decode_external(text)
    assert said == decode_external(text.encode()) == {"a\ufffd": ["\ufffdx", 1]}
    assert json.dumps(said, ensure_ascii=False).encode()
    assert decode_external('"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize("text", ["[" * 201 + "]" * 201, b"[" * 201 + b"]" * 201])
def test_what_a_program_says_is_never_too_deep_to_be_written(text: str | bytes) -> None:
    with pytest.raises(RecursionError, match="nested more than 200 deep"):
        decode_external(text)
    assert decode_external(text[1:-1]) is not None
    side_by_side = json.dumps([[]] * 300)
    assert len(decode_external(side_by_side)) == 300
