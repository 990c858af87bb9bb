"""Which words of a message fill which parameter."""

from typing import Any

import pytest

from evaltui.agents.embedded.background import background
from evaltui.agents.embedded.filling import fill
from evaltui.agents.embedded.message import read_message
from evaltui.agents.embedded.tool_document import read_tool
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition
from tests.agents.embedded.tools import CREATE_INVOICE, DELETE_INVOICE, decide

Properties = dict[str, dict[str, Any]]


def filled(message: str, properties: Properties, required: list[str] | None = None) -> Json:
    names = list(properties) if required is None else required
    parameters: Any = {"type": "object", "properties": properties, "required": names}
    tool = ToolDefinition("do_it", "Does it", parameters=parameters)
    return fill(read_tool(tool, background()), read_message(message, background())).params


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
CASES: list[tuple[str, Properties, dict[str, Json]]] = [
    ("weather in Paris", {"city": TEXT}, {"city": "Paris"}),
    (
        "fly from Oslo to Lisbon",
        {"origin": TEXT, "destination": TEXT},
        {"origin": "Oslo", "destination": "Lisbon"},
    ),
    (
        "fly to Lisbon from Oslo",
        {"origin": TEXT, "destination": TEXT},
        {"origin": "Oslo", "destination": "Lisbon"},
    ),
    ("write to ann@example.com", {"email": TEXT}, {"email": "ann@example.com"}),
    ("fetch https://example.com/a?b=1.", {"url": TEXT}, {"url": "https://example.com/a?b=1"}),
    ("open /etc/hosts please", {"path": TEXT}, {"path": "/etc/hosts"}),
    ("cancel order AB-1234", {"order_id": TEXT}, {"order_id": "AB-1234"}),
    (
        "solve it with a = 2, b = -3 and c = 5",
        {"a": NUMBER, "b": NUMBER, "c": NUMBER},
        {"a": 2, "b": -3, "c": 5},
    ),
    (
        "a width of 3.5 and a height of 2",
        {"height": NUMBER, "width": NUMBER},
        {"height": 2, "width": 3.5},
    ),
    ("lend me $1,250,000", {"amount": NUMBER}, {"amount": 1_250_000}),
    ("lend me 2 million", {"amount": NUMBER}, {"amount": 2_000_000}),
    ("a rate of 5%", {"interest_rate": NUMBER}, {"interest_rate": 0.05}),
    ("book it for three people", {"people": INTEGER}, {"people": 3}),
    (
        "sort the numbers 3, 1 and 2",
        {"numbers": {"type": "array", "items": NUMBER}},
        {"numbers": [3, 1, 2]},
    ),
    ("sum [1, 2, 3]", {"numbers": {"type": "array", "items": NUMBER}}, {"numbers": [1, 2, 3]}),
    (
        "rates of 0.5 and 0.25",
        {"interest_rates": {"type": "array", "items": NUMBER}},
        {"interest_rates": [0.5, 0.25]},
    ),
    (
        "songs by Ann and Bob",
        {"artists": {"type": "array", "items": TEXT}},
        {"artists": ["Ann", "Bob"]},
    ),
    (
        "in fahrenheit please",
        {"unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
        {"unit": "fahrenheit"},
    ),
    ("paint it dark blue", {"color": {"enum": ["blue", "dark blue"]}}, {"color": "dark blue"}),
    ("rooms with breakfast", {"has_breakfast": {"type": "boolean"}}, {"has_breakfast": True}),
    ("rooms without breakfast", {"has_breakfast": {"type": "boolean"}}, {"has_breakfast": False}),
    ("on March 7th, 2023", {"date": TEXT}, {"date": "2023-03-07"}),
    (
        "on 2023-03-07",
        {"date": {"type": "string", "description": "as MM/DD/YYYY"}},
        {"date": "03/07/2023"},
    ),
    (
        "at 7:30 pm",
        {"time": {"type": "string", "description": "HH:MM, 24-hour"}},
        {"time": "19:30"},
    ),
    ("say 'hello there'", {"message": TEXT}, {"message": "hello there"}),
    ("nothing of use", {"level": {"type": "integer", "default": 3}}, {"level": 3}),
    (
        "from Oslo",
        {"trip": {"type": "object", "properties": {"origin": TEXT}, "required": ["origin"]}},
        {"trip": {"origin": "Oslo"}},
    ),
]


@pytest.mark.parametrize(("message", "properties", "expected"), CASES)
def test_values_reach_their_parameter(
    message: str, properties: Properties, expected: dict[str, Json]
) -> None:
    assert filled(message, properties) == expected


def test_a_quoted_sentence_is_no_path() -> None:
    found = filled("save '/tmp/x.txt' with 'a whole sentence'", {"path": TEXT, "content": TEXT})
    assert found == {"path": "/tmp/x.txt", "content": "a whole sentence"}


def test_optional_parameters_need_their_own_words() -> None:
    properties = {"city": TEXT, "days": INTEGER}
    assert filled("in Paris 2024", properties, ["city"]) == {"city": "Paris"}
    assert filled("in Paris for 3 days", properties, ["city"]) == {"city": "Paris", "days": 3}


def test_what_text_cannot_give_is_no_evidence_against() -> None:
    objects: Properties = {"entities": {"type": "array", "items": {"type": "object"}}}
    parameters: Any = {"type": "object", "properties": objects, "required": ["entities"]}
    tool = ToolDefinition("create_entities", "Creates entities", parameters=parameters)
    message = read_message("create entities for Ann and Bob", background())
    filling = fill(read_tool(tool, background()), message)
    assert filling.params == {}
    assert filling.evidence > 0


@pytest.mark.parametrize(
    "schema",
    [
        None,
        [],
        "x",
        {},
        {"properties": []},
        {"properties": {"a": None, "b": 5}},
        {"properties": {"a": {"type": 7, "enum": 3, "items": "x"}}, "required": "a"},
        {"properties": {"a": {"enum": [None, {}, [], True]}}, "required": [1, None]},
        {"properties": {"a": {"anyOf": [{"type": "integer"}, 3]}}},
    ],
)
def test_odd_schemas_never_raise(schema: Any) -> None:
    tool = ToolDefinition("a", None, parameters=schema)
    fill(read_tool(tool, background()), read_message("a is 5, 'b' on 2020-02-30", background()))


def test_each_of_several_tools_takes_values_from_its_own_clause() -> None:
    message = "Create an invoice for the customer Acme. Then delete the invoice number INV-9"
    decision = decide([CREATE_INVOICE, DELETE_INVOICE], message)
    params = {call.tool: call.params for call in decision.calls}
    assert params["create_invoice"]["customer"] == "Acme"
    assert params["delete_invoice"] == {"invoice_number": "INV-9"}
