"""LangGraph's streams of values and of checkpoints: each record holds the whole state, with the
messages of all before."""

from collections.abc import Sequence

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part


def last_states(records: Sequence[Record]) -> Sequence[Record]:
    """The records without states whose messages the next one begins with, told by their ids, and
    without checkpoints from before there were any."""
    ids = [_ids(record.value) for record in records]
    return [
        record
        for record, own, (after, next_ids) in zip(
            records, ids, zip([*records, None][1:], [*ids, []][1:], strict=True), strict=True
        )
        if not (_is_repeated(own, next_ids) or (after and _is_before(record.value, after.value)))
    ]


def _is_repeated(own: list[str], after: list[str]) -> bool:
    return bool(own) and after[: len(own)] == own


def _is_before(record: JsonObject, after: JsonObject) -> bool:
    """Whether it is a checkpoint that holds no message yet, and the next one goes on from it."""
    own, parent = _checkpoint(record, "config"), _checkpoint(after, "parent_config")
    return bool(own) and own == parent and not _state_of(record).get("messages")


def _checkpoint(record: JsonObject, config: str) -> str:
    return Part(record).part(config).part("configurable").text("checkpoint_id")


def _state_of(record: JsonObject) -> JsonObject:
    """Of a checkpoint what it keeps of the state; any other record is one."""
    values = record.get("values")
    return values if isinstance(values, dict) and "messages" not in record else record


def _ids(record: JsonObject) -> list[str]:
    """Of its messages; none where one of them has no id, so that nobody knows which it is."""
    listed = _state_of(record).get("messages")
    said = (
        [Part(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    )
    found = [one.text("id") or one.part("kwargs", "data").text("id") for one in said]
    return found if all(found) and isinstance(listed, list) and len(listed) == len(found) else []
