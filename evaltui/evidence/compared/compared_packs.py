"""Whether the packs of a comparison are still the ones that were compared, and unchanged."""

from collections.abc import Iterator
from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.disk.baselines.pins import PINS
from evaltui.evidence.compared.compare_report import ComparedPack, CompareReport
from evaltui.evidence.compared.side import refuse_doctored
from evaltui.evidence.gates.attestation import attested_otherwise
from evaltui.evidence.gates.gate_decision import COMPARISON
from evaltui.evidence.packs.held_files import HeldFiles
from evaltui.evidence.packs.pack_hashes import CHANGED_SINCE, MANIFEST, PLACE
from evaltui.files import is_file, is_folder, is_there


def pack_of(report: Path) -> Path | None:
    """The pack of the candidate, where the report lies in it."""
    place = report.absolute()
    pack = place.parent.parent
    is_in_pack = place.name == COMPARISON.name or is_file(pack / MANIFEST)
    return pack if is_in_pack and place.parent.name == COMPARISON.parent.name else None


def wrong_packs(
    report: CompareReport, file: Path, pack: Path | None = None, *, is_whole: bool = True
) -> Iterator[str]:
    """What is wrong with the packs that the report in `file` is about; of one that is no longer
    where it was compared nothing is known. `is_whole`: also in files that comparing does not read.

    The candidate's is `pack`, else looked for around the report first: both may have been moved
    since.
    """
    own, recorded = pack or pack_of(file), report.packs
    if own is not None and recorded.candidate is None and not is_folder(own / "cases"):
        own = None  # beside it lies what a file was compared as
    candidate, baseline = own or _place_of(recorded.candidate), _baseline_of(report)
    wrong = [] if candidate is None else [*_wrong(candidate, recorded.candidate, is_whole)]
    is_pack = baseline is not None and is_folder(baseline) and not is_file(baseline / PINS)
    if baseline is not None and is_pack and baseline != candidate:
        wrong += _wrong(baseline, recorded.baseline, is_whole)
    yield from wrong
    if recorded.baseline is None and _name_of(report) is None:
        yield "the report does not say what was compared: `evaltui compare` compares again"
    if candidate is not None and not wrong:
        from evaltui.evidence.compared.compared_again import differences_from_packs

        yield from differences_from_packs(report, file, baseline, candidate)


def _place_of(recorded: ComparedPack | None) -> Path | None:
    return Path(recorded.path) if recorded is not None and is_folder(Path(recorded.path)) else None


def _baseline_of(report: CompareReport) -> Path | None:
    """Its pack, file or folder of pins, where that is still there."""
    if (pack := _place_of(report.packs.baseline)) is not None:
        return pack
    named = _name_of(report)
    return named if named is not None and is_there(named) else None


def _name_of(report: CompareReport) -> Path | None:
    """As reports of any program name it."""
    named = report.baseline_reference
    path = named.resolved_path if named is not None else None
    return Path(path) if path and "\0" not in path else None


def _wrong(pack: Path, recorded: ComparedPack | None, is_whole: bool) -> Iterator[str]:
    try:
        if is_whole:
            refuse_doctored(pack)
        is_same = recorded is None or HeldFiles(pack).manifest_sha256 == recorded.manifest_sha256
        attested = attested_otherwise(pack) if is_whole else ""
    except (OSError, UserError) as error:
        yield f"{CHANGED_SINCE}: {error}"
        return
    if not is_same:
        yield f"`{pack}` holds a different pack than was compared: `evaltui compare` compares again"
    if attested:
        yield f"`{pack / PLACE}` does not attest what is in the pack: {attested}"
