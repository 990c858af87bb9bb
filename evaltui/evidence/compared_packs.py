"""Whether the packs of a comparison are still those that were compared, each as it was written."""

import os
from collections.abc import Iterator
from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.evidence.compare_report import ComparedPack, CompareReport
from evaltui.evidence.gate_decision import COMPARISON
from evaltui.evidence.held_files import HeldFiles
from evaltui.evidence.pack_hashes import CHANGED_SINCE, MANIFEST, PLACE
from evaltui.evidence.side import refuse_doctored
from evaltui.files import is_file, is_folder


def pack_of(report: Path) -> Path | None:
    """The pack of the candidate, where the report lies in it."""
    place = report.absolute()
    is_in_pack = place.parts[-len(COMPARISON.parts) :] == COMPARISON.parts
    return place.parents[len(COMPARISON.parts) - 1] if is_in_pack else None


def wrong_packs(
    report: CompareReport, file: Path, pack: Path | None = None, *, is_whole: bool = True
) -> Iterator[str]:
    """What is wrong with the packs that the report in `file` is about; of one that is no longer
    where it was compared nothing is known. `is_whole`: also in files that comparing does not read.

    The candidate's is `pack`, else looked for around the report first: both may have been moved
    since.
    """
    own, told = pack or pack_of(file), report.packs
    if own is not None and told.candidate is None and not is_folder(own / "cases"):
        own = None  # beside it lies what a file was compared as
    candidate = own or _place_of(told.candidate)
    baseline = _place_of(told.baseline) or _named(report)
    wrong = [] if candidate is None else [*_wrong(candidate, told.candidate, is_whole)]
    if baseline is not None and baseline != candidate:
        wrong += _wrong(baseline, told.baseline, is_whole)
    yield from wrong
    if candidate is not None and baseline is not None and not wrong:
        from evaltui.evidence.compared_again import told_otherwise

        yield from told_otherwise(report, baseline, candidate)


def _place_of(told: ComparedPack | None) -> Path | None:
    return Path(told.path) if told is not None and is_folder(Path(told.path)) else None


def _named(report: CompareReport) -> Path | None:
    """The baseline's pack as reports of other programs name it."""
    named = report.baseline_reference
    if named is None or named.resolved_path is None:
        return None
    place = Path(named.resolved_path)
    return place if is_file(place / MANIFEST) else None


def _wrong(pack: Path, told: ComparedPack | None, is_whole: bool) -> Iterator[str]:
    try:
        if is_whole:
            refuse_doctored(pack)
        is_same = told is None or HeldFiles(pack).manifest_sha256 == told.manifest_sha256
        attested = _attested_otherwise(pack) if is_whole else ""
    except (OSError, UserError) as error:
        yield f"{CHANGED_SINCE}: {error}"
        return
    if not is_same:
        yield f"`{pack}` holds another pack than was compared: `evaltui compare` compares anew"
    if attested:
        yield f"`{pack / PLACE}` does not attest what is in the pack: {attested}"


def _attested_otherwise(pack: Path) -> str:
    """What is wrong with the attestation of a pack; empty without one, or if it matches.

    Where there is no secret here, nothing is known of its signature. Raises as `verify`.
    """
    if not os.path.lexists(pack / PLACE):
        return ""
    from evaltui.evidence.attestation import secret_of, verify

    found = verify(pack, secret=secret_of(None))
    other = [one["path"] for one in found["hash_mismatches"]]
    # Other programs attest what stood below `compare` too, which later commands write anew.
    if changed := [name for name in other if not name.startswith("compare/")]:
        return f"`{changed[0]}` is another one"
    return str(found["signature_error"]) if found["signature_valid"] is False else ""
