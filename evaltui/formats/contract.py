"""The contract's eval files: golden, labeled, regression and rubric, in an envelope or bare."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, RubricCase, Tier
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UNKNOWN_KEY, Severity
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.formats.complaint import IN_JSON, Complaint, Complaints, shorten
from evaltui.formats.contract_case import read_case
from evaltui.formats.contract_model import Metadata
from evaltui.formats.naming import tier_of, tool_of
from evaltui.formats.suite_file import CaseTexts, ReadSuite
from evaltui.json_text.document import JsonDocument
from evaltui.json_text.kind import kind_of
from evaltui.settings.mistakes import keep_valid


def recognizes(document: JsonDocument) -> bool:
    """A list, or an object with cases or metadata that is not the result of a run."""
    value = document.value
    if isinstance(value, list):
        objects = [item for item in value if isinstance(item, dict)]
        return not objects or any(not _CASE_KEYS.isdisjoint(item) for item in objects)
    if not isinstance(value, dict) or ("runId" in value and "summary" in value):
        return False
    return "cases" in value or "metadata" in value


def read(
    document: JsonDocument,
    file_hash: str,
    beside: Mapping[str, bytes],  # noqa: ARG001
    before: CaseTexts,
) -> ReadSuite:
    """Read every case that is not known; a bad one becomes an invalid case or a problem, the others
    stay.

    Repeated ids are an error and only the first of them stays (contract A52).
    """
    value = document.value
    complaints = Complaints(document)
    envelope = value if isinstance(value, dict) else {"cases": value}
    prefix = ("cases",) if isinstance(value, dict) else ()
    if isinstance(value, dict):
        check_envelope(value, complaints)
    items = envelope.get("cases")
    if not isinstance(items, list):
        complaints.add(_no_list(envelope))
        return ReadSuite(None, complaints.problems())
    metadata = read_metadata(envelope.get("metadata"), complaints)
    raw = {} if metadata is None or metadata.raw is None else metadata.raw
    ids = [item["id"] for item in items if type(item) is dict and type(item.get("id")) is str]
    tier = tier_of(raw.get("tier"), document.file, ids)
    entries = document.entries(prefix)
    cases: list[Case] = []
    lines: dict[str, int] = {}
    known, texts = before.known(tier), dict[int, Case]()
    for index, (item, text) in enumerate(zip(items, document.texts(prefix), strict=True)):
        line, text_hash = entries.lines[index], hash(text)
        path = (*prefix, index)
        same, wrong = known.get(text_hash), list[Complaint]()
        if same is None:
            case, wrong = read_case(item, document.file, tier, line, path)
        else:
            case = same if same.line == line else replace(same, line=line)
        if wrong:
            complaints.extend(wrong, path, case.id)
        else:
            texts[text_hash] = case
        if case.id in lines:
            complaints.add(_repeated(case.key, lines[case.id], ("id",)), path, case.id)
            continue
        lines[case.id] = line
        cases.append(case)
    if not items:
        complaints.add(Complaint(prefix, "The file has no cases", "Add one.", Severity.WARNING))
    if entries.has_duplicate_keys:
        complaints.repeated_keys()
    title = envelope.get("title") or raw.get("title")
    suite = Suite(
        id=document.file,
        tool_name=tool_of(raw.get("toolName"), document.file, ids),
        tier=_tier(tier, cases),
        cases=tuple(cases),
        file_hash=file_hash,
        metadata=metadata,
        title=title if isinstance(title, str) else "",
    )
    return ReadSuite(suite, complaints.problems(), CaseTexts.of(tier, texts))


def _tier(tier: Tier, cases: list[Case]) -> Tier:
    all_rubric = bool(cases) and all(isinstance(case.body, RubricCase) for case in cases)
    return Tier.RUBRIC if all_rubric else tier


def _no_list(envelope: dict[str, object]) -> Complaint:
    if "cases" not in envelope:
        return Complaint((), "The object has no `cases`", 'Add `"cases": […]`.')
    what = f"`cases` is {kind_of(envelope['cases'])}, not a list"
    return Complaint(("cases",), what, "Put the cases between `[` and `]`.", code="wrong-type")


def _repeated(key: CaseKey, line: int, path: tuple[str, ...]) -> Complaint:
    what = f"The id `{shorten(key.case)}` is taken by the case on line {line}"
    return Complaint(
        path,
        what,
        "Give this case an id of its own; it is left out until then.",
        code="duplicate-id",
    )


_CASE_KEYS = frozenset({"id", "input", "expect", "rubric"})


_ENVELOPE = ("metadata", "cases")


def read_metadata(raw: Any, complaints: Complaints) -> EvalMetadata | None:
    """`None` for null, absent or unusable metadata: staleness is then not checked."""
    if raw is None:
        return None
    written, mistakes = keep_valid(Metadata, raw, IN_JSON)
    if written is None:
        what = f"`metadata` is {kind_of(raw)}, not an object"
        hint = "Write `{…}` or null; nothing tells until then whether the suite is outdated."
        complaints.add(Complaint(("metadata",), what, hint, code="wrong-type"))
        return None
    for mistake in mistakes:
        hint = f"{mistake.hint.removesuffix('.')}; it is taken as absent until then."
        complaints.add(
            Complaint(
                ("metadata", *mistake.path), mistake.what, hint, Severity.WARNING, mistake.code
            )
        )
    return EvalMetadata(
        written.tool_name,
        written.tool_version,
        written.description_hash,
        written.registry_size,
        raw,
    )


def check_envelope(envelope: Mapping[str, Any], complaints: Complaints) -> None:
    """Warn of keys that look like `metadata` or `cases` written wrongly."""
    absent = [name for name in _ENVELOPE if name not in envelope]
    for name in envelope if absent else ():
        hint = did_you_mean(name, absent) if name not in _ENVELOPE else ""
        if hint:
            what = f"`{name}` is not part of an eval file"
            complaints.add(Complaint((name,), what, hint, Severity.WARNING, UNKNOWN_KEY))
