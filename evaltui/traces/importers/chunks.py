"""Answers that were streamed: what is recorded of each piece, put together as one record."""

from collections.abc import Callable, Iterator, Sequence

from evaltui.core.errors import AgentError
from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.importer import Record


def put_together(
    records: Sequence[Record],
    answer_of: Callable[[JsonObject], str],
    whole: Callable[[Sequence[JsonObject]], JsonObject],
) -> Sequence[Record]:
    """One record for each answer, where its first piece stands; anything else stays as it is.

    `answer_of`: the id of the answer that a record is a piece of, empty for anything else. `whole`
    may raise AgentError for a broken piece: each then says for itself what cannot be read.
    """
    pieces: dict[str, list[Record]] = {}
    for record in records:
        if id_ := answer_of(record.value):
            pieces.setdefault(id_, []).append(record)
    return list(_in_order(records, pieces, answer_of, whole))


def _in_order(
    records: Sequence[Record],
    pieces: dict[str, list[Record]],
    answer_of: Callable[[JsonObject], str],
    whole: Callable[[Sequence[JsonObject]], JsonObject],
) -> Iterator[Record]:
    for record in records:
        id_ = answer_of(record.value)
        if not id_:
            yield record
        elif found := pieces.pop(id_, None):
            try:
                answer = whole([one.value for one in found])
            except AgentError:
                yield from found
            else:
                yield Record(answer, record.index, record.path, record.line, len(found) > 1)
