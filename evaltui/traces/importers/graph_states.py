"""LangGraph's stream of values: each record is the whole state, with the messages of all before."""

from collections.abc import Sequence

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part


def last_states(records: Sequence[Record]) -> Sequence[Record]:
    """The records without states whose messages the next one begins with, told by their ids."""
    ids = [_ids(record.value) for record in records]
    return [
        record
        for record, own, after in zip(records, ids, [*ids, []][1:], strict=True)
        if not own or after[: len(own)] != own
    ]


def _ids(state: JsonObject) -> list[str]:
    """Of its messages; none where one of them has no id, so that nobody knows which it is."""
    listed = state.get("messages")
    said = (
        [Part(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    )
    found = [one.text("id") or one.part("kwargs", "data").text("id") for one in said]
    return found if all(found) and isinstance(listed, list) and len(listed) == len(found) else []
