"""Reading journals: replay, and the results of runs that were killed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError

from evaltui.core.case import Case, CaseKey, Tier
from evaltui.core.errors import NO_RECORDED_RUN, Problem, UserError
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from evaltui.core.result import CaseResult
from evaltui.disk.codec import convert, decode, decode_event, encode, parse, read
from evaltui.disk.damage import Report, ignore, is_damage, set_aside
from evaltui.disk.file_lock import lock
from evaltui.disk.journal.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.journal.open_journal import FinishedLine
from evaltui.disk.results.result_wire import from_wire
from evaltui.files import open_file

DAMAGED_LINES = "damaged-lines"
"""Code of the problem of a journal that was written whole and cannot be read whole."""


class Recovered(Struct, frozen=True):
    """What a run had finished when its process died."""

    path: Path
    started: RunStarted | None
    results: tuple[CaseResult, ...]
    finished: RunFinished | None = None
    """There when the process died after the last event."""
    cases: Mapping[CaseKey, Case] = {}
    """Those that it was about, as far as it says what they were."""
    attempts: tuple[CaseResult, ...] = ()
    """Those at cases that it did not finish."""
    damaged: tuple[int, ...] = ()
    """Numbers of lines that cannot be read; a torn last line is none."""


def read_events(path: Path) -> Iterator[Event]:
    """Every event of a journal, or of the file of `--reporter jsonl`, in order.

    Not in a journal, since it can be worked out or is elsewhere: streamed text, results loaded from
    disk, what a case said before a result that came in the same moment, parts of the project that
    the run was not about, and in `RunFinished` the results carried from earlier runs.
    Lines that are no events make one ProblemFound at the end; a torn last line is passed over.
    Raises UserError, with the problem and its place, when the file cannot be read or no line of it
    is an event.
    """
    finished: dict[CaseKey, CaseResult] = {}
    bad: list[int] = []
    is_any = False
    try:
        with open_file(path) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    event = event_of(line, finished)
                except (ValueError, RecursionError):
                    if line.endswith(b"\n"):
                        bad.append(number)
                    continue
                if isinstance(event, CaseFinished):
                    finished[event.result.key] = event.result
                is_any = True
                yield event
    except OSError as error:
        raise no_recorded_run(path, f"it cannot be read: {error.strerror}") from error
    if not is_any:
        why = "the line is not an event of a run" if bad else "it holds no event of a run"
        raise no_recorded_run(path, why, line=bad[0] if bad else 0)
    if bad:
        yield ProblemFound(damaged_lines(path, bad, "The rest was played."))


def damaged_lines(path: Path, lines: Sequence[int], hint: str) -> Problem:
    """What is wrong with a journal of which these `lines` cannot be read."""
    some = f"line {lines[0]}" if len(lines) == 1 else f"{len(lines)} lines, first line {lines[0]},"
    what = f"{some} of the recorded run cannot be understood"
    return Problem(str(path), what, hint, line=lines[0], code=DAMAGED_LINES)


def no_recorded_run(path: Path, why: str, line: int = 0) -> UserError:
    """What is wrong with a file that was to be played, and what to play in its place."""
    what, hint = f"this is not a recorded run: {why}", "Play a file of `.evaltui/runs`, or one "
    hint += "that `evaltui run --reporter jsonl=FILE` wrote."
    problem = Problem(path.as_posix(), what, hint, line=line, code=NO_RECORDED_RUN)
    return UserError(f"`{path}` cannot be played.", problems=(problem,))


def recover(folder: Path, report: Report = ignore) -> list[Recovered]:
    """Runs in `folder` that never finished and that nobody is writing, oldest first.

    Call `settle` with each once its results are kept elsewhere. A journal that does not say what
    run it is of is damaged: it is set aside.
    """
    found: list[tuple[int, Recovered]] = []
    for path in folder.glob(f"*{OPEN_SUFFIX}"):
        try:
            with open_file(path) as file:
                if not lock(file):
                    continue
                lost, written_at = _recovered(path, file), path.stat().st_mtime_ns
            if lost.started is None and path.stat().st_size:
                raise ValueError("it does not say what any run is about")
            found.append((written_at, lost))
        except (OSError, ValueError) as error:
            if is_damage(error):
                report(set_aside(path, error, "A run that was killed cannot be recovered."))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def settle(recovered: Recovered) -> Path:
    """Name a recovered journal as a finished one, so that it is recovered once. Raises OSError.

    Another process may have done so meanwhile.
    """
    path = recovered.path.with_name(recovered.path.name.removesuffix(OPEN_SUFFIX) + SUFFIX)
    try:
        return recovered.path.replace(path)
    except FileNotFoundError:
        return path


def find_finished(path: Path, key: CaseKey) -> CaseResult | None:
    """The last result of one case in a journal; `None` when there is none."""
    needle = b'"id":' + encode(key.case) + b","
    found: CaseResult | None = None
    with suppress(OSError), open_file(path) as file:
        for line in file:
            if line.startswith(_CASE) and needle in line:
                with suppress(ValueError):
                    event = event_of(line, {})
                    if isinstance(event, CaseFinished) and event.result.key == key:
                        found = event.result
    return found


class AboutRun(Struct, frozen=True):
    """What a run was about."""

    cases: Mapping[CaseKey, Case] = {}
    """As they were written then."""
    eval_id: str = ""
    """As of `RunStarted`."""


def about_run(path: Path) -> AboutRun:
    """Nothing where its journal is gone."""
    cases: Mapping[CaseKey, Case] = {}
    with suppress(OSError, ValueError, RecursionError), open_file(path) as file:
        for line in file:
            event = event_of(line, {}) if line.startswith((_PROJECT, _START)) else None
            if isinstance(event, ProjectRead):
                cases = {case.key: case for suite in event.suites for case in suite.cases}
            elif isinstance(event, RunStarted):
                return AboutRun(cases, event.eval_id)
    return AboutRun(cases)


def finished_in(path: Path) -> dict[CaseKey, CaseResult]:
    """The last result of every case in a journal; empty when it is gone."""
    try:
        with open_file(path) as file:
            return {result.key: result for result in _recovered(path, file).results}
    except OSError:
        return {}


def _recovered(path: Path, lines: Iterator[bytes]) -> Recovered:
    started: RunStarted | None = None
    ended: RunFinished | None = None
    results: dict[CaseKey, CaseResult] = {}
    cases: dict[CaseKey, Case] = {}
    attempts: dict[CaseKey, tuple[CaseResult, ...]] = {}
    damaged: list[int] = []
    for number, line in enumerate(lines, 1):
        try:
            # Only these few matter, and a journal is mostly others.
            event = event_of(line, results) if line.startswith(_WANTED) else parse(line)
            match event:
                case ProjectRead():
                    cases = {case.key: case for suite in event.suites for case in suite.cases}
                case RunStarted():
                    started = event
                case CaseFinished(_, result):
                    results[result.key] = result
                    attempts.pop(result.key, None)
                case TrialFinished(_, result):
                    attempts[result.key] = (*attempts.get(result.key, ()), result)
                case RunFinished():
                    ended = event
                case _:
                    pass
        except (ValueError, RecursionError):
            if line.endswith(b"\n") and line.strip():
                damaged.append(number)
    made = tuple(chain.from_iterable(attempts.values()))
    return Recovered(path, started, tuple(results.values()), ended, cases, made, tuple(damaged))


_CASE, _TRIAL, _START, _END, _PROJECT = (
    f'{{"event":"{kind.__name__}"'.encode()
    for kind in (CaseFinished, TrialFinished, RunStarted, RunFinished, ProjectRead)
)
_WANTED = (_CASE, _TRIAL, _START, _END, _PROJECT)


def event_of(line: bytes, finished: Mapping[CaseKey, CaseResult]) -> Event:
    """One line of a journal; `finished` are the results of the lines before.

    Raises ValueError and RecursionError.
    """
    if line.startswith(_CASE):
        return _case_finished(line)
    if line.startswith(_END):
        return _run_finished(parse(line), finished)
    try:
        return decode_event(line)
    except ValidationError:
        if not line.startswith(_PROJECT):
            raise
        return convert(_with_bodies(parse(line)), ProjectRead)


def _case_finished(line: bytes) -> CaseFinished:
    """In the form of a result file, or of the event itself."""
    try:
        found = decode(FinishedLine, line)
    except ValidationError:
        with suppress(ValidationError):
            return decode(CaseFinished, line)
        found = read(FinishedLine, line)
    if found.case.id is None:
        raise ValueError("a finished case without an id")
    case = from_wire(found.case, suite=found.suite, run_id=found.run_id, agent=found.agent)
    return CaseFinished(found.run_id, case)


def _run_finished(value: Any, finished: Mapping[CaseKey, CaseResult]) -> RunFinished:
    """Put back the results that the journal does not repeat: it has their keys only."""
    if isinstance(value, dict) and isinstance(value.get("suites"), list):
        for suite in value["suites"]:
            if isinstance(suite, dict) and isinstance(suite.get("cases"), list):
                known = [_known(case, finished) for case in suite["cases"]]
                suite["cases"] = [case for case in known if case is not None]
    return convert(value, RunFinished)


def _known(case: Any, finished: Mapping[CaseKey, CaseResult]) -> Any:
    if isinstance(case, dict) and case.keys() == {"key"}:
        return finished.get(convert(case["key"], CaseKey))
    return case


def _with_bodies(value: Any) -> Any:
    """0.1.0 wrote cases flat, body and key in one object."""
    for suite in value.get("suites", ()):
        for case in suite.get("cases", ()):
            if "body" not in case:
                kind = "rubric" if case.get("tier") == Tier.RUBRIC else "contract"
                case["body"] = case | {"type": kind, "dimensions": case.get("rubric", ())}
    return value
