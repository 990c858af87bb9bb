"""Suites of traces: from the text of a file to cases, with the place of every mistake."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from evaltui.core import finite_json
from evaltui.core.case import Case, CaseKey, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath, format_key
from evaltui.core.trace import Event
from evaltui.disk.codec import convert, decode_exactly
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.aliases import (
    CASE_ALIASES,
    CONTRACT_ALIASES,
    contradicted,
    event_type,
    without_aliases,
)
from evaltui.traces.mistakes import JsonMistake, SuiteMistake, refusal_of, refusals_of
from evaltui.traces.repeated_keys import refuse_repeated_in_cases, refuse_repeated_keys

VERSION = "1.0.0"
"""The version of the schema that is written."""
VERSIONS = ("0.1.0", VERSION)
"""Those that are read."""
UNKNOWN_DATASET = "dataset-unknown"
SUITE_KEYS = ("dataset_id", "cases", "metadata")
_FIELDS = (
    *("input", "expected_output", "trace", "tool_contracts", "policy", "regex_patterns"),
    *("json_schema", "metadata"),
)
_FURTHER = ("evaluators",)
"""Of ours: not written where there is nothing in them, so that packs are as they were."""
CASE_KEYS = ("case_id", *_FIELDS, *_FURTHER)
EVENT_KEYS = Event.__struct_fields__


class TraceSuite(Struct, frozen=True):
    """A suite whose cases are still text: one is decoded when it is needed."""

    file: str
    dataset_id: str
    metadata: JsonObject
    texts: tuple[bytes | msgspec.Raw, ...]
    keys: tuple[str, ...] = ()
    """All that it has, known or not."""

    def __len__(self) -> int:
        return len(self.texts)

    def cases(self, places: Iterable[int] | None = None) -> Iterator[Case]:
        """Each case in turn, or those at `places`. Raises SuiteMistake at the first mistake.

        Two cases of one id are one too many: what is kept of them goes by it.
        """
        seen: dict[str, int] = {}
        for index in range(len(self.texts)) if places is None else places:
            try:
                raw = decode_json(bytes(self.texts[index]), self.file)
            except JsonMistake as mistake:  # its line is one of the case's own text
                hint = "Correct the case."
                raise SuiteMistake(self.file, f"cases[{index}]", mistake.said, hint) from None
            case = read_case(self.dataset_id, raw, index, self.file)
            if (before := seen.setdefault(case.id, index)) != index:
                what = f"the id `{case.id}` is that of `cases[{before}]` already"
                raise SuiteMistake(
                    self.file, f"cases[{index}].case_id", what, "Rename one of them."
                )
            yield case


class _Envelope(Struct):
    cases: list[msgspec.Raw]
    dataset_id: Any = UNKNOWN_DATASET
    metadata: Any = msgspec.field(default_factory=dict)


def read_suite_file(path: Path) -> TraceSuite:
    """Raises OSError and SuiteMistake."""
    return read_suite(read_file(path, RESULTS_LIMIT), str(path))


def read_suite(data: bytes, file: str = "") -> TraceSuite:
    """A suite from its text; its cases are looked at later.

    Raises SuiteMistake when it is no suite, or one in which a key stands twice.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        found = decode_exactly(_Envelope, data)
    except msgspec.ValidationError as error:
        raise refusal_of(error, file) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        decode_json(data, file)
        raise
    dataset = str(found.dataset_id) if type(found.dataset_id) is int else found.dataset_id
    if not isinstance(dataset, str):
        what = f"expected text, found {_kind(dataset)}"
        raise SuiteMistake(file, "dataset_id", what, "Write the name of the data set.")
    if not isinstance(found.metadata, dict | None):
        raise SuiteMistake(file, "metadata", "expected an object", "Write `{…}` or leave it out.")
    refuse_unknown_version(found.metadata, file)
    refuse_repeated_in_cases(data, found.cases, file)
    keys = tuple(decode_exactly(dict[str, msgspec.Raw], data))
    return TraceSuite(file, dataset, found.metadata or {}, tuple(found.cases), keys)


def refuse_unknown_version(metadata: Json, file: str) -> None:
    """Raises SuiteMistake for a suite of another schema, which may mean something else by what it
    says; one that tells no version is read."""
    version = metadata.get("schema_version") if isinstance(metadata, dict) else None
    if version is not None and version not in VERSIONS:
        what = f"`{version}` is not a known version"
        hint = f"Known are {', '.join(VERSIONS)}; use a later evaltui for later ones."
        raise SuiteMistake(file, "metadata.schema_version", what, hint)


def read_case(dataset: str, raw: Any, index: int, file: str = "") -> Case:
    """One item of the list of cases. Raises SuiteMistake with its key and what is wrong."""
    fields = without_aliases(raw, CASE_ALIASES) if isinstance(raw, dict) else {}
    is_clear = next(alias_mistakes(raw, index), None) is None
    if is_clear and (id_ := _id_of(fields)):
        with suppress(msgspec.ValidationError):
            body = convert(_inner(fields), TraceCase)
            if not body.evaluators or next(_unknown_in(fields["evaluators"]), None) is None:
                return Case(CaseKey(dataset, id_), body)
    raise next(case_mistakes(raw, index, file))


def case_mistakes(raw: Any, index: int, file: str = "") -> Iterator[SuiteMistake]:
    """All that is wrong in one item of the list of cases."""
    path: KeyPath = ("cases", index)
    place = format_key(path)
    if not isinstance(raw, dict):
        what = f"expected an object, found {_kind(raw)}"
        yield SuiteMistake(file, place, what, "Write `{…}`.")
        return
    yield from alias_mistakes(raw, index, file)
    fields = without_aliases(raw, CASE_ALIASES)
    if not (id_ := _id_of(fields)):
        is_lacking = fields.get("case_id") in (None, "")
        what = "the case has no `case_id`" if is_lacking else "expected text"
        hint = "Results and baselines are kept under it."
        yield SuiteMistake(file, f"{place}.case_id", what, hint)
    yield from refusals_of(_inner(fields), TraceCase, file, path, id_)
    evaluators = fields.get("evaluators")
    known = EvaluatorUse.__struct_fields__
    for number, key in _unknown_in(evaluators if isinstance(evaluators, list) else ()):
        hint = did_you_mean(key, known) or f"Known are {', '.join(known)}."
        what = f"`{key}` is not a field of an evaluator"
        yield SuiteMistake(file, f"{place}.evaluators[{number}].{key}", what, hint, id_)


def alias_mistakes(raw: Any, index: int, file: str = "") -> Iterator[SuiteMistake]:
    """Of a case: what it says by an older name and otherwise by today's."""
    if not isinstance(raw, dict):
        return
    found: list[tuple[KeyPath, str, str]] = [
        ((), old, new) for old, new in contradicted(raw, CASE_ALIASES)
    ]
    contracts = raw.get("tool_contracts")
    for tool, one in contracts.items() if isinstance(contracts, dict) else ():
        both = contradicted(one, CONTRACT_ALIASES) if isinstance(one, dict) else ()
        found += ((("tool_contracts", tool), old, new) for old, new in both)
    for path, old, new in found:
        what = (
            f"`{old}` is an older name of `{new}`, which stands beside it and says something else"
        )
        place = format_key(("cases", index, *path, old))
        yield SuiteMistake(file, place, what, "Keep the one that is meant.", _id_of(raw))


def _id_of(fields: Mapping[str, Any]) -> str:
    """Empty where there is none that can be used."""
    found = fields.get("case_id")
    return found if isinstance(found, str) else str(found) if type(found) is int else ""


def _unknown_in(entries: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """Keys of evaluators that are none, under which they would judge by less."""
    known = EvaluatorUse.__struct_fields__
    for number, entry in enumerate(entries):
        unknown = (key for key in entry if key not in known) if isinstance(entry, dict) else ()
        yield from ((number, key) for key in unknown)


def _inner(fields: dict[str, Any]) -> dict[str, Any]:
    """As the noun has it: `null` is absent, old names of contracts are the new ones."""
    known = {key: fields[key] for key in CASE_KEYS if fields.get(key) is not None}
    contracts = known.get("tool_contracts")
    if isinstance(contracts, dict):
        known["tool_contracts"] = {
            tool: _present(without_aliases(one, CONTRACT_ALIASES)) if isinstance(one, dict) else one
            for tool, one in contracts.items()
        }
    if isinstance(policy := known.get("policy"), dict):
        known["policy"] = _present(policy)
    if isinstance(events := known.get("trace"), list):
        known["trace"] = [_event(one) if isinstance(one, dict) else one for one in events]
    said = known.get("input", "")
    known["message"] = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return known


def trace_body(case: Case) -> TraceCase:
    """What happened in a case of a suite of traces."""
    assert isinstance(case.body, TraceCase)
    return case.body


def case_document(case: Case) -> dict[str, Json]:
    """A case as a suite and a pack hold it: its nine keys, and all fields of each event.

    Evaluators only where it names some.
    """
    body = trace_body(case)
    further = {name: found for name in _FURTHER if (found := getattr(body, name))}
    return {"case_id": case.id, **{name: getattr(body, name) for name in _FIELDS}, **further}


def decode_file(path: Path) -> Any:
    """The value of a file. Raises OSError, and as `decode_json`."""
    return decode_json(read_file(path, RESULTS_LIMIT), str(path))


def decode_json(data: bytes, file: str) -> Any:
    """The value of a text. Raises SuiteMistake, or JsonMistake with line and column.

    What msgspec refuses is read again by what says the line.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        finite_json.decode_json(data.decode())
    except UnicodeDecodeError as error:
        what = f"no UTF-8 from byte {error.start} on"
        raise SuiteMistake(file, "", what, "Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise JsonMistake(file, error) from None
    except RecursionError:
        raise SuiteMistake(file, "", "is nested too deeply", "Flatten it.") from None
    except ValueError:
        what = "a number has thousands of digits"
        raise SuiteMistake(file, "", what, "Write it as text.") from None
    what = "a text holds half of a surrogate pair"
    raise SuiteMistake(file, "", what, "Write the whole character.")


def decode_once(data: bytes, file: str) -> Any:
    """As `decode_json`, of what people decide by: an object in which a key stands twice is a
    SuiteMistake."""
    found = decode_json(data, file)
    refuse_repeated_keys(data, file)
    return found


def _event(found: Mapping[str, Any]) -> dict[str, Any]:
    event = _present(found)
    if isinstance(kind := event.get("type"), str):
        event["type"] = event_type(kind)
    return event


def _present(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if value is not None}


def _kind(value: Any) -> str:
    from evaltui.json_text.kind import kind_of

    return kind_of(value)
