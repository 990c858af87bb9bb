"""`replay-exec`: whether the programs of a repair loop do the same again."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.core.case import Case
from evaltui.core.errors import UserError
from evaltui.evidence.packs.pack_documents import case_folders, read_config, read_summary
from evaltui.evidence.replayed_pack import ReplayedPack, is_same
from evaltui.evidence.replaying import environment, kept_case, kept_stage
from evaltui.traces.judges import opened
from evaltui.traces.loop_options import COMMANDS, MODE, loop_options
from evaltui.traces.reading import trace_body
from evaltui.traces.repair_loop import run_loop
from evaltui.traces.typed_secrets import given_again

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

NOTHING: Mapping[str, Any] = {}
SAME = ("idx", "actor", "type", "tool", "input", "output", "error", "attempt")
"""What of each event must be as it was; times and ids are new each time."""


async def replay_exec(
    pack: Path,
    *,
    cwd: Path,
    given: Mapping[str, Any] = NOTHING,
    evaluators: "EvaluatorRegistry | None" = None,
) -> dict[str, Any]:
    """The report as its file holds it. Raises OSError, and UserError for a run of another kind.

    `given`: commands and `judge_configs` that were kept without their secrets; `evaluators`: all
    that cases may name.
    """
    config = read_config(pack)
    if config.get("execution_mode") != MODE:
        hint = "`evaltui replay` judges its traces again."
        raise UserError(f"`{pack}` is not a run of `run-loop`: nothing can be executed.", hint)
    options = loop_options(execution_of(config, given))
    stage = kept_stage(config, given.get("judge_configs"))
    replayed = ReplayedPack(pack, config, read_summary(pack))
    traces: list[dict[str, Any]] = []
    async with opened(stage):
        for folder in case_folders(pack):
            before = kept_case(folder, config)
            looped = await run_loop(before, stage, options, cwd=cwd, evaluators=evaluators)
            now = looped.case
            replayed.take(folder, before, now, looped.verdicts)
            if _steps(before) != _steps(now) or _selected(before) != _selected(now):
                traces.append(
                    {
                        "case_id": now.id,
                        "saved_selected_attempt": _selected(before),
                        "replayed_selected_attempt": _selected(now),
                        "saved_event_count": len(trace_body(before).trace),
                        "replayed_event_count": len(trace_body(now).trace),
                    }
                )
    env, unverified = environment(config)
    report = {**replayed.report(), "trace_mismatches": traces, "env_mismatches": env}
    return {**report, "execution_replay_passed": is_same(report), "env_unverified": unverified}


def loop_commands(
    config: Mapping[str, Any], given: Mapping[str, Any] = NOTHING
) -> tuple[tuple[str, ...], ...]:
    """The programs that it would start."""
    if config.get("execution_mode") != MODE:
        return ()
    return loop_options(execution_of(config, given)).commands


def execution_of(config: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """How the run was executed, with the secrets of its commands. Raises UserError without them."""
    kept = config.get("execution_config") or {}
    flags = {name: f"The command (--{name.replace('_', '-')})" for name in COMMANDS}
    found = {
        name: given_again(kept.get(name), given.get(name), flag) for name, flag in flags.items()
    }
    return {**kept, **found}


def _steps(case: Case) -> list[tuple[Any, ...]]:
    return [tuple(getattr(event, name) for name in SAME) for event in trace_body(case).trace]


def _selected(case: Case) -> Any:
    return trace_body(case).metadata.get("selected_attempt")
