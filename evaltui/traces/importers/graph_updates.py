"""LangGraph's stream of updates: each record says what nodes of the graph added to its state."""

from collections.abc import Collection, Iterator

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.part import Part

KEY = "updates"
"""Where the updates of one run stand when they are put together."""


def nodes_of(record: JsonObject, known: Collection[str]) -> JsonObject | None:
    """What each node updated; `None` for a record of another form.

    It stands in the record itself, with no key of those that are `known` to other forms, or in its
    `data`, as servers and newer versions stream it.
    """
    data = record.get("data")
    if mode_of(record) == KEY and isinstance(data, dict):
        return data
    are_nodes = all(
        value is None or isinstance(value, dict | list) or name.startswith("__")
        for name, value in record.items()
    )
    is_exchange = any(pair <= record.keys() for pair in _EXCHANGES)
    is_other = is_exchange or not record.keys().isdisjoint(known)
    return record if record and are_nodes and not is_other else None


_EXCHANGES = (frozenset({"request", "response"}), frozenset({"request_body", "response_body"}))
"""What logs of providers have, and are no two nodes."""


def mode_of(record: JsonObject) -> str:
    """What it was streamed as, `updates` or `values`; empty where it does not say."""
    mode = record.get("event", record.get("type"))
    return mode.partition("|")[0] if isinstance(mode, str) else ""


def entries_of(record: Part) -> Iterator[JsonObject]:
    """The updates of a run that was put together."""
    updates = record.value.get(KEY)
    for one in updates if isinstance(updates, list) else ():
        yield one if isinstance(one, dict) else {}


def unread_in(record: Part) -> Iterator[KeyPath]:
    """Where something else stands among the messages that nodes added."""
    for index, nodes in enumerate(entries_of(record)):
        for path, one in _entries(nodes):
            if one is not None and not isinstance(one, dict):
                yield (*record.path, KEY, index, *path)


def messages_in(nodes: JsonObject) -> Iterator[tuple[KeyPath, JsonObject]]:
    """The messages that nodes added, with their places."""
    for path, one in _entries(nodes):
        if isinstance(one, dict):
            yield path, one


def _entries(nodes: JsonObject) -> Iterator[tuple[KeyPath, Json]]:
    """The messages that nodes added; a node may give several updates, and a single message."""
    for name, value in nodes.items():
        for update in value if isinstance(value, list) else [value]:
            listed = update.get("messages") if isinstance(update, dict) else None
            for at, one in enumerate(listed if isinstance(listed, list) else [listed]):
                if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str):
                    one = {"role": one[0], "content": one[1]}
                yield (name, "messages", at), one
