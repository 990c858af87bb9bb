"""Suites of traces, `*.trace.json` or any with a `dataset_id`: what agents did already."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, Tier, TraceCase
from evaltui.core.errors import UNKNOWN_KEY, Severity
from evaltui.core.key_path import KeyPath, parse_key
from evaltui.core.suite import Suite
from evaltui.formats.complaint import Complaint, Complaints, shorten
from evaltui.formats.naming import TRACE_ENDING
from evaltui.formats.suite_file import CaseTexts, ReadSuite
from evaltui.json_text.document import JsonDocument
from evaltui.json_text.kind import kind_of

if TYPE_CHECKING:
    from evaltui.traces.unknown_keys import UnknownKey

_WRITE = 'Write `{"dataset_id": "…", "cases": [{"case_id": "…", "trace": […]}]}`.'


def recognizes(document: JsonDocument) -> bool:
    """By its name, or by what no other eval file has."""
    if document.file.lower().endswith(TRACE_ENDING):
        return True
    value = document.value
    if not isinstance(value, dict) or "cases" not in value:
        return False
    cases = value["cases"]
    first = cases[0] if isinstance(cases, list) and cases else None
    return "dataset_id" in value or (isinstance(first, dict) and "case_id" in first)


def read(
    document: JsonDocument,
    file_hash: str,
    beside: Mapping[str, bytes],  # noqa: ARG001
    before: CaseTexts,  # noqa: ARG001
) -> ReadSuite:
    """Read every case; a bad one becomes an invalid case, the others stay."""
    from evaltui.traces.reading import VERSIONS  # every other eval file is done without
    from evaltui.traces.unknown_keys import misspelt_in_case, misspelt_in_suite

    value: Any = document.value
    complaints = Complaints(document)
    items = value.get("cases") if isinstance(value, dict) else None
    if not isinstance(items, list):
        at, found = (("cases",), items) if isinstance(value, dict) else ((), value)
        what = f"{kind_of(found).capitalize()} stands where the cases belong"
        complaints.add(Complaint(at, what, _WRITE, code="wrong-type"))
        return ReadSuite(None, complaints.problems())
    for one in _misspelt(misspelt_in_suite(value)):
        complaints.add(one)
    metadata = value.get("metadata")
    version = metadata.get("schema_version") if isinstance(metadata, dict) else None
    if version is not None and version not in VERSIONS:
        what = f"`{shorten(str(version))}` is not a known version; known are {', '.join(VERSIONS)}"
        place = ("metadata", "schema_version")
        complaints.add(Complaint(place, what, "Write it for one of these.", Severity.WARNING))
    entries = document.entries(("cases",))
    cases: dict[str, Case] = {}
    for index, item in enumerate(items):
        case, wrong = _read_case(item, index, document.file, entries.lines[index])
        for one in (*wrong, *_misspelt(misspelt_in_case(item, ("cases", index)))):
            complaints.add(one, (), case.id)
        if case.id in cases:
            first = cases[case.id].line
            taken = f"The id `{shorten(case.id)}` is taken by the case on line {first}"
            hint = "Give this case an id of its own; it is left out until then."
            path: KeyPath = ("cases", index, "case_id")
            complaints.add(Complaint(path, taken, hint, code="duplicate-id"), (), case.id)
            continue
        cases[case.id] = case
    if not items:
        what = "The file has no cases"
        complaints.add(Complaint(("cases",), what, "Add one.", Severity.WARNING))
    if entries.has_duplicate_keys:
        complaints.repeated_keys()
    dataset = value.get("dataset_id")
    suite = Suite(
        id=document.file,
        tool_name="",
        tier=Tier.TRACE,
        cases=tuple(cases.values()),
        file_hash=file_hash,
        title=dataset if isinstance(dataset, str) else "",
    )
    return ReadSuite(suite, complaints.problems())


def _read_case(raw: Any, index: int, file: str, line: int) -> tuple[Case, list[Complaint]]:
    from evaltui.traces.mistakes import SuiteMistake
    from evaltui.traces.reading import read_case

    try:
        read_ = read_case(file, raw, index)
    except SuiteMistake as mistake:
        what = mistake.said[:1].upper() + mistake.said[1:]
        path = parse_key(mistake.key)
        id_ = raw.get("case_id") if isinstance(raw, dict) else None
        key = CaseKey(file, id_ if isinstance(id_, str) and id_ else f"cases[{index}]")
        case = Case(key, TraceCase(""), Tier.TRACE, line=line, invalid=what)
        return case, [Complaint(path, what, mistake.hint, code="wrong-type")]
    body = read_.body
    assert isinstance(body, TraceCase)
    wrong = list(_patterns(body, index))
    case = replace(
        read_,
        tier=Tier.TRACE,
        description=shorten(" ".join(body.message.split())),
        line=line,
        invalid="; ".join(one.what for one in wrong),
    )
    return case, wrong


def _misspelt(found: "Iterable[UnknownKey]") -> Iterator[Complaint]:
    for one in found:
        what = f"`{shorten(str(one.path[-1]))}` is not a field of {one.noun}"
        yield Complaint(one.path, what, one.hint, Severity.WARNING, UNKNOWN_KEY)


def _patterns(body: TraceCase, index: int) -> Iterator[Complaint]:
    from evaltui.traces.patterns import pattern_mistake

    for at, pattern in enumerate(body.regex_patterns):
        if why := pattern_mistake(pattern):
            what = f"`{shorten(pattern)}` is not a pattern: {why}"
            path: KeyPath = ("cases", index, "regex_patterns", at)
            yield Complaint(path, what, "Write one of Python's `re`.", code="bad-pattern")
