"""LangGraph's stream of updates: each record says what nodes of the graph added to its state."""

from collections.abc import Collection, Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part

KEY = "updates"
"""Where the updates of one run stand when they are put together."""


def nodes_of(record: JsonObject, known: Collection[str]) -> JsonObject | None:
    """What each node updated; `None` for a record of another form.

    It stands in the record itself, with no key of those that are `known` to other forms, or in its
    `data`, as servers and newer versions stream it.
    """
    mode = record.get("event", record.get("type"))
    data = record.get("data")
    if isinstance(mode, str) and mode.partition("|")[0] == KEY and isinstance(data, dict):
        return data
    are_nodes = all(
        value is None or isinstance(value, dict | list) or name.startswith("__")
        for name, value in record.items()
    )
    return record if record and are_nodes and not record.keys() & known else None


def gather_updates(records: Sequence[Record], known: Collection[str]) -> Sequence[Record]:
    """Updates that follow each other as one record; what says that a run begins starts another.

    They are taken for updates only where some of them has messages.
    """
    found: list[Record] = []
    run: list[tuple[Record, JsonObject]] = []

    def end() -> None:
        if any(True for _, nodes in run for _ in _messages(nodes)):
            first = run[0][0]
            updates: list[Json] = [nodes for _, nodes in run]
            found.append(Record({KEY: updates}, first.index, first.path, first.line, True))
        else:
            found.extend(record for record, _ in run)
        run.clear()

    for record in records:
        nodes = nodes_of(record.value, known)
        if nodes is not None:
            run.append((record, nodes))
            continue
        end()
        if record.value.get("event") not in _SAY_NOTHING:
            found.append(record)
    end()
    return found


def messages_of(record: Part) -> Iterator[Part]:
    """Of all updates of a run, in their order; one of an id that was told replaces it in the state
    and is no new one."""
    told: set[str] = set()
    updates = record.value.get(KEY)
    for index, nodes in enumerate(updates if isinstance(updates, list) else ()):
        for path, message in _messages(nodes if isinstance(nodes, dict) else {}):
            said = Part(message)
            if id_ := said.text("id") or said.part("kwargs", "data").text("id"):
                if id_ in told:
                    continue
                told.add(id_)
            if message.get("type") != "remove":
                yield record.inner(message, KEY, index, *path)


_SAY_NOTHING = ("metadata", "end")
"""Events of a server around a run."""


def unread_in(record: Part) -> Iterator[KeyPath]:
    """Where something else stands among the messages that nodes added."""
    updates = record.value.get(KEY)
    for index, nodes in enumerate(updates if isinstance(updates, list) else ()):
        for path, one in _entries(nodes if isinstance(nodes, dict) else {}):
            if one is not None and not isinstance(one, dict):
                yield (*record.path, KEY, index, *path)


def _messages(nodes: JsonObject) -> Iterator[tuple[KeyPath, JsonObject]]:
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
