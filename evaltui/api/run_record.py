"""A run as its journal reports it, in progress or finished; results of scenarios in EvalStudio's
shape."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ScenarioCase
from evaltui.core.comparison import Effect
from evaltui.core.events import CaseFinished, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.codec import encode, parse
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.disk.journal.journal_reading import read_events
from evaltui.disk.results.result_file import summary_wire
from evaltui.disk.results.result_wire import to_wire
from evaltui.reporters.trials import case_facts
from evaltui.scenarios.run_output import run_json
from evaltui.store.counts import summarize

RUNNING = "running"


class RunRecord(Struct, frozen=True):
    """One run, as far as it is recorded."""

    started: RunStarted
    results: dict[CaseKey, CaseResult]
    cases: dict[CaseKey, Case]
    """As they were written then."""
    finished: RunFinished | None
    status: str
    """`running`, or how it ended."""

    def json(self, *, offset: int = 0, limit: int = 1000, status: str = "") -> dict[str, Json]:
        """With the results from `offset` on; `next` where there are more."""
        counted = [*map(_counted, self.results.values())]
        chosen = [one for one in counted if not status or one.status == status]
        idle = summarize(tuple(self.results.values())).nothing_asserted
        summary = replace(summarize(tuple(counted)), nothing_asserted=idle)
        body = row_of_started(self.started) | {
            "status": self.status,
            "summary": _plain(summary_wire(summary)),
            "cases": [self._case(one) for one in chosen[offset : offset + limit]],
        }
        if self.finished is not None:
            body |= _ended(self.finished.finished_at, self.finished.duration_s)
            body["changes"] = _changes(self.finished.changes.counts)
        return body | ({"next": offset + limit} if len(chosen) > offset + limit else {})

    def _case(self, result: CaseResult) -> Json:
        """`result`: as it counts."""
        row = {"key": str(result.key), "suite": result.key.suite, **_plain(to_wire(result))}
        if facts := case_facts(result):
            row["statistics"] = facts
        case = self.cases.get(result.key)
        if case is None or not isinstance(case.body, ScenarioCase):
            return row
        started = self.started
        run = run_json(case, self.results[result.key], started.number, started.eval_id)
        return row | {"run": {key: value for key, value in run.items() if key != "messages"}}


def _counted(result: CaseResult) -> CaseResult:
    """A pass of nothing counts as a case that was skipped; `passed` of files is the contract's."""
    if result.status is not CaseStatus.PASSED or not result.is_nothing_asserted:
        return result
    return replace(result, status=result.shown_status, error="nothing asserted", passes=0)


def read_record(path: Path, *, is_on: bool) -> RunRecord:
    """Raises UserError when there is nothing to read."""
    started: RunStarted | None = None
    finished: RunFinished | None = None
    results: dict[CaseKey, CaseResult] = {}
    cases: dict[CaseKey, Case] = {}
    for event in read_events(path):
        match event:
            case ProjectRead():
                cases |= {case.key: case for suite in event.suites for case in suite.cases}
            case RunStarted():
                started = event
            case CaseFinished(_, result):
                results[result.key] = result
            case RunFinished():
                finished = event
            case _:
                pass
    if started is None:
        from evaltui.disk.journal.journal_reading import no_recorded_run

        raise no_recorded_run(path, "it does not say what it is about")
    end = finished.end if finished is not None else RunEnd.LOST
    return RunRecord(started, results, cases, finished, RUNNING if is_on else str(end))


def row_of_started(started: RunStarted) -> dict[str, Json]:
    return {
        "id": started.run_id,
        "number": started.number,
        "agent": started.agent,
        "status": RUNNING,
        "reason": started.reason,
        "total": len(started.cases),
        "trials": started.trials,
        "startedAt": _iso(started.started_at),
    }


def row_of_point(agent: str, point: TimelinePoint) -> dict[str, Json]:
    """A run of the history; `changes` is how its results differed from those before."""
    return {
        "id": point.run_id,
        "number": point.number,
        "agent": agent,
        "status": point.end.value,
        "reason": point.reason,
        "ran": point.ran,
        "startedAt": _iso(point.started_at),
        "finishedAt": _iso(point.at),
        "changes": _changes(point.effects),
    }


def _changes(counts: Mapping[Effect, int]) -> dict[str, Json]:
    return {effect.key: counts[effect] for effect in Effect}


def _ended(finished_at: float, duration_s: float) -> dict[str, Json]:
    return {"finishedAt": _iso(finished_at), "durationMs": round(duration_s * 1000, 1)}


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: object) -> dict[str, Json]:
    """As it is written into files."""
    plain: dict[str, Json] = parse(encode(value))
    return plain


STATUSES = tuple(status.value for status in CaseStatus)
