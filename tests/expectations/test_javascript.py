"""JavaScript's rules, by table, by property and against the real thing."""

import json
import math
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.utf16 import utf16_length
from evaltui.expectations.javascript import json_stringify, to_string, trim

NUMBERS = [
    (18.0, "18"),
    (0.1, "0.1"),
    (1e21, "1e+21"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345680000"),
    (1.5e300, "1.5e+300"),
    (1e-7, "1e-7"),
    (1.25e-7, "1.25e-7"),
    (1e-6, "0.000001"),
    (0.00001234, "0.00001234"),
    (-0.0, "0"),
    (-1.5, "-1.5"),
    (178.50, "178.5"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (math.inf, "Infinity"),
    (-math.inf, "-Infinity"),
    (math.nan, "NaN"),
]


@pytest.mark.parametrize(("value", "text"), NUMBERS)
def test_numbers_are_written_as_javascript_writes_them(value: float, text: str) -> None:
    assert to_string(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("as is", "as is"),
        ([1, [2, None], "x", True], "1,2,,x,true"),
        ([], ""),
        ([[]], ""),
        ({}, "[object Object]"),
        ([{"a": 1}], "[object Object]"),
        (2**53 + 1, "9007199254740993"),
    ],
)
def test_string_of_a_json_value(value: Json, text: str) -> None:
    assert to_string(value) == text


def test_a_number_too_long_for_python_to_print_does_not_raise() -> None:
    assert to_string(10**5000) == "Infinity"
    assert to_string(-(10**5000)) == "-Infinity"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "2": "x", "1": [2.0, None]}, '{"1":[2,null],"2":"x","b":1}'),
        ({"01": 1, "4294967295": 2, "4294967294": 3}, '{"4294967294":3,"01":1,"4294967295":2}'),
        ("é \u2028 😀", '"é \u2028 😀"'),
        ('"\\\n\x1f\x7f', '"\\"\\\\\\n\\u001f\x7f"'),
        ("\ud83d!", '"\\ud83d!"'),
        ("\ud83d\ude00", '"😀"'),
        ([math.nan, math.inf], "[null,null]"),
        (-0.0, "0"),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_json_stringify(value: Json, text: str) -> None:
    assert json_stringify(value) == text


def test_trim_removes_what_javascript_calls_white_space_and_nothing_else() -> None:
    assert trim("\ufeff \u00a0\u3000\n x \u2028\t") == "x"
    assert trim("\u0085x\u001c") == "\u0085x\u001c"


def test_length_counts_utf16_units() -> None:
    assert utf16_length("abc") == 3
    assert utf16_length("é😀") == 3
    assert utf16_length("\ud83d") == 1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_itself(value: float) -> None:
    assert float(to_string(value)) == value


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_stringified_values_read_back_equal(value: Json) -> None:
    assert json.loads(json_stringify(value), parse_int=float) == value


@given(st.text())
def test_trimming_twice_changes_nothing(text: str) -> None:
    assert trim(trim(text)) == trim(text)
    assert trim(text) in text


@pytest.mark.external
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_agrees() -> None:
    values: list[Json] = [number for number, _ in NUMBERS if math.isfinite(number)]
    values += [
        None, True, [1, [2, None]], {"b": 1, "2": [2.5, "é\u2028\x7f"], "1": {}, "01": 1},
        "\ud83d", "\x00\x1f", {"4294967295": 1, "4294967294": 2}, [{}], -1e-7, 123456.789e10,
    ]  # fmt: skip
    values += [mantissa * 10.0**power for mantissa in (1.0, 1.5, 9.99) for power in range(-30, 30)]
    texts = [chr(code) + "x" + chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    script = (
        "const {values,texts}=JSON.parse(require('fs').readFileSync(0,'utf8'));"
        "console.log(JSON.stringify([values.map(String),values.map(v=>JSON.stringify(v)),"
        "texts.flatMap((t,i)=>t.trim().length===1?[i]:[]),texts.map(t=>t.length)]))"
    )
    said = subprocess.run(
        ["node", "-e", script],
        input=json.dumps({"values": values, "texts": texts}),
        capture_output=True,
        check=True,
        text=True,
    )
    strings, stringified, trimmed, lengths = json.loads(said.stdout)
    assert [to_string(value) for value in values] == strings
    assert [json_stringify(value) for value in values] == stringified
    assert [index for index, text in enumerate(texts) if len(trim(text)) == 1] == trimmed
    assert [utf16_length(text) for text in texts] == lengths
