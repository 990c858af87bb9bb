"""Pinned baselines: which results later runs are compared with, kept in files to be committed.

`pins.json` says which run is pinned by agent, name and suite; a copy of each pinned result stands
beside it (contract B3), so that cleaning the results folder loses no baseline.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from evaltui.core.baseline import Baseline
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, UserError
from evaltui.core.record import dataclass
from evaltui.core.result import CaseResult, SuiteResult, summarize
from evaltui.store.atomic import safe_path, sweep, write_atomic
from evaltui.store.baseline_reading import is_comparable, read_baseline
from evaltui.store.codec import encode, parse
from evaltui.store.result_file import encode_suite_result, read_case_line, read_suite_result

DEFAULT = "default"
PINS = "pins.json"
_FORMAT = "evaltui-pins/1"


@dataclass(frozen=True, slots=True)
class Pin:
    """One suite's baseline; `file` is below the baselines folder."""

    agent: str
    name: str
    suite: str
    run_id: str
    file: str
    pinned_at: float = 0.0
    endpoint: str = ""
    """What answered: an embedded agent is never compared with a real model."""


@dataclass(frozen=True, slots=True)
class PinChange:
    """The files that a pin or unpin wrote, before and after; both directions are safe to repeat."""

    message: str
    undo: Callable[[], None]
    redo: Callable[[], None]


class Baselines:
    """Everything pinned in one folder. Methods that write raise OSError."""

    def __init__(self, folder: Path, pins: Iterable[Pin], problems: Iterable[Problem]) -> None:
        self.folder = folder
        self.problems: list[Problem] = list(problems)
        """Damaged files found so far."""
        self._pins = {(pin.agent, pin.name, pin.suite): pin for pin in pins}

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the pins; a damaged list is made anew from the copies that stand beside it."""
        path = folder / PINS
        try:
            return cls(folder, _pins_of(parse(path.read_bytes())), ())
        except FileNotFoundError:
            return cls(folder, _pins_of_copies(folder), ())
        except (OSError, ValueError) as error:
            problem = Problem(
                str(path),
                f"the pinned baselines cannot be read: {error}",
                "They were found again by their copies; pin anything to write the list anew.",
                code="baseline-unreadable",
            )
            return cls(folder, _pins_of_copies(folder), (problem,))

    def names(self, agent: str) -> tuple[str, ...]:
        """Names with at least one pin of this agent, the default first."""
        names = {pin.name for pin in self._pins.values() if pin.agent == agent}
        return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))

    def pins(self, agent: str, name: str = DEFAULT) -> tuple[Pin, ...]:
        return tuple(pin for pin in self._pins.values() if (pin.agent, pin.name) == (agent, name))

    def in_force(
        self, agent: str, name: str = DEFAULT, *, endpoint: str = ""
    ) -> tuple[Baseline, ...]:
        """The baselines to compare with. `endpoint` is what answers now, if known: pins of an
        embedded agent are then left out for a real one, and the other way round."""
        found: list[Baseline] = []
        for pin in self.pins(agent, name):
            if endpoint and pin.endpoint and not is_comparable(pin.endpoint, endpoint):
                continue
            try:
                baseline = read_baseline(self.folder / pin.file)
            except UserError as error:
                self._complain(pin, error)
                continue
            found.append(
                replace(baseline, suite=pin.suite, name=name, pinned_at=pin.pinned_at, agent=agent)
            )
        return tuple(found)

    def detail(self, key: CaseKey, agent: str, name: str = DEFAULT) -> CaseResult | None:
        """The pinned result of one case with its calls; `None` when it is not pinned."""
        pin = self._pins.get((agent, name, key.suite))
        if pin is None:
            return None
        try:
            return read_case_line(self.folder / pin.file, key)
        except (OSError, ValueError):
            return None

    def fingerprints(self, agent: str, name: str = DEFAULT) -> Mapping[CaseKey, str]:
        """`Inputs.case` of every pinned case: an immutable one that differs was edited (B6)."""
        pinned = (self._pinned(pin) for pin in self.pins(agent, name))
        return {
            case.key: case.inputs.case
            for result in pinned
            if result is not None
            for case in result.cases
            if case.inputs.case
        }

    def pin(
        self,
        name: str,
        agent: str,
        results: Iterable[SuiteResult],
        only: Collection[CaseKey] | None = None,
    ) -> PinChange:
        """Pin suites; with `only`, those cases join what is pinned of their suite already."""
        files: dict[Path, bytes | None] = {}
        pins = dict(self._pins)
        count = 0
        for result in results:
            chosen = tuple(case for case in result.cases if only is None or case.key in only)
            if not chosen:
                continue
            count += len(chosen)
            path = self._path(name, agent, result.suite)
            before = self._pinned(pins.get((agent, name, result.suite))) if only else None
            pinned = _merged(before, result, chosen)
            files[path] = encode_suite_result(pinned, brief=True)
            pins[agent, name, result.suite] = Pin(
                agent,
                name,
                result.suite,
                result.run_id,
                path.relative_to(self.folder).as_posix(),
                round(time.time(), 3),
                result.endpoint,
            )
        return self._commit(_counted("Pinned", count, name), files, pins)

    def unpin(
        self,
        name: str,
        agent: str,
        suites: Collection[str] | None = None,
        only: Collection[CaseKey] | None = None,
    ) -> PinChange:
        """Unpin whole suites, single cases with `only`, or with neither everything of that name."""
        files: dict[Path, bytes | None] = {}
        pins = dict(self._pins)
        count = 0
        touched = suites if only is None else {key.suite for key in only}
        for pin in self.pins(agent, name):
            if touched is not None and pin.suite not in touched:
                continue
            before = self._pinned(pin)
            cases = before.cases if before else ()
            left = () if only is None else tuple(case for case in cases if case.key not in only)
            count += len(cases) - len(left)
            if before is not None and left:
                rest = replace(before, cases=left, summary=summarize(left))
                files[self.folder / pin.file] = encode_suite_result(rest, brief=True)
            else:
                files[self.folder / pin.file] = None
                del pins[agent, name, pin.suite]
        return self._commit(_counted("Unpinned", count, name), files, pins)

    def _path(self, name: str, agent: str, suite: str) -> Path:
        return safe_path(self.folder, name, agent, suite.removesuffix(".json"), suffix=".json")

    def _pinned(self, pin: Pin | None) -> SuiteResult | None:
        if pin is None:
            return None
        try:
            return read_suite_result(self.folder / pin.file)
        except UserError as error:
            self._complain(pin, error)
            return None

    def _complain(self, pin: Pin, error: UserError) -> None:
        problem = Problem(
            str(self.folder / pin.file),
            f"the baseline of `{pin.suite}` cannot be read: {error.what}",
            "Restore it from version control, or pin the suite again.",
            code="baseline-unreadable",
        )
        if problem not in self.problems:
            self.problems.append(problem)

    def _commit(
        self,
        message: str,
        files: Mapping[Path, bytes | None],
        pins: Mapping[tuple[str, str, str], Pin],
    ) -> PinChange:
        before_files = {path: _content(path) for path in files}
        before_pins = dict(self._pins)
        after_pins = dict(pins)

        def redo() -> None:
            self._write(files, after_pins)

        def undo() -> None:
            self._write(before_files, before_pins)

        redo()
        return PinChange(message, undo, redo)

    def _write(
        self, files: Mapping[Path, bytes | None], pins: dict[tuple[str, str, str], Pin]
    ) -> None:
        """The list last: a copy without its entry is harmless, an entry without its copy is not."""
        for folder in {self.folder, *(path.parent for path in files)}:
            sweep(folder)
        for path, content in files.items():
            if content is not None:
                write_atomic(path, content)
        write_atomic(self.folder / PINS, _encode_pins(pins.values()))
        self._pins = pins
        for path, content in files.items():
            if content is None:
                path.unlink(missing_ok=True)


def _merged(
    before: SuiteResult | None, result: SuiteResult, chosen: tuple[CaseResult, ...]
) -> SuiteResult:
    new = {case.key: case for case in chosen}
    kept = [
        replace(case, carried_from=case.carried_from or case.run_id)
        for case in (before.cases if before else ())
        if case.key not in new
    ]
    order = {case.key: index for index, case in enumerate(result.cases)}
    cases = tuple(sorted((*kept, *chosen), key=lambda case: order.get(case.key, len(order))))
    ids = {case.key.case for case in cases}
    return replace(
        result,
        cases=cases,
        summary=summarize(cases),
        errored=tuple(case for case in result.errored if case in ids),
        baseline_run_id=None,
        regressions=(),
        new_passes=(),
    )


def _pins_of(value: Any) -> list[Pin]:
    """Raises ValueError. Paths that lead out of the folder are refused."""
    if not isinstance(value, dict) or not isinstance(value.get("pins"), list):
        raise ValueError("no object with `pins` in it")
    found: list[Pin] = []
    for entry in value["pins"]:
        try:
            pin = Pin(
                agent=str(entry["agent"]),
                name=str(entry["name"]),
                suite=str(entry["suite"]),
                run_id=str(entry["runId"]),
                file=str(entry["file"]),
                pinned_at=float(entry.get("pinnedAt") or 0.0),
                endpoint=str(entry.get("agentEndpoint") or ""),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"a pin without {error}") from error
        if Path(pin.file).is_absolute() or ".." in Path(pin.file).parts:
            raise ValueError(f"`{pin.file}` is outside the folder")
        found.append(pin)
    return found


def _pins_of_copies(folder: Path) -> list[Pin]:
    found: list[Pin] = []
    for path in sorted(folder.glob("*/*/*.json")):
        with suppress(UserError):
            result = read_suite_result(path, brief=True)
            if result.suite and result.agent:
                file = path.relative_to(folder).as_posix()
                found.append(
                    Pin(
                        result.agent, path.parent.parent.name, result.suite, result.run_id, file,
                        0.0, result.endpoint,
                    )
                )  # fmt: skip
    return found


def _encode_pins(pins: Iterable[Pin]) -> bytes:
    """One pin a line, sorted, so that two branches merge."""
    lines = [
        encode(
            {
                "agent": pin.agent,
                "name": pin.name,
                "suite": pin.suite,
                "runId": pin.run_id,
                "file": pin.file,
                "pinnedAt": pin.pinned_at,
                "agentEndpoint": pin.endpoint,
            }
        )
        for pin in sorted(pins, key=lambda pin: (pin.agent, pin.name, pin.suite))
    ]
    body = b"".join(b"\n    " + line + (b"," if line is not lines[-1] else b"") for line in lines)
    end = b"\n  ]\n}\n" if lines else b"]\n}\n"
    return b'{\n  "format": ' + encode(_FORMAT) + b',\n  "pins": [' + body + end


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _counted(verb: str, count: int, name: str) -> str:
    cases = "1 case" if count == 1 else f"{count} cases"
    return f"{verb} {cases}" + ("" if name == DEFAULT else f" as `{name}`")
