"""LangGraph's streams, also of several modes: what nodes added, and the states between.

Updates and states tell the same messages: each counts the first time that it is told.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from json import dumps

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.chat_messages import CALLS
from evaltui.traces.importers.graph_messages import unwrapped
from evaltui.traces.importers.graph_updates import KEY, entries_of, messages_in, mode_of, nodes_of
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part

_STATE, _PIECES = "__state__", "__pieces__"
"""Where a whole state, and pieces of a message, stand among the updates of a run."""
_REPEATING = ("debug", "tasks", "checkpoints")
"""Modes that tell of nodes and states what `updates` and `values` do."""
_SAY_NOTHING = ("metadata", "end")
"""Events of a server around a run."""


def gather_stream(records: Sequence[Record], known: Collection[str]) -> Sequence[Record]:
    """What was streamed one after the other as one record; what says that a run begins, or a state
    that repeats nothing, starts another.

    They are taken for a stream only where some of them has messages. `known`: keys that records of
    other forms have.
    """
    found: list[Record] = []
    run: list[tuple[Record, JsonObject]] = []
    so_far = _RunSoFar()

    def end() -> None:
        nonlocal so_far
        if any(True for _, entry in run for _ in messages_in(entry)):
            first = run[0][0]
            entries: list[Json] = [entry for _, entry in run]
            found.append(Record({KEY: entries}, first.index, first.path, first.line, True))
        else:
            found.extend(record for record, _ in run)
        run.clear()
        so_far = _RunSoFar()

    for record in records:
        entry = entry_of(record.value, known)
        if entry is None:
            end()
            if record.value.get("event") not in _SAY_NOTHING:
                found.append(record)
            continue
        if _STATE in entry and _is_outermost(record.value) and not so_far.goes_on_with(entry):
            end()
        so_far.add(entry)
        run.append((record, entry))
    end()
    return found


def entry_of(record: JsonObject, known: Collection[str]) -> JsonObject | None:
    """What a record tells: by node what it updated, or below a key of ours a state, or pieces of a
    message; `None` for a record of another form."""
    mode, data = mode_of(record), record.get("data")
    if mode == "values" and isinstance(data, dict):
        return {_STATE: data}
    if mode == "messages" and isinstance(data, list):
        return {_PIECES: data}
    if mode in _REPEATING and "ns" in record:
        return {}
    return nodes_of(record, known)


def messages_of(record: Part) -> Iterator[Part]:
    """Of a whole run, in their order; one of an id that was told replaces it in the state and is no
    new one."""
    seen = _SeenMessages()
    for index, entry in enumerate(entries_of(record)):
        for at, message in seen.new_in(entry):
            yield record.inner(message, KEY, index, at)


def incomplete_messages(record: Part) -> Iterator[str]:
    """Ids of messages of which only pieces were streamed."""
    seen, pieces = _SeenMessages(), dict[str, None]()
    for entry in entries_of(record):
        for _ in seen.new_in(entry):
            pass
        found = entry.get(_PIECES)
        for one in found[:1] if isinstance(found, list) else ():
            if not isinstance(one, dict) or _says_something(one):
                pieces[_id_of(one) if isinstance(one, dict) else ""] = None
    return (id_ for id_ in pieces if not seen.knows(id_))


def _says_something(message: JsonObject) -> bool:
    """Whether a piece holds a text or a call: providers also send some with neither."""
    said = unwrapped(Part(message)).value
    return any(
        said.get(key) for key in ("content", "tool_call_chunks", "additional_kwargs", *CALLS)
    )


def _is_outermost(record: JsonObject) -> bool:
    """Whether it is told of the graph itself, not of one within it."""
    mode = record.get("event", record.get("type"))
    return not record.get("ns") and "|" not in str(mode)


class _SeenMessages:
    """Which messages of a run were told: by their ids, else by what they say.

    What a node adds may have no id before the state gives it one.
    """

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._nameless: Counter[str] = Counter()
        self._named_since: Counter[str] = Counter()

    def new_in(self, entry: JsonObject) -> Iterator[tuple[int, JsonObject]]:
        """The messages that an entry tells for the first time, with their places among all of its;
        those that take others away are none."""
        here: Counter[str] = Counter()
        for at, (_, message) in enumerate(messages_in(entry)):
            id_ = _id_of(message)
            if id_ in self._ids:
                continue
            text = _text(message)
            here[text] += 1
            if _STATE in entry and self._is_repeated(id_, text, here[text]):
                continue
            if id_:
                self._ids.add(id_)
            else:
                self._nameless[text] += 1
            if message.get("type") != "remove":
                yield at, message

    def _is_repeated(self, id_: str, text: str, count: int) -> bool:
        """Whether a state repeats with it what was told without an id."""
        if not id_:
            return count <= self._nameless[text]
        is_known = self._named_since[text] < self._nameless[text]
        if is_known:
            self._named_since[text] += 1
            self._ids.add(id_)
        return is_known

    def knows(self, id_: str) -> bool:
        return id_ in self._ids


class _RunSoFar:
    """What tells a state of the same run from the first one of another in the same file."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._texts: set[str] = set()
        self._length = 0

    def add(self, entry: JsonObject) -> None:
        said = [message for _, message in messages_in(entry)]
        for one in said:
            if id_ := _id_of(one):
                self._ids.add(id_)
            else:
                self._texts.add(_text(one))
        if _STATE in entry:
            self._length = len(said)

    def goes_on_with(self, state: JsonObject) -> bool:
        said = [message for _, message in messages_in(state)]
        if not said or not (self._ids or self._texts):
            return True
        ids = {id_ for one in said if (id_ := _id_of(one))}
        if ids and self._ids:
            return bool(ids & self._ids)
        return len(said) >= self._length and any(_text(one) in self._texts for one in said)


def _id_of(message: JsonObject) -> str:
    """Empty for one that has none."""
    said = Part(message)
    return said.text("id") or said.part("kwargs", "data").text("id")


def _text(message: JsonObject) -> str:
    """All that it says but for its id."""
    plain: dict[str, Json] = {key: one for key, one in message.items() if key != "id"}
    for wrap in ("kwargs", "data"):
        inner = plain.get(wrap)
        if isinstance(inner, dict):
            plain[wrap] = {key: one for key, one in inner.items() if key != "id"}
    return dumps(plain, sort_keys=True)
