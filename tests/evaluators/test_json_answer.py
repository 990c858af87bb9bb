"""Which answers are JSON: those of its grammar, whatever may hold their numbers and levels."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.core.verdict import VerdictStatus
from evaltui.evaluators.built_in.json_grammar import is_json
from tests.evaluators.seen import answered, verdict_by

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
BEYOND = {
    "1e400": "a number",
    "[-1E+999]": "a list",
    "7" * 5000: "a number",
    "[" * 5000 + "]" * 5000: "a list",
    '{"a":' * 5000 + "null" + "}" * 5000: "an object",
}
NO_BLANKS = ["\u00a0{}", "{}\x0c", "\u2028[]", "{}\u3000", "\x1f1", "\ufeff{}", "[1,\u00a02]"]


@pytest.mark.parametrize("text", BEYOND, ids=[text[:9] for text in BEYOND])
async def test_what_cannot_be_held_is_json_all_the_same(text: str) -> None:
    said = await verdict_by("json-valid", {}, answered(f" {text}\r\n"))
    assert (said.status, said.reason) == (PASSED, f"The answer is JSON: {BEYOND[text]}")
    schema: dict[str, Any] = {"schema": True}
    held = await verdict_by("json-schema", schema, answered(text))
    assert (held.status, "no JSON" in held.reason) == (FAILED, False)
    broken = await verdict_by("json-valid", {}, answered(f"{text}]"))
    assert broken.status == FAILED


@pytest.mark.parametrize("text", NO_BLANKS)
@pytest.mark.parametrize(
    ("type_", "config"), [("json-valid", {}), ("json-schema", {"schema": True})]
)
async def test_blanks_are_those_of_json(text: str, type_: str, config: dict[str, Any]) -> None:
    said = await verdict_by(type_, config, answered(text))
    assert said.status == FAILED
    assert said.reason.startswith("The answer is no JSON: ")
    assert not is_json(text)


@pytest.mark.parametrize("text", ["", " \n", "```\n\n```"])
async def test_nothing_is_no_json(text: str) -> None:
    for config in ({}, {"allowFence": True}):
        assert (await verdict_by("json-valid", config, answered(text))).status == FAILED


async def test_a_line_separator_in_a_fenced_text_ends_no_line() -> None:
    text = '```json\r\n{"a": "\u2028"}\r\n```'
    assert (await verdict_by("json-valid", {"allowFence": True}, answered(text))).status == PASSED


PIECES = st.sampled_from(
    [*'[]{}:,"\\-.eE01+ ', "\n", "null", "true", "fals", '"a"', '"b":', "1.5", "-0", "\x1f", "\xa0"]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.lists(PIECES, max_size=8).map("".join))
@example("[1,]")
@example("{,}")
@example('{"a":}')
@example('{"a":1,}')
@example("[1}")
@example("1 2")
@example("{1:2}")
@example('"\\x"')
def test_the_grammar_is_that_of_other_readers(text: str) -> None:
    assert is_json(text) is _is_read(text)


@given(VALUES, st.integers(0, 10), st.text(max_size=1))
def test_what_was_written_is_read_and_what_was_cut_as_others_do(
    value: Any, at: int, other: str
) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert is_json(text)
    changed = text[:at] + other + text[at + 1 :]
    assert is_json(changed) is _is_read(changed)


def _is_read(text: str) -> bool:
    def none(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=none)
    except ValueError:
        return False
    return True


async def test_a_schema_is_compiled_once_for_all_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    make = jsonschema_rs.Draft202012Validator

    def counted(schema: Any, **options: Any) -> Any:
        made.append(schema)
        return make(schema, **options)

    monkeypatch.setattr(jsonschema_rs, "Draft202012Validator", counted)
    for _ in range(3):
        for least, status in ((3, PASSED), (4, FAILED)):
            schema = {"schema": {"title": "compiled once", "minimum": least}}
            assert (await verdict_by("json-schema", schema, answered("3"))).status == status
    mine = [one["minimum"] for one in made if one.get("title") == "compiled once"]
    assert mine == [3, 4]
