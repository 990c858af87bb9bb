"""`replay`: whether judging the same traces again gives the same evidence."""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.core.case import Case
from evaltui.core.check import Stage
from evaltui.core.errors import UserError
from evaltui.evidence.packs.pack_documents import (
    case_folders,
    read_config,
    read_object,
    read_summary,
)
from evaltui.evidence.packs.pack_shapes import (
    AGENT_RUN,
)
from evaltui.evidence.replayed_pack import ReplayedPack, is_same
from evaltui.evidence.run_config import git_commit, lock_hash
from evaltui.files import is_folder
from evaltui.traces.judges import opened, stage_of
from evaltui.traces.reading import read_case
from evaltui.traces.scoring import score
from evaltui.traces.typed_secrets import given_again

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

PROVIDED_PINS = ("prompt_hash", "policy_hash", "container_image")
"""Pins that somebody told the run: nothing here can say what they are now."""


async def replay(
    pack: Path,
    *,
    judge_configs: Mapping[str, Any] | None = None,
    evaluators: "EvaluatorRegistry | None" = None,
) -> dict[str, Any]:
    """The report as its file holds it; `judge_configs`, where they were kept without secrets,
    `evaluators`: all that cases may name; without it those that come along.

    Raises OSError, and UserError for what is no pack.
    """
    config = read_config(pack)
    if config.get("execution_mode") == AGENT_RUN:
        what = f"`{pack}` is of eval files, which were not judged by judges of traces."
        raise UserError(what, "`evaltui run` judges them again.")
    stage = kept_stage(config, judge_configs)
    replayed = ReplayedPack(pack, config, read_summary(pack))
    async with opened(stage):
        for folder in case_folders(pack):
            case = kept_case(folder, config)
            replayed.take(folder, case, case, await score(case, stage, evaluators))
    env, unverified = environment(config)
    report = {**replayed.report(), "env_mismatches": env}
    return {**report, "replay_passed": is_same(report), "env_unverified": unverified}


def kept_case(folder: Path, config: Mapping[str, Any]) -> Case:
    """The case that a folder of a pack holds. Raises as `replay`."""
    path = folder / "trajectory.json"
    return read_case(str(config.get("dataset_id")), read_object(path), 0, str(path))


def kept_stage(config: Mapping[str, Any], given: Mapping[str, Any] | None) -> Stage:
    """The judges of a run, with their settings as they are kept, or given again."""
    return stage_of(config.get("judges") or (), kept_configs(config, given))


def kept_configs(config: Mapping[str, Any], given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Raises UserError where a secret in them is missing."""
    kept = config.get("judge_configs") or {}
    found: Mapping[str, Any] = given_again(kept, given, "The settings of judges (--judge-config)")
    return found


def environment(config: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """Pins that differ now, and those of which nothing can be said.

    Commit and locked dependencies are looked up where the run took place, if they were found there
    and not told; a commit that changed says nothing of traces that were kept.
    """
    pinned = config.get("pinned_env")
    pinned = pinned if isinstance(pinned, dict) else {}
    current = {
        "python_version": platform.python_version(),
        "platform": sys.platform,
        "machine": platform.machine(),
    }
    unverified = [name for name in PROVIDED_PINS if config.get(name)]
    folder = Path(str(pinned.get("cwd") or "."))
    for name, look in (("git_commit", git_commit), ("dependency_lock_hash", lock_hash)):
        given, found = config.get(name), pinned.get(name)
        now = look(folder) if found and is_folder(folder) else None
        if given and (given != found or now is None or (name == "git_commit" and now != given)):
            unverified.append(name)
        elif found:
            current[name] = str(now)
    mismatches = [
        {"key": name, "pinned": pinned[name], "current": now}
        for name, now in current.items()
        if pinned.get(name) and pinned[name] != now
    ]
    return mismatches, sorted(unverified)
