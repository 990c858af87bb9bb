"""What the baseline of a comparison means: a pack, a name of the registry, or a pinned name."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.core.baseline import BaselineCase
from evaltui.core.errors import UserError
from evaltui.evidence.compared.pinned_side import pinned_row, pinned_side
from evaltui.evidence.compared.side import Side, read_side
from evaltui.evidence.judge_code import KEY, code_of_results
from evaltui.evidence.registry import NoBaselineError, refuse_other_run, resolve_baseline

if TYPE_CHECKING:
    from evaltui.disk.baselines.pinned import Pinned


def baseline_side(
    text: str, registry: Path, pins: Path, agent: str
) -> tuple[Side, Mapping[str, Any]]:
    """The side, and how it was named: the registry's names come before those that are pinned.

    `pins` is the folder of pinned results, of which those of `agent` count. Raises UserError where
    the text could be two of these, or is none, and what `read_side` raises.
    """
    pinned = _pins(pins) if "/" not in text and pins.is_dir() else None
    agents = pinned.listed.agents(text) if pinned is not None else ()
    if pinned is None or not agents:
        path, entry = resolve_baseline(text, registry)
        side = read_side(path)
        if entry is not None:
            refuse_other_run(entry, side)
        return side, _reference(text, path, entry)
    found = _found(text, registry)
    if found is not None:
        what = f"`{text}` is the name of pinned results and {found}."
        raise UserError(what, "Rename one of them; a path like `./name` means a folder.")
    if agent not in agents:
        what = f"Nothing of `{agent}` is pinned as `{text}`, only of {', '.join(agents)}."
        raise UserError(what, "Pin results of this agent, or name another baseline.")
    return _pinned(pinned, text, agent), _reference(text, pins, None)


def side_pinned_as(folder: Path, name: str, agent: str) -> Side:
    """What a folder has of this name, as it was pinned. Raises UserError where nothing of the agent
    is any more."""
    pinned = _pins(folder)
    if agent not in pinned.listed.agents(name):
        what = f"Nothing of `{agent}` is pinned as `{name}` in `{folder}` any more."
        raise UserError(what, "Compare with what is pinned now.")
    return _pinned(pinned, name, agent)


def _found(text: str, registry: Path) -> str | None:
    try:
        _, entry = resolve_baseline(text, registry)
    except NoBaselineError:
        return None
    except UserError:
        return "of the registry, or a folder here"
    return "a file or folder here" if entry is None else f"a baseline of `{registry}`"


def _reference(text: str, path: Path, entry: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"input": text, "resolved_path": str(path.resolve()), "registry_entry": entry}


def _pins(folder: Path) -> "Pinned":
    from evaltui.disk.baselines.pinned import Pinned  # slow, and a path is no pinned name

    return Pinned.load(folder)


def _pinned(pinned: "Pinned", name: str, agent: str) -> Side:
    """Raises UserError for a copy that cannot be read: a comparison without it would be another."""
    from evaltui.disk.results.result_file import read_suite_result
    from evaltui.evidence.run_of_agent import dataset_of

    pins = pinned.listed.pins(agent, name)
    results = [read_suite_result(pinned.folder / pin.file) for pin in pins]
    cases = [case for result in results for case in result.cases]
    counted = [one for one in cases if not one.is_nothing_asserted]
    came_to = [
        BaselineCase.of(one.status, one.passes, one.trials, planned=one.planned) for one in counted
    ]
    rows = [
        pinned_row(str(one.key), then, one.asserted)
        for one, then in zip(counted, came_to, strict=True)
    ]
    dataset = dataset_of(pin.suite for pin in pins)
    config = {"agent_version": agent, KEY: code_of_results(counted)}
    return pinned_side(rows, results[0].run_id, dataset, config, pinned.folder)
