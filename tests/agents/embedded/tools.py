"""Tools and messages for the tests of the embedded agent, in words of our own."""

from collections.abc import Iterable

from hypothesis import strategies as st

from evaltui.agents.embedded.decision import Decision
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.route import route
from evaltui.core.json_value import JsonObject
from evaltui.core.tool import ToolDefinition


def schema(*required: str, **types: str) -> JsonObject:
    """An object schema: `types` by name, text for a required name without one."""
    names = {**dict.fromkeys(required, "string"), **types}
    return {
        "type": "object",
        "properties": {name: {"type": type_} for name, type_ in names.items()},
        "required": list(required),
    }


CREATE_INVOICE = ToolDefinition(
    "create_invoice",
    "Creates an invoice for a customer with an amount. Use when somebody must be billed.",
    parameters=schema("customer", "amount", amount="number", due_date="string"),
)
DELETE_INVOICE = ToolDefinition(
    "delete_invoice",
    "Deletes an invoice by its number.",
    parameters=schema("invoice_number"),
)
SEND_EMAIL = ToolDefinition(
    "send_email",
    "Sends an email message to a recipient.",
    parameters=schema("recipient", "body", subject="string"),
)
FIND_FLIGHTS = ToolDefinition(
    "find_flights",
    "Searches flights between two airports on a date.",
    parameters=schema("origin", "destination", date="string"),
)
OFFICE = (CREATE_INVOICE, DELETE_INVOICE, SEND_EMAIL, FIND_FLIGHTS)
MESSAGES = (
    "Create an invoice of 250 for the customer Acme",
    "Please delete the invoice with number INV-204",
    "Send an email to ann@example.com that says 'see you at noon'",
    "Which flights go from Oslo to Lisbon on 2025-03-04?",
    "Delete invoice INV-204 and then send an email to bob@example.com about it",
    "How does a sextant work?",
    "",
)

VOCABULARY = [
    "create", "delete", "list", "read", "update", "search", "invoice", "order", "report",
    "flight", "hotel", "rain", "cold", "forecast", "customer", "amount", "date", "city",
    "price", "stock", "music", "album", "photo", "for", "with", "the", "and", "not", "by",
    "of",
]  # fmt: skip
sentences = st.lists(st.sampled_from(VOCABULARY), min_size=0, max_size=12).map(" ".join)
names = st.lists(st.sampled_from(VOCABULARY[:22]), min_size=1, max_size=3, unique=True).map(
    "_".join
)
parameter_names = st.lists(st.sampled_from(VOCABULARY[8:22]), max_size=3, unique=True)


@st.composite
def definitions(draw: st.DrawFn) -> ToolDefinition:
    found = draw(parameter_names)
    return ToolDefinition(draw(names), draw(sentences), parameters=schema(*found))


registries = st.lists(definitions(), min_size=1, max_size=6, unique_by=lambda tool: tool.name)
spoken = st.one_of(
    sentences,
    st.sampled_from(MESSAGES),
    st.lists(
        st.sampled_from([*VOCABULARY, "Paris", "Acme Corp", "17", "'a b'", "2024-05-06", ",", "."]),
        max_size=15,
    ).map(" ".join),
)


def decide(tools: Iterable[ToolDefinition], message: str, call_at: float = 0.4) -> Decision:
    return route(build_index(tools), message, call_at)


def p_of(decision: Decision, tool: str) -> float | None:
    """The tool's probability, `None` when it has no word in common with the message."""
    return next((c.p for c in decision.candidates if c.tool == tool), None)
