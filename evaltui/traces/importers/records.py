"""The records of an export: JSON lines, or a JSON document with a list of them or a single one."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.key_path import KeyPath
from evaltui.json_text.document import JsonDocument, read_json
from evaltui.traces.importers.diagnostic import Diagnostic
from evaltui.traces.importers.importer import Record
from evaltui.traces.repeated_keys import repeated_keys

_LISTS = ("traces", "runs", "records", "data", "items")
_LINE_SUFFIXES = (".jsonl", ".ndjson")


class Records(Struct, frozen=True):
    """What a file holds; `broken` are those that are none, in order."""

    found: Sequence[Record]
    broken: Sequence[Diagnostic]
    total: int
    repeated: Sequence[Diagnostic] = ()
    """Keys that stand twice, so that something else than what counts was written too."""
    document: JsonDocument | None = None
    """For the places of what stands in it; `None` for JSON lines."""

    def placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """The same with line and column, where they can be known."""
        if self.document is None:
            return diagnostic
        line, column = self.document.locate(diagnostic.path)
        return replace(diagnostic, line=line, column=column)


def read_records(file: str, content: bytes) -> Records | Problem:
    """All records of a file; a Problem when nothing of it is JSON."""
    if file.endswith(_LINE_SUFFIXES):
        return _of_lines(file, content)
    read = read_json(file, content)
    if isinstance(read, Problem):
        is_lines = read.code == "json-syntax" and _has_objects_in_lines(content)
        return _of_lines(file, content) if is_lines else read
    found: list[Record] = []
    broken: list[Diagnostic] = []
    entries = list(_entries(read))
    for index, (path, value) in enumerate(entries):
        value = _streamed(value)
        if isinstance(value, dict):
            found.append(Record(value, index, path))
        else:
            broken.append(_no_object(file, index, path))
    numbers = {path: index for index, (path, _) in enumerate(entries)}
    repeated = [
        _repeated(file, _number_of(path, numbers), path, line, column)
        for path, line, column in repeated_keys(read.content)
    ]
    return Records(found, broken, len(entries), repeated, read)


def _number_of(path: KeyPath, numbers: Mapping[KeyPath, int]) -> int:
    """Of the record that holds it; what stands around them is told with the first."""
    return next((numbers[path[:end]] for end in range(3) if path[:end] in numbers), 0)


def _entries(document: JsonDocument) -> Iterator[tuple[KeyPath, object]]:
    value = document.value
    if isinstance(value, list):
        yield from (((index,), item) for index, item in enumerate(value))
        return
    if isinstance(value, dict):
        for key in _LISTS:
            listed = value.get(key)
            if isinstance(listed, list):
                yield from (((key, index), item) for index, item in enumerate(listed))
                return
    yield (), value


def _of_lines(file: str, content: bytes) -> Records:
    found: list[Record] = []
    broken: list[Diagnostic] = []
    repeated: list[Diagnostic] = []
    index = 0
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        read = read_json(file, line)
        if isinstance(read, Problem):
            broken.append(
                Diagnostic("broken_record", read.what, "", index, file, (), number, read.column)
            )
        elif isinstance(value := _streamed(read.value), dict):
            found.append(Record(value, index, (), number))
        else:
            broken.append(_no_object(file, index, (), number))
        repeated += (
            _repeated(file, index, path, number, column) for path, _, column in repeated_keys(line)
        )
        index += 1
    return Records(found, broken, index, repeated)


def _streamed(value: object) -> object:
    """What LangGraph streams of several modes, or of graphs in graphs, as the object that its newer
    versions stream: `["updates", {…}]`, `[["graph:1"], {…}]`, or both in three.
    """
    if not isinstance(value, list) or len(value) not in (2, 3):
        return value
    *head, data = value
    if not isinstance(data, dict) and not ("messages" in head and isinstance(data, list)):
        return value
    modes = [one for one in head if isinstance(one, str)]
    places = [one for one in head if isinstance(one, list)]
    if len(modes) > 1 or len(places) > 1 or len(modes) + len(places) < len(head):
        return value
    return {
        "type": modes[0] if modes else "updates",
        "ns": places[0] if places else [],
        "data": data,
    }


def _no_object(file: str, index: int, path: KeyPath, line: int = 0) -> Diagnostic:
    return Diagnostic("not_an_object", "a record is not an object", "", index, file, path, line)


def _repeated(file: str, index: int, path: KeyPath, line: int, column: int) -> Diagnostic:
    what = f"`{path[-1]}` is written twice"
    return Diagnostic("repeated_key", what, "", index, file, path, line, column)


def _has_objects_in_lines(content: bytes) -> bool:
    """Whether it is JSON lines by another name: the first two lines are whole objects."""
    first = [line for line in content.split(b"\n", 3)[:3] if line.strip()][:2]
    return len(first) == 2 and all(
        not isinstance(read := read_json("", line), Problem) and isinstance(read.value, dict)
        for line in first
    )
