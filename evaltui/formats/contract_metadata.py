"""The envelope's `metadata`: the state of the tool when the evals were written."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Severity
from evaltui.core.suite import EvalMetadata
from evaltui.formats.complaint import Complaint, Complaints
from evaltui.json_text.kind import kind_of

_TEXTS = ("toolName", "toolVersion", "descriptionHash", "tier")
_ENVELOPE = ("metadata", "cases")


def read_metadata(raw: Any, complaints: Complaints) -> EvalMetadata | None:
    """`None` for null, absent or unusable metadata: staleness is then not checked."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        what = f"`metadata` is {kind_of(raw)}, not an object"
        hint = "Write `{…}` or null; staleness is not checked until then."
        complaints.add(Complaint(("metadata",), what, hint, code="wrong-type"))
        return None
    texts: dict[str, str | None] = {}
    for name in _TEXTS:
        value = raw.get(name)
        texts[name] = value if isinstance(value, str) else None
        if value is not None and not isinstance(value, str):
            complaints.add(_wrong(name, value, "text"))
    size = raw.get("registrySize")
    if isinstance(size, float) and size.is_integer():
        size = int(size)
    if size is not None and (isinstance(size, bool) or not isinstance(size, int)):
        complaints.add(_wrong("registrySize", size, "a whole number"))
        size = None
    return EvalMetadata(
        texts["toolName"], texts["toolVersion"], texts["descriptionHash"], size, raw
    )


def check_envelope(envelope: Mapping[str, Any], complaints: Complaints) -> None:
    """Warn of keys that look like `metadata` or `cases` written wrongly."""
    absent = [name for name in _ENVELOPE if name not in envelope]
    for name in envelope if absent else ():
        hint = did_you_mean(name, absent) if name not in _ENVELOPE else ""
        if hint:
            what = f"`{name}` is no part of an eval file"
            complaints.add(Complaint((name,), what, hint, Severity.WARNING, "unknown-key"))


def _wrong(name: str, value: object, wanted: str) -> Complaint:
    what = f"`metadata.{name}` is {kind_of(value)}, not {wanted}"
    hint = f"Write {wanted}; it is taken as absent until then."
    return Complaint(("metadata", name), what, hint, Severity.WARNING, "wrong-type")
