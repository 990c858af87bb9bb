"""`merge`: combines the packs of all shards into the pack of the whole run, byte for byte."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.disk.atomic import safe_name
from evaltui.evidence.compared.side import verdicts_of
from evaltui.evidence.gates.attestation import attested_otherwise
from evaltui.evidence.packs.pack_documents import read_config
from evaltui.evidence.packs.pack_folder import PARTS, new_pack
from evaltui.evidence.packs.pack_hashes import (
    MANIFEST,
    NO_HASHES,
    PLACE,
    changed_files,
    recorded_hashes,
    refusal,
)
from evaltui.evidence.packs.pack_writer import FILES, PackWriter
from evaltui.evidence.packs.shards import FILE as NOTE
from evaltui.evidence.packs.shards import ShardNote, read_note, shared_config
from evaltui.evidence.score_suite import UNNAMED, Scored
from evaltui.evidence.summary import SummaryCounts
from evaltui.traces.judges import DEFAULT


def merge(packs: Sequence[Path], out: Path, *, are_signed: bool = True) -> Scored:
    """Nothing is judged again, and files of cases are linked where that is possible.

    `are_signed`: whether the parts have to be, where there is a secret to sign with; those that
    one run has just had written for itself are not.

    Raises UserError where the packs are not the shards of one run, each once, or were changed after
    they were written, and OSError; `out` is as it was then.
    """
    _refuse_own_parts(packs, out)
    found = sorted(((read_note(pack), pack) for pack in packs), key=lambda one: one[0].index)
    configs = [read_config(pack) for _, pack in found]
    _refuse_others([note for note, _ in found], configs, [pack for _, pack in found])
    config = min(configs, key=lambda one: str(one.get("started_at")))
    if missing := {"run_id", "dataset_id", "started_at"}.difference(config):
        what = f"`{FILES['run_config']}` of the parts has no `{min(missing)}`."
        raise UserError(what, "Judge them again.")
    run_id, dataset = str(config["run_id"]), str(config["dataset_id"])
    counts = SummaryCounts()
    with (
        new_pack(out, may_hold_packs=True) as building,
        PackWriter(building, run_id=run_id, dataset_id=dataset) as made,
    ):
        for note, pack in found:
            hashes = _whole(pack, are_signed=are_signed)
            _refuse_other_cases(pack, note, hashes)
            texts = made.add_shard(pack, note, hashes)
            for id_, text in zip(note.case_ids, texts, strict=True):
                counts.add_rows((verdicts_of(text, pack, id_),))
        named = [one.get("judges") or [] for one in configs]
        judges = next((one for one in named if UNNAMED in one), named[0])
        shared = {**configs[0], "started_at": config["started_at"]}
        summary = counts.document(run_id, dataset)
        made.finish({**shared, "judges": judges}, summary)
    return Scored(run_id, summary)


def _refuse_own_parts(packs: Sequence[Path], out: Path) -> None:
    """Raises UserError where what is written to `out` would replace a part, or something in it."""
    place = out.resolve()
    for pack in packs:
        part = pack.resolve()
        is_inside = place == part or part in place.parents
        if is_inside or any(place / name in (part, *part.parents) for name in PARTS):
            what = f"`{out}` is where the part `{pack}` lies, which would be replaced."
            raise UserError(what, "Name another folder with --out.")


def _refuse_others(
    notes: Sequence[ShardNote], configs: Sequence[Mapping[str, Any]], packs: Sequence[Path]
) -> None:
    first = notes[0]
    for note, config, pack in zip(notes, configs, packs, strict=True):
        alike = (note.suite_sha256, note.total_cases, note.count)
        if alike != (first.suite_sha256, first.total_cases, first.count):
            what = f"`{pack}` is for another suite than `{packs[0]}`, or for other parts."
            raise UserError(what, "Judge the same suite with the same --shard …/N.")
        shared, other = shared_config(configs[0]), shared_config(config)
        if names := [name for name in shared if shared[name] != other.get(name)]:
            what = f"`{pack}` is a part of another run than `{packs[0]}`: {names[0]} differs."
            raise UserError(what, "Give every part the same flags, --run-id too.")
        if _named(config) != _named(configs[0]):
            what = f"`{pack}` was judged by other judges than `{packs[0]}`."
            raise UserError(what, "Give every part the same flags, --judge too.")
    places = [note.index for note in notes]
    if places != list(range(1, first.count + 1)):
        missing = [str(one) for one in range(1, first.count + 1) if one not in places]
        what = f"Part {', '.join(missing)} of {first.count} is missing."
        if not missing:
            what = "A part is named twice."
        raise UserError(what, "Name the folder of each part once.")
    ids = [id_ for note in notes for id_ in note.case_ids]
    if len(ids) != first.total_cases or len(set(ids)) != len(ids):
        raise UserError("Two cases have the same id.", "Rename one of them in the suite.")


def _whole(pack: Path, *, are_signed: bool) -> Mapping[str, str]:
    """The hashes of its files, which are held against them, and those against its attestation.

    Raises UserError and OSError.
    """
    recorded = recorded_hashes(pack)
    if not recorded:
        raise refusal(pack, MANIFEST, NO_HASHES)
    for name in recorded:
        if (pack / name).is_symlink():
            raise UserError(f"`{pack / name}` is a link, not a file.", "Judge that part again.")
    if changed := next(changed_files(pack, recorded), None):
        raise UserError(f"`{pack / changed[0]}` {changed[1]}.", "Judge that part again.")
    if are_signed and (wrong := attested_otherwise(pack)):
        what = f"`{pack / PLACE}` does not attest what is in the pack: {wrong}."
        raise UserError(what, "Judge every part where it is signed, and do not change it.")
    return recorded


def _refuse_other_cases(pack: Path, note: ShardNote, hashes: Mapping[str, str]) -> None:
    """Raises UserError where its note does not name all of its cases: one would be left out."""
    there = {one for one in hashes if one.startswith("cases/") and one.endswith("/verdicts.json")}
    if there != {f"cases/{safe_name(one)}/verdicts.json" for one in note.case_ids}:
        what = f"`{pack / NOTE}` names other cases than the pack holds."
        raise UserError(what, "Judge that part again.")


def _named(config: Mapping[str, Any]) -> list[str]:
    """The judges that were asked for, apart from the one that comes along by itself, in parts in
    which it had something to judge."""
    judges = list(config.get("judges") or ())
    return judges[:-1] if judges == [*DEFAULT, UNNAMED] else judges
