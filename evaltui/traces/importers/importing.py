"""From the records of an export to a suite, with what could not be carried over."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.diagnostic import Diagnostic
from evaltui.traces.importers.importer import Importer, Record
from evaltui.traces.importers.notes import Note
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.records import Records
from evaltui.traces.importers.trace_builder import SYSTEM, TraceBuilder
from evaltui.traces.reading import VERSION, case_document, read_case

_NO_OTHERS: Mapping[str, Importer] = MappingProxyType({})


class Source(Struct, frozen=True):
    """What the records are taken for, and the words that the suite has for it."""

    importers: Mapping[str, Importer]
    """In the order in which they are asked whether a record is theirs; the last takes the rest."""
    selected: str = "auto"
    kind: str = "provider"
    """`provider` or `framework`."""
    label: str = SYSTEM
    """The attribute of an event that names it."""
    others: Mapping[str, Importer] = _NO_OTHERS
    """Whose records `command` reads."""
    command: str = ""


class Imported(Struct, frozen=True):
    """Cases, and all that is not in them as it was."""

    cases: Sequence[Case]
    diagnostics: Sequence[Diagnostic]
    counts: Mapping[str, int]
    """How many cases, for each provider or framework."""
    total: int
    """Records of the input, broken ones too."""
    dropped: int
    """Records that gave no case; those that were put together count as one."""
    advice: str = ""
    """What to use for those that another command reads; empty where there are none."""

    def suite(self, dataset_id: str, source: Source, imported_from: str) -> dict[str, Json]:
        """The suite file, which says where its cases are from and what they lack."""
        metadata: dict[str, Json] = {
            "schema_version": VERSION,
            "import_source": imported_from,
            f"selected_{source.kind}": source.selected,
            f"{source.kind}_case_counts": dict(self.counts),
            "imported_records": len(self.cases),
            "total_records": self.total,
            "dropped_records": self.dropped,
            "import_diagnostics": [one.document() for one in self.diagnostics],
        }
        return {
            "dataset_id": dataset_id,
            "metadata": metadata,
            "cases": [*map(case_document, self.cases)],
        }


def import_records(
    file: str, records: Records, source: Source, dataset_id: str, *, case_prefix: str = "case"
) -> Imported:
    """Each record as a case; one in which nothing happened is dropped with a diagnostic."""
    cases: list[Case] = []
    diagnostics: list[Diagnostic] = [*map(records.placed, records.broken), *records.repeated]
    counts: Counter[str] = Counter()
    dropped, advice = len(records.broken), ""
    gathered = [*_gathered(records.found, source)]
    numbers = _numbers(gathered, records.broken)
    for name, record in gathered:
        trace = TraceBuilder(name, label=source.label)
        importer = source.importers[name]
        unknown = () if record.is_gathered else _unknown(record.value, importer)
        if unknown:
            trace.note("unknown_top_level_fields", f"unknown: {', '.join(unknown)}", (), unknown)
        importer.read(Part(record.value), trace)
        events = trace.finished(record.value, record.index)
        if any(event["actor"] != "system" for event in events):  # which only says what is wanted
            counts[name] += 1
            metadata: dict[str, Json] = {
                f"source_{source.kind}": name,
                "source_index": record.index,
            }
            asked = (event["input"] for event in events if event["actor"] == "user")
            found = {
                "case_id": _free_id(f"{case_prefix}-{numbers[record.index]}", cases),
                "input": next(asked, None),
                "trace": events,
                "metadata": metadata,
            }
            cases.append(read_case(dataset_id, found, len(cases)))
        else:
            dropped += 1
            of_other = _advice(record, source, unknown)
            advice = advice or of_other
            trace.note("empty_trace", of_other or trace.why_empty)
        diagnostics += _placed(trace.notes, name, record, file, records)
    diagnostics.sort(key=lambda one: one.record_index)
    return Imported(
        cases, diagnostics, dict(sorted(counts.items())), records.total, dropped, advice
    )


def _advice(record: Record, source: Source, unknown: Collection[str]) -> str:
    """Which command reads a record of which nothing came; empty where none is known to.

    One provider claims by keys that many records have: its own must be what nobody knew here.
    """
    found = (
        name
        for name, other in source.others.items()
        if other.claims(record.value)
        and (source.kind == "provider" or not other.keys.isdisjoint(unknown))
    )
    name = next(found, "")
    return f"it looks like `{name}`, which `evaltui {source.command}` reads" if name else ""


def _numbers(
    gathered: Iterable[tuple[str, Record]], broken: Iterable[Diagnostic]
) -> dict[int, int]:
    """By index how many records there are up to it, the ones that were put together as one."""
    found = {record.index for _, record in gathered} | {one.record_index for one in broken}
    return {index: number for number, index in enumerate(sorted(found), 1)}


def _free_id(wanted: str, cases: Sequence[Case]) -> str:
    """The id, with a number where one record held several traces."""
    before = 0
    while before < len(cases) and cases[-1 - before].id.partition(".")[0] == wanted:
        before += 1
    return f"{wanted}.{before + 1}" if before else wanted


def _unknown(record: JsonObject, importer: Importer) -> tuple[str, ...]:
    """Keys that nobody reads; one without a value leaves nothing out."""
    return tuple(sorted(key for key in record.keys() - importer.keys if record[key] is not None))


def _gathered(records: Iterable[Record], source: Source) -> Iterator[tuple[str, Record]]:
    """Each record with whose it is; neighbours of one trace are put together."""
    named = ((_owner(record, source), record) for record in records)
    for name, group in groupby(named, key=lambda pair: pair[0]):
        gather = source.importers[name].gather
        of_name = [record for _, record in group]
        yield from ((name, record) for record in (gather(of_name) if gather else of_name))


def _owner(record: Record, source: Source) -> str:
    if source.selected != "auto":
        return source.selected
    *asked, rest = source.importers
    return next((name for name in asked if source.importers[name].claims(record.value)), rest)


def _placed(
    notes: Iterable[Note], name: str, record: Record, file: str, records: Records
) -> Iterator[Diagnostic]:
    for note in notes:
        path = record.path if record.is_gathered else (*record.path, *note.path)
        yield records.placed(
            Diagnostic(
                note.kind, note.detail, name, record.index, file, path, record.line, 0, note.fields
            )
        )
