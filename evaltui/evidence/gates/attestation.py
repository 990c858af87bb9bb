"""A signed list of a pack's hashes: who signed it, and that nothing has changed since."""

import hashlib
import hmac
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.finite_json import without_surrogates
from evaltui.disk.outputs import write_output
from evaltui.evidence.packs.pack_documents import read_object
from evaltui.evidence.packs.pack_folder import PARTS, inside
from evaltui.evidence.packs.pack_hashes import (
    IS_NO_FILE,
    NO_FILE,
    PLACE,
    changed_files,
    current_hash,
    file_hash,
    hashes,
    recorded_hashes,
    refusal,
    refuse_changed,
)
from evaltui.files import RESULTS_LIMIT, is_file, read_file
from evaltui.traces.reading import decode_once
from evaltui.traces.wire import now, pretty

SECRET = "AGENT_EVAL_ATTESTATION_SECRET"
"""The variable of the environment with what is signed with; it is written nowhere."""
ALGORITHM = "hmac-sha256"
_SIGNED_APART = ("signature", "signature_algorithm")


def secret_of(typed: str | None) -> str | None:
    """Raises UserError for what is no UTF-8: no two programs would sign alike with it."""
    found = typed or os.environ.get(SECRET) or None
    if found is not None and without_surrogates(found) != found:
        source = "The secret of --secret" if typed else f"The secret in {SECRET}"
        raise UserError(f"{source} is no UTF-8.", "Give a secret that is text.")
    return found


def attest(pack: Path, *, secret: str | None, signer: str, out: Path | None = None) -> Path:
    """Write the list; returns its place.

    Raises UserError where the pack is not as it was made, a link leads that place out of it, or
    the list would be a file that was added to it.
    """
    place = out or inside(pack, pack / PLACE)
    if _is_of(pack, place):
        what = f"`{place}` would add a file to the pack."
        raise UserError(what, f"Name one outside of it, or none: it is `{PLACE}` in the pack then.")
    manifest = read_object(pack / "manifest.json")
    refuse_changed(pack)
    found = dict(hashes(pack))
    if none := [name for name, hash_ in found.items() if hash_ == NO_FILE]:
        raise refusal(pack, none[0], IS_NO_FILE)
    payload = {
        "generated_at": now(),
        "run_id": manifest.get("run_id"),
        "dataset_id": manifest.get("dataset_id"),
        "signer": signer,
        "hash_algorithm": "sha256",
        "file_hashes": found,
        "manifest_sha256": file_hash(pack / "manifest.json"),
    }
    signed = {
        **payload,
        "signature": _signature(payload, secret) if secret else None,
        "signature_algorithm": ALGORITHM if secret else None,
    }
    write_output(place, pretty(signed))
    return place


def _is_of(pack: Path, place: Path) -> bool:
    """Whether it is one of the files that a pack is held by."""
    own = Path(os.path.realpath(pack))
    found = Path(os.path.realpath(place.parent), place.name)
    if not found.is_relative_to(own) or found == own / PLACE:
        return False
    part = next(iter(found.relative_to(own).parts), "")
    return part != "compare" and part in PARTS


def attest_by_environment(pack: Path) -> None:
    """Where the environment says what to sign with."""
    if secret := secret_of(None):
        attest(pack, secret=secret, signer="env:hmac")


def verify(pack: Path, *, secret: str | None, attestation: Path | None = None) -> dict[str, Any]:
    """The report as its file holds it. What later commands wrote below `compare` is no change."""
    place = attestation or pack / PLACE
    signed = _signed(place)
    recorded = signed.get("file_hashes")
    known: Mapping[str, Any] = recorded if isinstance(recorded, dict) else {}
    found = dict(hashes(pack, attestation))
    inside = {name: current_hash(pack, name) for name in known}
    mismatches = [
        {"path": name, "recorded": known.get(name), "current": inside.get(name, found.get(name))}
        for name in sorted({*known, *found})
        if known.get(name) != inside.get(name, found.get(name))
    ]
    mismatches += _unlike_manifest(pack, {str(row["path"]) for row in mismatches})
    manifest = file_hash(pack / "manifest.json") if is_file(pack / "manifest.json") else None
    if signed.get("manifest_sha256") != manifest:
        row = {
            "path": "manifest.json",
            "recorded": signed.get("manifest_sha256"),
            "current": manifest,
        }
        mismatches.append(row)
    is_valid, error = _judged(signed, secret)
    return {
        "passed": not mismatches and not error and bool(known),
        "run_dir": str(pack),
        "attestation_path": str(place),
        "hash_mismatches": mismatches,
        "signature_valid": is_valid,
        "signature_error": error,
    }


def _unlike_manifest(pack: Path, others: Collection[str]) -> list[dict[str, Any]]:
    """What no other command relies on either, without the `others`."""
    recorded = recorded_hashes(pack)
    return [
        {"path": name, "recorded": recorded.get(name), "current": current_hash(pack, name)}
        for name, _ in changed_files(pack, recorded)
        if name not in others
    ]


def attested_otherwise(pack: Path) -> str:
    """What is wrong with the attestation of a pack; empty where it matches, or where there is none
    and nobody here signs. Without the secret nothing is known of a signature.

    Raises as `verify`.
    """
    secret = secret_of(None)
    if not os.path.lexists(pack / PLACE):
        return f"there is none, and {SECRET} holds a secret" if secret else ""
    found = verify(pack, secret=secret)
    other = [one["path"] for one in found["hash_mismatches"]]
    # Other programs attest what stood below `compare` too, which later commands write anew.
    if changed := [name for name in other if not name.startswith("compare/")]:
        return f"`{changed[0]}` was changed"
    return str(found["signature_error"]) if found["signature_valid"] is False else ""


def _signed(place: Path) -> dict[str, Any]:
    found = decode_once(read_file(place, RESULTS_LIMIT), str(place))
    if not isinstance(found, dict):
        raise UserError(f"`{place}` holds no object.", "Attest the pack again.")
    return found


def _judged(attestation: Mapping[str, Any], secret: str | None) -> tuple[bool | None, str | None]:
    """Whether the signature is that of the secret, and what is wrong."""
    signature = attestation.get("signature")
    if signature is None:
        return (False, "it is not signed, and a secret was given") if secret else (None, None)
    if not secret:
        return None, f"it is signed: give --secret, or {SECRET} in the environment"
    if attestation.get("signature_algorithm") != ALGORITHM:
        return False, "it is signed with another algorithm"
    payload = {key: value for key, value in attestation.items() if key not in _SIGNED_APART}
    if hmac.compare_digest(str(signature).encode(), _signature(payload, secret).encode()):
        return True, None
    return False, "the signature is for another text or secret"


def _signature(payload: Mapping[str, Any], secret: str) -> str:
    text = json.dumps(payload, sort_keys=True, separators=(",", ":")).encode()
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
