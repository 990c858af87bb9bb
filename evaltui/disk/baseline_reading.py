"""Reading results as baselines: pinned copies, and earlier runs named by their id."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Any

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.errors import UserError
from evaltui.core.result import CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.tool import same_tool_name
from evaltui.disk.codec import parse
from evaltui.disk.results_folder import files_of_run, find_result


def read_baseline(path: Path) -> Baseline:
    """The verdicts of a result file, ours or with the contract's keys only. Raises UserError.

    20,000 cases are read without making results of them.
    """
    return _baseline(_read(path))


def baseline_from_run(
    output_dir: Path, run_id: str, suites: Collection[Suite], *, endpoint: str = ""
) -> tuple[Baseline, ...]:
    """The suites' results in one earlier run (contract requirement 45).

    Files that do not name their suite are matched by tool and tier. Raises UserError when the run
    has none of the suites, naming the runs that are there, or when it is not comparable with what
    answers now.
    """
    found: list[Baseline] = []
    matched: set[str] = set()
    paths = files_of_run(output_dir, run_id)
    for path in paths:
        value = _read(path)
        suite = _suite_of(value, suites)
        if suite is None or suite.id in matched or value.get("runId") != run_id:
            continue
        if endpoint and not is_comparable(str(value.get("agentEndpoint") or endpoint), endpoint):
            raise UserError(
                f"Run `{run_id}` was answered by `{value.get('agentEndpoint')}`, "
                f"which cannot be compared with `{endpoint}`.",
                "Choose a baseline of the same kind of agent.",
            )
        matched.add(suite.id)
        found.append(_baseline(value, suite.id))
    if not found:
        some = next(iter(suites), None)
        find_result(output_dir, run_id, some.id if some else "")
    return tuple(found)


def is_comparable(left: str, right: str) -> bool:
    """Whether both endpoints are embedded agents, or neither is."""
    return is_embedded(left) == is_embedded(right)


def is_embedded(endpoint: str) -> bool:
    """Whether results of that name are the embedded agent's."""
    return endpoint == "embedded" or endpoint.startswith("embedded/")


def _read(path: Path) -> dict[str, Any]:
    try:
        value = parse(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(
            f"`{path}` is not a readable result: {error}.", "Choose another."
        ) from error
    if not isinstance(value, dict) or not isinstance(value.get("cases"), list):
        raise UserError(f"`{path}` is not a result: it has no `cases`.", "Choose another run.")
    return value


def _suite_of(value: dict[str, Any], suites: Collection[Suite]) -> Suite | None:
    named = value.get("suite")
    if named:
        return next((suite for suite in suites if suite.id == named), None)
    tool, tier = str(value.get("toolName", "")), value.get("tier")
    return next(
        (suite for suite in suites if suite.tier == tier and same_tool_name(suite.tool_name, tool)),
        None,
    )


def _baseline(value: dict[str, Any], suite: str = "") -> Baseline:
    known: dict[tuple[object, ...], BaselineCase] = {}
    cases: dict[str, BaselineCase] = {}
    for entry in value["cases"]:
        if not isinstance(entry, dict):
            continue
        trials, passes = entry.get("trials", 1), entry.get("passes", 0)
        short = (entry.get("status"), entry.get("passed"), trials, passes)
        try:
            case = known.get(short)
            if case is None:
                case = known[short] = _case(*short)
        except (TypeError, ValueError):
            continue
        cases[str(entry.get("id", ""))] = case
    return Baseline(
        suite or str(value.get("suite") or ""),
        str(value.get("runId") or ""),
        "",
        cases,
        _stamp(value.get("timestamp")),
        str(value.get("agent") or ""),
    )


def _case(status: Any, passed: Any, trials: Any, passes: Any) -> BaselineCase:
    if status in set(CaseStatus):
        verdict = CaseStatus(status)
    else:
        verdict = CaseStatus.PASSED if passed is True else CaseStatus.FAILED
    several = isinstance(trials, int) and isinstance(passes, int) and trials > 1
    return BaselineCase(verdict, passes / trials, trials) if several else BaselineCase(verdict)


def _stamp(value: object) -> float:
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except ValueError:
        return 0.0
