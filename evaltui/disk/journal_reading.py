"""Reading journals: replay, and the results of runs that were killed."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.events import CaseFinished, Event, RunFinished, RunStarted
from evaltui.core.result import CaseResult
from evaltui.disk.case_reading import read_case
from evaltui.disk.codec import decode, encode, event_of, parse
from evaltui.disk.file_lock import lock
from evaltui.disk.journal import OPEN_SUFFIX, SUFFIX


class Recovered(Struct, frozen=True):
    """What a run had finished when its process died."""

    path: Path
    started: RunStarted | None
    results: tuple[CaseResult, ...]
    finished: RunFinished | None = None
    """There when the process died after the last event."""


def read_events(path: Path) -> Iterator[Event]:
    """Every event of a journal in order; a torn last line is passed over.

    Raises UserError when the file cannot be read or a line before the last is no event.
    """
    finished: dict[CaseKey, CaseResult] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    event = _event(line, finished)
                except (ValueError, RecursionError) as error:
                    if not line.endswith(b"\n"):
                        return
                    raise UserError(
                        f"`{path}` line {number} is no event of a run: {error}.",
                        "Choose a file that a run wrote under `.evaltui/runs`.",
                    ) from error
                if isinstance(event, CaseFinished):
                    finished[event.result.key] = event.result
                yield event
    except OSError as error:
        raise UserError(f"`{path}` cannot be read: {error.strerror}.", "Check the path.") from error


def recover(folder: Path) -> list[Recovered]:
    """Runs in `folder` that never finished and that nobody is writing, oldest first.

    Call `settle` with each once its results are kept elsewhere.
    """
    found: list[tuple[int, Recovered]] = []
    for path in folder.glob(f"*{OPEN_SUFFIX}"):
        with suppress(OSError), path.open("rb") as file:
            if lock(file):
                found.append((path.stat().st_mtime_ns, _recovered(path, file)))
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
    with suppress(OSError), path.open("rb") as file:
        for line in file:
            if line.startswith(b'{"event":"CaseFinished"') and needle in line:
                with suppress(ValueError):
                    event = _event(line, {})
                    if isinstance(event, CaseFinished) and event.result.key == key:
                        found = event.result
    return found


def _recovered(path: Path, lines: Iterator[bytes]) -> Recovered:
    started: RunStarted | None = None
    ended: RunFinished | None = None
    results: dict[CaseKey, CaseResult] = {}
    for line in lines:
        # Only these three matter, and a journal is mostly others.
        if not line.startswith(_WANTED):
            continue
        with suppress(ValueError, RecursionError):
            event = _event(line, results)
            match event:
                case RunStarted():
                    started = event
                case CaseFinished(_, result):
                    results[result.key] = result
                case RunFinished():
                    ended = event
                case _:
                    pass
    return Recovered(path, started, tuple(results.values()), ended)


_WANTED = tuple(
    f'{{"event":"{kind.__name__}"'.encode() for kind in (RunStarted, CaseFinished, RunFinished)
)


def _event(line: bytes, finished: dict[CaseKey, CaseResult]) -> Event:
    value = parse(line)
    if isinstance(value, dict):
        if value.get("event") == "RunFinished":
            return _run_finished(value, finished)
        if value.get("event") == "CaseFinished" and "case" in value:
            return _case_finished(value)
    return event_of(value)


def _case_finished(value: dict[str, Any]) -> CaseFinished:
    """A finished case in the form of a result file."""
    run_id, suite, agent, entry = (value.get(key) for key in ("run_id", "suite", "agent", "case"))
    if not (isinstance(run_id, str) and isinstance(suite, str) and isinstance(agent, str)):
        raise ValueError("a finished case without run, suite or agent")
    if not isinstance(entry, dict) or "id" not in entry:
        raise ValueError("a finished case without an id")
    return CaseFinished(run_id, read_case(entry, suite=suite, run_id=run_id, agent=agent))


def _run_finished(value: dict[str, Any], finished: dict[CaseKey, CaseResult]) -> Event:
    """Put back the results that the journal does not repeat."""
    suites = value.get("suites")
    written: list[Any] = suites if isinstance(suites, list) else []
    cases = [one.pop("cases", []) if isinstance(one, dict) else [] for one in written]
    for one in written:
        if isinstance(one, dict):
            one["cases"] = []
    event = event_of(value)
    if not isinstance(event, RunFinished):
        return event
    whole = tuple(
        replace(
            suite, cases=tuple(_case(case, finished) for case in mine if _is_known(case, finished))
        )
        for suite, mine in zip(event.suites, cases, strict=True)
    )
    return replace(event, suites=whole)


def _is_known(case: Any, finished: dict[CaseKey, CaseResult]) -> bool:
    return not _is_key(case) or CaseKey(*case["key"]) in finished


def _case(case: Any, finished: dict[CaseKey, CaseResult]) -> CaseResult:
    return finished[CaseKey(*case["key"])] if _is_key(case) else decode(CaseResult, case)


def _is_key(case: Any) -> bool:
    return isinstance(case, dict) and case.keys() == {"key"} and len(case["key"]) == 2
