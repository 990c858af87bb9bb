"""Names of data sets and baselines: `.agent_eval/registry.json`, which several processes write."""

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.disk.file_lock import writing_in
from evaltui.evidence.compared.side import Side, read_whole_side
from evaltui.evidence.judge_code import KEY
from evaltui.evidence.packs.pack_hashes import evidence_digest
from evaltui.files import RESULTS_LIMIT, is_absent, is_file, is_there, leads_out, read_file
from evaltui.traces.reading import decode_once, read_suite
from evaltui.traces.wire import now, pretty

VERSION, LATER_VERSION = "0.1.0", "0.2.0"
"""The later one of a file that holds approvals or waivers."""
SECTIONS: Mapping[str, type] = {
    "datasets": dict,
    "baselines": dict,
    "approvals": dict,
    "waivers": list,
    "audit_log": list,
}
LATER = ("approvals", "waivers")
MOST_AUDITED = 500
"""The last changes that are told."""


def read_registry(path: Path) -> dict[str, Any]:
    """A file that is not there is an empty one. Raises UserError for what is no registry."""
    found: Any = {"version": VERSION}
    if not is_absent(path):
        found = decode_once(read_file(path), str(path))
    if not isinstance(found, dict) or any(
        name in found and not isinstance(found[name], kind) for name, kind in SECTIONS.items()
    ):
        hint = "Correct it, or name another file with --registry-path."
        raise UserError(f"`{path}` is not a registry.", hint)
    return {name: kind() for name, kind in SECTIONS.items()} | found


def add_dataset(
    path: Path, suite: Path, *, dataset_id: str = "", description: str = "", tags: list[str]
) -> dict[str, Any]:
    """Register a suite under its own name or `dataset_id`; returns the entry."""
    data = read_file(suite, RESULTS_LIMIT)
    read = read_suite(data, str(suite))
    cases = sum(1 for _ in read.cases())
    name = dataset_id or read.dataset_id
    entry = {
        "dataset_id": name,
        "suite_path": os.path.realpath(suite),
        "description": description,
        "tags": sorted(set(tags)),
        "registered_at": now(),
        "case_count": cases,
        "checksum_sha256": sha256(data).hexdigest(),
    }

    def changed(known: dict[str, Any]) -> None:
        known["datasets"][name] = entry
        with_audit(known, "dataset.register", {"dataset_id": name})

    change(path, changed)
    return entry


def set_baseline(
    path: Path, name: str, run: Path, *, dataset_id: str = "", notes: str = ""
) -> dict[str, Any]:
    """Give a pack a name; returns the entry. Raises UserError for what is no pack."""
    entry = baseline_entry(name, run, dataset_id=dataset_id, notes=notes)

    def changed(known: dict[str, Any]) -> None:
        known["baselines"][name] = entry
        with_audit(known, "baseline.set", {"name": name, "run_id": entry["run_id"]})

    change(path, changed)
    return entry


def baseline_entry(name: str, run: Path, *, dataset_id: str, notes: str) -> dict[str, Any]:
    """What is kept of a named pack. Raises UserError for what is no pack."""
    side = read_whole_side(run)
    return {
        "name": name,
        "run_path": os.path.realpath(run),
        "dataset_id": dataset_id or side.dataset_id,
        "run_id": side.run_id,
        "evidence_sha256": evidence_digest(run),
        "judging_sha256": judging_digest(side),
        "summary_path": str(Path(os.path.realpath(run), "run", "summary.json")),
        "notes": notes,
        "set_at": now(),
    }


def judging_digest(side: Side) -> str:
    """Of who judged a run, by which settings and which code: by others the same verdicts are worth
    something else."""
    names = ("judge_configs", KEY)
    told = [sorted(side.judges or ()), *(side.config.get(name) or None for name in names)]
    return sha256(pretty(told)).hexdigest()


def refuse_other_run(entry: Mapping[str, Any], side: Side) -> None:
    """Raises UserError where another run stands at the path of a baseline than was registered.
    Of what an entry of an earlier version does not tell nothing is held."""
    name, run, digest = (entry.get(key) for key in ("name", "run_id", "evidence_sha256"))
    judging = entry.get("judging_sha256")
    hint = "Put that run back, or register this one: `evaltui registry baseline-set`."
    if run is not None and run != side.run_id:
        what = f"The baseline `{name}` is run `{run}`, but `{side.path}` holds `{side.run_id}`."
        raise UserError(what, hint)
    if digest is not None and digest != evidence_digest(side.path):
        what = f"`{side.path}` holds other evidence than was registered as baseline `{name}`."
        raise UserError(what, hint)
    if judging is not None and judging != judging_digest(side):
        what = f"`{side.path}` was judged otherwise than what is registered as baseline `{name}`: "
        raise UserError(f"{what}by other judges, settings or code.", hint)


class NoBaselineError(UserError):
    """Neither a run nor the name of one."""


def resolve_baseline(text: str, path: Path) -> tuple[Path, Mapping[str, Any] | None]:
    """The run that a baseline's name or a path means, and its entry.

    Raises NoBaselineError where it is neither, UserError where it could be both.
    """
    entry = None if is_file(Path(text)) else read_registry(path)["baselines"].get(text)
    if entry is None:
        if is_there(Path(text)):
            return Path(text), None
        hint = "`evaltui registry baseline-list` lists the names."
        raise NoBaselineError(f"There is no run and no baseline `{text}`.", hint)
    if is_there(Path(text)):
        what = f"`{text}` is a baseline and a folder here."
        raise UserError(what, f"Write `./{text}` for the folder, or rename one of them.")
    run = entry.get("run_path") if isinstance(entry, Mapping) else None
    if not isinstance(run, str):
        raise UserError(f"The baseline `{text}` has no `run_path`.", "Set it anew.")
    return Path(run), entry


def with_audit(known: dict[str, Any], action: str, details: Mapping[str, Any]) -> None:
    """Note what is changed."""
    row = {"at": now(), "action": action, "details": dict(details)}
    known["audit_log"] = [*known["audit_log"], row][-MOST_AUDITED:]


def change(path: Path, changed: Callable[[dict[str, Any]], None]) -> None:
    """Read, change and write it while nobody else does: no entry is lost.

    Raises UserError where a link below this folder leads it elsewhere: a repository could have one
    lead anywhere.
    """
    is_below = not path.is_absolute() and ".." not in path.parts
    if is_below and (place := leads_out(path.parent, Path())):
        what = f"`{path.parent}` is a link, or below one, that leads to `{place}`."
        raise UserError(what, "Remove the link, or name the file there with --registry-path.")
    with writing_in(Path(os.path.realpath(path)).parent):
        known = read_registry(path)
        changed(known)
        kept = {key: value for key, value in known.items() if value or key not in LATER}
        if kept.get("version") == VERSION and any(name in kept for name in LATER):
            kept["version"] = LATER_VERSION
        write_atomic(path, pretty(kept))
