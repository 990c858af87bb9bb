"""The envelope's `metadata`: the state of the tool when the evals were written."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UNKNOWN_KEY, Severity
from evaltui.core.suite import EvalMetadata
from evaltui.formats.complaint import IN_JSON, Complaint, Complaints
from evaltui.formats.contract_model import Metadata
from evaltui.json_text.kind import kind_of
from evaltui.settings.mistakes import keep_valid

_ENVELOPE = ("metadata", "cases")


def read_metadata(raw: Any, complaints: Complaints) -> EvalMetadata | None:
    """`None` for null, absent or unusable metadata: staleness is then not checked."""
    if raw is None:
        return None
    written, mistakes = keep_valid(Metadata, raw, IN_JSON)
    if written is None:
        what = f"`metadata` is {kind_of(raw)}, not an object"
        hint = "Write `{…}` or null; staleness is not checked until then."
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
            what = f"`{name}` is no part of an eval file"
            complaints.add(Complaint((name,), what, hint, Severity.WARNING, UNKNOWN_KEY))
