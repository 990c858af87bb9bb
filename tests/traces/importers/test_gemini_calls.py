"""Arguments of a call of Gemini that were streamed in pieces are put together, or missed."""

import json
from typing import Any

import pytest

from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import events_of, imported
from tests.traces.importers.test_gemini_chunks import STOP, piece


def call(**fields: Any) -> dict[str, Any]:
    return {"functionCall": fields}


def pieces(*listed: tuple[str, Any], **more: Any) -> dict[str, Any]:
    names = {str: "stringValue", bool: "boolValue", float: "numberValue", type(None): "nullValue"}
    told = [{"jsonPath": path, names[type(value)]: value} for path, value in listed]
    return call(partialArgs=told, willContinue=True, **more)


def snake(value: Any) -> Any:
    """As the SDK writes it, with all that it does not know as `None`."""
    names = {"functionCall": "function_call", "partialArgs": "partial_args",
             "willContinue": "will_continue", "jsonPath": "json_path",
             "stringValue": "string_value", "numberValue": "number_value"}  # fmt: skip
    if isinstance(value, dict):
        found = {names.get(key, key): snake(one) for key, one in value.items()}
        if "function_call" in found:
            found["function_call"] = {"name": None, "args": None, **found["function_call"]}
        return found
    return [*map(snake, value)] if isinstance(value, list) else value


BEGUN = call(name="look", id="c1", willContinue=True)
STREAM = [
    BEGUN,
    pieces(("$.place.city", "Ber"), ("$.days[0]", 3.0)),
    pieces(("$.place.city", "gen"), ("$.days[1]", 4.0), ("$['long name']", "x")),
    call(),
]
MADE = {"place": {"city": "Bergen"}, "days": [3.0, 4.0], "long name": "x"}


def stream(*parts: dict[str, Any]) -> Any:
    records = [piece("a", part) for part in parts[:-1]] + [piece("a", parts[-1], **STOP)]
    return imported(b"\n".join(json.dumps(one).encode() for one in records), file="x.jsonl")


@pytest.mark.parametrize("written", [lambda one: one, snake], ids=["alias", "snake"])
def test_the_pieces_of_arguments_are_put_together(written: Any) -> None:
    other = pieces(("$.sure", True), ("$.note", None), ("$.free", False), name="book")
    found = stream(*map(written, [*STREAM, other, call(), {"text": "Wait."}]))
    assert not found.diagnostics
    [case] = found.cases
    looked, booked, said = trace_body(case).trace
    assert (looked.tool, looked.input, looked.attributes["gen_ai.tool.call.id"]) == (
        *("look", MADE, "c1"),
    )
    assert (booked.tool, said.output) == ("book", "Wait.")
    if written is not snake:
        assert booked.input == {"sure": True, "note": None, "free": False}


def test_an_answer_of_one_piece_may_have_its_arguments_in_pieces_too() -> None:
    whole = call(name="look", partialArgs=[{"jsonPath": "$.q", "stringValue": "x"}])
    (made,) = events_of({**piece("a", whole, **STOP)})
    assert made["input"] == {"q": "x"}


def test_arguments_that_are_told_as_a_whole_count_more_than_their_pieces() -> None:
    [case] = stream(BEGUN, pieces(("$.q", "x")), call(args={"q": "x"})).cases
    assert trace_body(case).trace[0].input == {"q": "x"}


@pytest.mark.parametrize(
    "parts",
    [
        [BEGUN],
        [BEGUN, pieces(("$.q", "x"))],
        [BEGUN, pieces(("q", "x")), call()],
        [BEGUN, pieces(("$.q", "x"), ("$.q.r", "x")), call()],
        [BEGUN, pieces(("$.q", "x"), ("$.q", 1.0)), call()],
        [BEGUN, pieces(("$.q[7]", "x")), call()],
        [BEGUN, pieces(("$[0]", "x")), call()],
        [BEGUN, pieces(("$" + ".q" * 5000, "x")), call()],
        [BEGUN, call(partialArgs=[4])],
    ],
)
def test_arguments_that_are_cut_or_do_not_fit_are_missed(parts: list[dict[str, Any]]) -> None:
    found = stream(*parts)
    [note] = found.diagnostics
    assert (note.kind, note.is_loss) == ("not_told", True)
    assert "what `look` was called with" in note.detail
    [case] = found.cases
    assert trace_body(case).trace[0].tool == "look"


def test_a_piece_without_its_call_is_missed() -> None:
    kinds = [one.kind for one in stream(pieces(("$.q", "x")), {"text": "Hm."}).diagnostics]
    assert "call_without_tool" in kinds
