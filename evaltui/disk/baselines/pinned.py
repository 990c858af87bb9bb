"""What is pinned in one folder, by agent and name."""

from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Self, TypeAlias

from msgspec.structs import replace

from evaltui.core.agent_name import is_other_version
from evaltui.core.baseline import Baseline, NamedBaseline, pin_moments
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.former_prints import FormerPrints
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.core.staleness import have_rules_changed
from evaltui.core.statistics.trials import Trials
from evaltui.disk.baselines.baseline_reading import (
    PinnedDemands,
    is_comparable,
    read_baseline,
    read_demands,
    read_inputs,
)
from evaltui.disk.baselines.pins import (
    DEFAULT,
    PINS,
    UNREADABLE,
    Pin,
    fresh_of,
    moment_of,
    read_pins,
    reread_pins,
    told_by_copy,
)
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.disk.results.result_file import read_case_line, read_suite_result
from evaltui.files import is_there, stamp
from evaltui.judging.judge import RULES

PinKey: TypeAlias = tuple[str, str, str]
"""(agent, name, suite)."""


def still_fresh(
    before: SuiteResult, chosen: Iterable[CaseResult], former: FormerPrints
) -> dict[CaseKey, Trials]:
    """The trials that count for a pin by itself, of the cases to which the same inputs led."""
    prints = SamePrints(lambda: former)
    known = {case.key: case for case in before.cases}
    pairs = ((known[case.key], case) for case in chosen if case.key in known)
    return {
        case.key: then.pinned.fresh if then.pinned else Trials()
        for then, case in pairs
        if is_alike(prints.of(then.inputs), prints.of(case.inputs))
    }


class Pinned:
    """Reads the copies that the pins name; a damaged one becomes a problem."""

    def __init__(self, folder: Path) -> None:
        """Of a folder that is not read yet: nothing is pinned."""
        self.folder = folder
        self.problems: list[Problem] = []
        """Damaged files found so far."""
        self.unread: Problem | None = None
        """Why the list cannot be read now, while those known before stay in force."""
        self._pins: dict[PinKey, Pin] = {}
        self._ids: dict[Path, tuple[tuple[int, int], frozenset[str]]] = {}
        self._places: tuple[Path, ...] = (folder / PINS,)
        """The list and the folders of the copies: all files are written anew under their name."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the pins; a damaged list is made anew from the copies that stand beside it."""
        made = cls(folder)
        made.reload()
        return made

    def reload(self) -> None:
        """Read the pins again: other processes and version control change them too."""
        self._take(read_pins(self.folder, self._tell))

    def _tell(self, problem: Problem) -> None:
        if problem not in self.problems:  # the list is read again before each pin
            self.problems.append(problem)

    def follow(self) -> bool:
        """Read the pins again while somebody else may be writing them.

        Returns whether they could be read; if not, those known stay, and the file is left alone.
        """
        try:
            self._take(reread_pins(self.folder))
        except (OSError, ValueError, RecursionError) as error:
            self.unread = Problem(
                str(self.folder / PINS),
                f"the pinned baselines cannot be read now: {error}",
                "Those that were read before stay in force until it can be read.",
                severity=Severity.WARNING,
                code=UNREADABLE,
            )
            return False
        return True

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """Another one once the list, or a copy that it names, was written by anybody."""
        return tuple(stamp(path) for path in self._places)

    def _take(self, pins: Iterable[Pin]) -> None:
        self.unread = None
        self._pins = {(pin.agent, pin.name, pin.suite): pin for pin in pins}
        copies = {(self.folder / pin.file).parent for pin in self._pins.values()}
        self._places = (self.folder / PINS, *sorted(copies))

    def names(self, agent: str) -> tuple[str, ...]:
        """Names with at least one pin of this agent, the default first."""
        names = {pin.name for pin in self._pins.values() if pin.agent == agent}
        return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))

    def named(self, agent: str) -> tuple[NamedBaseline, ...]:
        """What is pinned under each of the `names`; copies that cannot be read count nothing."""
        found: list[NamedBaseline] = []
        for name in self.names(agent):
            baselines = self.in_force(agent, name)
            cases = sum(len(baseline.cases) for baseline in baselines)
            found.append(NamedBaseline(name, cases, pin_moments(baselines)))
        return tuple(found)

    def name_in_force(self, agent: str, wanted: str) -> str:
        """The name that settings want where something is pinned under it; it may be of a run."""
        is_pinned = any((pin.agent, pin.name) == (agent, wanted) for pin in self._pins.values())
        return wanted if is_pinned else DEFAULT

    def agents(self, name: str | None = None) -> tuple[str, ...]:
        """Those of which something is pinned, under this name if one is given."""
        pins = self._pins.values()
        return tuple(dict.fromkeys(pin.agent for pin in pins if name in (None, pin.name)))

    def ids(self, agent: str, name: str = DEFAULT) -> Mapping[str, frozenset[str]]:
        """The pinned cases by suite; a copy is read once for each of its contents."""
        found: dict[str, frozenset[str]] = {}
        for pin in self.pins(agent, name):
            path = self.folder / pin.file
            at = stamp(path)
            known = self._ids.get(path)
            if known is None or known[0] != at:
                try:
                    known = self._ids[path] = (at, frozenset(read_baseline(path).cases))
                except UserError:
                    continue  # who compares with it says so
            found[pin.suite] = known[1]
        return found

    def pins(self, agent: str, name: str = DEFAULT) -> tuple[Pin, ...]:
        return tuple(pin for pin in self._pins.values() if (pin.agent, pin.name) == (agent, name))

    def of_other_versions(self, agent: str, name: str = DEFAULT) -> tuple[Pin, ...]:
        """What is pinned of earlier versions of the embedded agent and not of this one.

        It is never compared with: another version may decide otherwise.
        """
        own = {pin.suite for pin in self.pins(agent, name)}
        return tuple(
            pin
            for pin in self._pins.values()
            if pin.name == name and pin.suite not in own and is_other_version(pin.agent, agent)
        )

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
                baseline = read_baseline(self.folder / pin.file, pin)
            except UserError as error:
                self._complain(pin, error)
                continue
            found.append(replace(baseline, name=name, agent=agent))
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

    def whole(self, suite: str, agent: str, name: str = DEFAULT) -> SuiteResult | None:
        """The pinned copy of a suite with its answers; `None` where it cannot be read."""
        return self._pinned(self._pins.get((agent, name, suite)))

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

    def inputs(
        self,
        agent: str,
        prints: SamePrints,
        name: str = DEFAULT,
        suites: Container[str] | None = None,
    ) -> dict[CaseKey, PinnedInputs]:
        """What each pinned case is compared with, of these suites or of all; copies that cannot be
        read, cases of which nothing is known, and those whose trials other rules of judging judged
        are left out."""
        found: dict[CaseKey, PinnedInputs] = {}
        for pin in self.pins(agent, name):
            if suites is not None and pin.suite not in suites:
                continue
            try:
                read = read_inputs(self.folder / pin.file)
            except UserError:
                continue  # who compares with it says so
            for case, (inputs, pinned) in read.items():
                if have_rules_changed(inputs.rules, RULES):
                    continue
                if same := prints.of(inputs):
                    fresh = fresh_of(pin, case, pinned)
                    asked = prints.asked(inputs)
                    earlier = pinned.earlier if pinned is not None else ()
                    one = PinnedInputs(same, moment_of(pin, case, pinned), fresh, asked, earlier)
                    found[CaseKey(pin.suite, case)] = one
        return found

    def earlier_names(self, suites: Container[str]) -> dict[CaseKey, tuple[CaseKey, ...]]:
        """What cases were called before, as any pin says it: of whatever agent, name and inputs."""
        found: dict[CaseKey, tuple[CaseKey, ...]] = {}
        for pin in self._pins.values():
            if pin.suite not in suites:
                continue
            try:
                read = read_inputs(self.folder / pin.file)
            except UserError:
                continue  # who compares with it says so
            for case, (_, pinned) in read.items():
                if pinned is not None and pinned.earlier:
                    key = CaseKey(pin.suite, case)
                    found[key] = (*dict.fromkeys((*found.get(key, ()), *pinned.earlier)),)
        return found

    def demands(self, agent: str, name: str = DEFAULT) -> dict[CaseKey, PinnedDemands]:
        """What is known of the checks of each pinned case; copies that cannot be read are left
        out."""
        found: dict[CaseKey, PinnedDemands] = {}
        for pin in self.pins(agent, name):
            try:
                _, read = read_demands(self.folder / pin.file)
            except UserError:
                continue  # who compares with it says so
            found |= {CaseKey(pin.suite, case): one for case, one in read.items()}
        return found

    def refuse_unreadable(self, name: str, agent: str, suites: Container[str]) -> None:
        """Raises UserError where a copy of these suites is there and cannot be read."""
        for pin in self.pins(agent, name):
            if pin.suite in suites:
                self._refuse_unreadable(pin)

    def _refuse_unreadable(self, pin: Pin) -> None:
        path = self.folder / pin.file
        if not is_there(path):
            return
        try:
            read_baseline(path)
        except UserError as error:
            what = _unreadable(pin, error)
            raise UserError(what[0].upper() + what[1:], _HOW_TO_MEND) from error

    def _pinned(self, pin: Pin | None) -> SuiteResult | None:
        if pin is None:
            return None
        try:
            return told_by_copy(pin, read_suite_result(self.folder / pin.file))
        except UserError as error:
            self._complain(pin, error)
            return None

    def _complain(self, pin: Pin, error: UserError) -> None:
        problem = Problem(
            str(self.folder / pin.file),
            _unreadable(pin, error),
            _HOW_TO_MEND,
            code=UNREADABLE,
        )
        if problem not in self.problems:
            self.problems.append(problem)


_HOW_TO_MEND = "Restore it from version control, or delete it and pin the suite again."


def _unreadable(pin: Pin, error: UserError) -> str:
    return f"the baseline of `{pin.suite}` cannot be read: {error.what}"
