"""The list of what is pinned: `pins.json`, one pin a line."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from evaltui.core.config import Config
from evaltui.core.did_you_mean import few
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.result import CaseResult, PinnedAs
from evaltui.core.statistics.trials import Trials
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.codec import decode, encode
from evaltui.disk.damage import Report, ignore, is_damage, set_aside
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.result_wire import Count, PinnedWire
from evaltui.files import read_file

DEFAULT = "default"
PINS = "pins.json"
UNREADABLE = "baseline-unreadable"
"""Code of the problem that the list or a copy cannot be read."""
_FORMAT = "evaltui-pins/1"

PinKey: TypeAlias = tuple[str, str, str]
"""(agent, name, suite): of each there is at most one pin."""


class Pin(Struct, frozen=True):
    """One suite's baseline; `file` is below the baselines folder. When a case was pinned, and with
    how many fresh trials, its copy says; the list says it of copies that an older version made."""

    agent: str
    name: str
    suite: str
    run_id: str
    file: str
    pinned_at: float = 0.0
    """When most of its cases were pinned, in seconds since the epoch."""
    endpoint: str = ""
    """What answered: an embedded agent is never compared with a real model."""
    pinned_apart: Mapping[str, float] = {}
    """When the others were, by case id."""
    fresh: Mapping[str, tuple[int, int]] = {}
    """Passes and failures of trials that were made for the pin, by case id."""

    @property
    def key(self) -> PinKey:
        return self.agent, self.name, self.suite


_KEYS = {"run_id": "runId", "pinned_at": "pinnedAt", "pinned_apart": "pinnedApart"}


class _Wire(Struct, rename=_KEYS, omit_defaults=True):
    agent: str
    name: str
    suite: str
    run_id: str
    file: str
    pinned_at: float | None = None
    endpoint: str | None = field(default=None, name="agentEndpoint")
    pinned_apart: Mapping[str, float] | None = None
    fresh: Mapping[str, tuple[Count, Count]] | None = None


class _File(Struct):
    pins: tuple[_Wire, ...]


def pins_folder(config: Config) -> Path:
    """Beside the results folder, so that it can be committed (contract B3)."""
    return (config.root / config.output_dir).parent / "baselines"


def read_pins(folder: Path, report: Report) -> list[Pin]:
    """The pins of a baselines folder.

    A list that is missing is made anew from the copies that stand beside it, and so is a damaged
    one, which is set aside. One that is whole is believed, and copies that it does not name are
    told of: a merge may have lost their lines, and nothing falls against them.
    """
    try:
        pins = _pins_of_list(folder)
        if unnamed := {*_copies(folder)} - {folder / pin.file for pin in pins}:
            report(_unnamed(folder, [path.relative_to(folder).as_posix() for path in unnamed]))
        return pins
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        report(_damaged(folder / PINS, error))
    return _pins_of_copies(folder, report)


def reread_pins(folder: Path) -> list[Pin]:
    """As `read_pins`, but a damaged list is left alone: somebody may just be merging it.

    Raises OSError, ValueError and RecursionError.
    """
    try:
        return _pins_of_list(folder)
    except FileNotFoundError:
        return _pins_of_copies(folder)


def _pins_of_list(folder: Path) -> list[Pin]:
    return [_pin(wire) for wire in decode(_File, read_file(folder / PINS)).pins]


def _damaged(path: Path, error: Exception) -> Problem:
    hint = "The baselines were recovered from their copies; pin anything to write the list."
    if is_damage(error):
        return set_aside(path, error, hint)
    what = f"the pinned baselines cannot be read: {error}"
    return Problem(str(path), what, hint, code=UNREADABLE)


def encode_pins(pins: Iterable[Pin]) -> bytes:
    """One pin a line, sorted, so that two branches merge."""
    ordered = sorted(pins, key=lambda pin: pin.key)
    lines = [encode(_wire(pin)) for pin in ordered]
    body = b"".join(b"\n    " + line + (b"," if line is not lines[-1] else b"") for line in lines)
    end = b"\n  ]\n}\n" if lines else b"]\n}\n"
    return b'{\n  "format": ' + encode(_FORMAT) + b',\n  "pins": [' + body + end


def _pin(wire: _Wire) -> Pin:
    """Raises ValueError for a path that leads out of the folder."""
    if Path(wire.file).is_absolute() or ".." in Path(wire.file).parts:
        raise ValueError(f"`{wire.file}` is outside the folder")
    values = wire.agent, wire.name, wire.suite, wire.run_id, wire.file
    apart, fresh = wire.pinned_apart or {}, wire.fresh or {}
    return Pin(*values, wire.pinned_at or 0.0, wire.endpoint or "", apart, fresh)


def _wire(pin: Pin) -> _Wire:
    wire = _Wire(*astuple(pin))
    wire.pinned_at = pin.pinned_at or None
    wire.pinned_apart, wire.fresh = pin.pinned_apart or None, pin.fresh or None
    return wire


def _copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*/*.json"))


def _pins_of_copies(folder: Path, report: Report = ignore) -> list[Pin]:
    found: list[Pin] = []
    for path in _copies(folder):
        with suppress(UserError):
            result = read_suite_result(path, brief=True)
            if not (result.suite and result.agent):
                continue
            if any(case.pinned is None for case in result.cases):
                report(_pins_lost(path))
            file, name = path.relative_to(folder).as_posix(), path.parent.parent.name
            facts = result.agent, name, result.suite, result.run_id, file
            found.append(Pin(*facts, endpoint=result.endpoint))
    return found


def _unnamed(folder: Path, copies: Iterable[str]) -> Problem:
    return Problem(
        str(folder / PINS),
        f"it does not name the copies {few(sorted(copies), 3)}, so nothing is compared with them",
        "Restore the list from version control, or pin again; copies that were unpinned can be"
        " deleted.",
        severity=Severity.WARNING,
        code="copies-unnamed",
    )


def _pins_lost(path: Path) -> Problem:
    """What nobody notices otherwise: nothing can be proven against it, so that all seems well."""
    return Problem(
        str(path),
        f"`{PINS}` is gone, and this copy does not say when its cases were pinned and with how many"
        " fresh trials",
        f"Restore `{PINS}` from version control, or pin again: `evaltui baseline pin`.",
        severity=Severity.ERROR,
        code="pins-lost",
    )


def moment_of(pin: Pin, case: str, pinned: PinnedAs | PinnedWire | None) -> float:
    """When a case was pinned, in seconds since the epoch; 0.0 when it is unknown. `pinned`: what
    its copy says."""
    return pin.pinned_apart.get(case, pin.pinned_at) if pinned is None else pinned.at


def fresh_of(pin: Pin, case: str, pinned: PinnedAs | None) -> Trials:
    """Trials that were made for it."""
    if pinned is not None and pinned.fresh.count:
        return pinned.fresh
    return Trials(*pin.fresh.get(case, ()))


def told_by_copy(pin: Pin, result: SuiteResult) -> SuiteResult:
    """The copy of a pin, with what the list says of its cases: so it is written from now on."""
    return replace(result, cases=tuple(_told(pin, case) for case in result.cases))


def _told(pin: Pin, case: CaseResult) -> CaseResult:
    id_, known = case.key.case, case.pinned
    earlier = () if known is None else known.earlier
    pinned = PinnedAs(moment_of(pin, id_, known), fresh_of(pin, id_, known), earlier)
    return case if pinned == PinnedAs() else replace(case, pinned=pinned)


def most_and_apart(moments: Mapping[str, float]) -> tuple[float, Mapping[str, float]]:
    """`moments` by case id, as a `Baseline` has them: the commonest, of several the oldest; the
    others."""
    counts = Counter(moments.values())
    most = min(counts, key=lambda at: (-counts[at], at), default=0.0)
    return most, {case: at for case, at in moments.items() if at != most}
