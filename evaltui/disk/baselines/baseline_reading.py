"""Reading results as baselines: pinned copies, and earlier runs named by their id."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, ValidationError
from msgspec.structs import astuple, replace

from evaltui.core.agent_name import is_embedded
from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.errors import UserError
from evaltui.core.inputs import Inputs
from evaltui.core.result import JUDGED, LATE, CaseStatus, PinnedAs, status_that_counts
from evaltui.core.staleness import have_rules_changed
from evaltui.core.statistics.trials import Planned
from evaltui.core.suite import Suite
from evaltui.core.tool import same_tool_name
from evaltui.disk.baselines.pins import Pin, moment_of, most_and_apart
from evaltui.disk.codec import decode, read
from evaltui.disk.results.result_file import HeadWire
from evaltui.disk.results.result_wire import (
    Count,
    InputsWire,
    PinnedWire,
    PlannedWire,
    erred_of,
    pinned_of,
    planned_of,
    written_status,
)
from evaltui.disk.results.results_folder import files_of_run, find_result
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.judging.judge import RULES


def read_baseline(path: Path, pin: Pin | None = None) -> Baseline:
    """The verdicts of a result file, ours or with the contract's keys only. Raises UserError, also
    where a value is wrong that verdicts or proof rest on: it would be missed by nobody.

    20,000 cases are read without making results of them. `pin`: whose copy it is.
    """
    run = _read_as(_Run, path, _read_whole_cases)
    if pin is None:
        return _baseline(run)
    moments = {str(case.id): moment_of(pin, str(case.id), case.pinned) for case in run.cases}
    most, apart = most_and_apart(moments)
    return replace(_baseline(run, pin.suite), pinned_at=most, pinned_apart=apart)


def read_inputs(path: Path) -> dict[str, tuple[Inputs, PinnedAs | None]]:
    """The inputs of each case of a copy, of those that it says them of, and what it says of the
    pin. Raises UserError."""
    cases = _read_as(_RunOfInputs, path).cases
    return {
        str(case.id): (Inputs(*astuple(case.inputs)), pinned_of(case.pinned))
        for case in cases
        if case.inputs
    }


class PinnedDemands(Struct, frozen=True):
    """What is known of the checks that a pinned case had."""

    case: str = ""
    """As `Inputs.case`; empty where that is unknown."""
    asserted: Mapping[str, tuple[str, ...]] | None = None
    """As `CaseResult.asserted`."""
    checks: Mapping[str, str] = {}
    """As `Inputs.checks`."""


def read_demands(path: Path) -> tuple[str, dict[str, PinnedDemands]]:
    """The suite that a result file names, and its cases by id. Raises UserError."""
    run = _read_as(_RunOfInputs, path)
    return run.suite, {
        str(one.id): PinnedDemands(known.case, one.asserted, known.checks)
        for one in run.cases
        for known in (one.inputs or Inputs(),)
    }


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
        run = _read(path)
        suite = _suite_of(run, suites)
        if suite is None or suite.id in matched or run.run_id != run_id:
            continue
        if endpoint and not is_comparable(run.agent_endpoint or endpoint, endpoint):
            raise UserError(
                f"Run `{run_id}` was answered by `{run.agent_endpoint}`, "
                f"which cannot be compared with `{endpoint}`.",
                "Choose a baseline of the same kind of agent.",
            )
        matched.add(suite.id)
        found.append(_baseline(run, suite.id))
    if not found:
        some = next(iter(suites), None)
        try:
            find_result(output_dir, run_id, some.id if some else "")
        except UserError as error:
            how = f"To make it a name, pin under it: `evaltui baseline pin --name {run_id}`."
            raise UserError(error.what, f"{error.hint} {how}") from error
    return tuple(found)


def is_comparable(left: str, right: str) -> bool:
    """Whether both endpoints are embedded agents, or neither is."""
    return is_embedded(left) == is_embedded(right)


T = TypeVar("T")


class _Rules(Struct, gc=False):
    rules: str = ""


class _Case(Struct, rename="camel", gc=False):
    id: str | int = ""
    status: CaseStatus | None = None
    passed: bool = False
    assertions_run: int | None = None
    """`None`: not told, as by other programs."""
    trials: Count = 1
    passes: Count = 0
    category: str = ""
    inputs: _Rules | None = None
    """`None`: not told, as by other programs."""
    pinned: PinnedWire | None = None
    planned: PlannedWire | None = None


class _Cases(Struct):
    cases: tuple[_Case, ...]


class _Attempt(Struct, gc=False):
    status: CaseStatus = CaseStatus.SKIPPED


class _TriedCase(_Case, rename="camel", gc=False):
    """With what no verdict rests on: what other programs write there costs nothing else."""

    attempts: tuple[_Attempt, ...] | None = None


class _Run(HeadWire, kw_only=True, rename="camel", gc=False):
    cases: tuple[_TriedCase, ...]


class _CaseOfInputs(Struct, gc=False):
    id: str | int = ""
    inputs: InputsWire | None = None
    asserted: dict[str, tuple[str, ...]] | None = None
    pinned: PinnedWire | None = None


class _RunOfInputs(Struct, kw_only=True):
    suite: str = ""
    cases: tuple[_CaseOfInputs, ...]


def _read(path: Path) -> _Run:
    return _read_as(_Run, path)


def _read_as(kind: type[T], path: Path, reading: Callable[[type[T], bytes], T] = read) -> T:
    try:
        return reading(kind, read_file(path, RESULTS_LIMIT))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(
            f"`{path}` is not a readable result: {error}.", "Choose another."
        ) from error


def _read_whole_cases(kind: type[T], data: bytes) -> T:
    """As `read`, but no value of a case may be wrong."""
    try:
        return decode(kind, data)
    except ValidationError:
        decode(_Cases, data)
        return read(kind, data)


def _suite_of(run: _Run, suites: Collection[Suite]) -> Suite | None:
    if run.suite:
        return next((suite for suite in suites if suite.id == run.suite), None)
    return next(
        (
            suite
            for suite in suites
            if suite.tier == run.tier and same_tool_name(suite.tool_name, run.tool_name)
        ),
        None,
    )


def _baseline(run: _Run, suite: str = "") -> Baseline:
    known: dict[tuple[object, ...], BaselineCase] = {}
    cases: dict[str, BaselineCase] = {}
    for case in run.cases:
        # How many assertions ran is told nowhere: that none did is.
        is_idle, is_other = case.assertions_run == 0, _is_by_other_rules(case)
        erred = erred_of((one.status for one in case.attempts or ()), case.trials)
        planned = planned_of(case.planned)
        verdict = case.status, case.passed, is_idle, case.trials, case.passes
        short = (*verdict, erred, is_other, planned)
        found = known.get(short)
        if found is None:
            found = known[short] = _case(case, erred, planned, is_other=is_other)
        cases[str(case.id)] = found
    return Baseline(suite or run.suite, run.run_id, "", cases, _stamp(run.timestamp), run.agent)


def _case(case: _Case, erred: int, planned: Planned | None, *, is_other: bool) -> BaselineCase:
    status = written_status(case.status, is_passed=case.passed)
    if case.assertions_run is not None:
        status = status_that_counts(status, case.assertions_run)
    found = BaselineCase.of(status, case.passes, case.trials, erred, planned)
    return replace(found, by_other_rules=True) if is_other and found.status in JUDGED else found


def _is_by_other_rules(case: _Case) -> bool:
    """Whether the rules of judging of now may make another verdict of the same answer: not where
    there was none in time, and not where another program does not tell by which it judged."""
    if case.inputs is None or (case.category == LATE and not case.assertions_run):
        return False
    return have_rules_changed(case.inputs.rules, RULES)


def _stamp(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0
