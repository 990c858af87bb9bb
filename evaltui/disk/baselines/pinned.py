"""The copies of what is pinned in one folder, by agent and name."""

from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from evaltui.core.baseline import Baseline, NamedBaseline, pin_moments
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, UserError
from evaltui.core.result import CaseResult
from evaltui.core.staleness import have_rules_changed
from evaltui.core.statistics.trials import Trials
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.baselines.baseline_reading import (
    PinnedDemands,
    is_comparable,
    read_baseline,
    read_demands,
    read_inputs,
)
from evaltui.disk.baselines.pin_list import PinList
from evaltui.disk.baselines.pins import (
    DEFAULT,
    UNREADABLE,
    Pin,
    fresh_of,
    moment_of,
    told_by_copy,
)
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.disk.results.result_file import read_case_line, read_suite_result
from evaltui.files import is_there, stamp
from evaltui.judging.judge import RULES


def still_fresh(
    before: SuiteResult, chosen: Iterable[CaseResult], prints: SamePrints
) -> dict[CaseKey, Trials]:
    """The trials that count for a pin by itself, of the cases to which the same inputs led."""
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
        self.listed = PinList(folder, self._tell)
        """Which copies there are."""
        self._ids: dict[Path, tuple[tuple[int, int], frozenset[str]]] = {}

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read which pins there are, as by `PinList.reload`."""
        made = cls(folder)
        made.listed.reload()
        return made

    def _tell(self, problem: Problem) -> None:
        if problem not in self.problems:  # the list is read again before each pin
            self.problems.append(problem)

    def named(self, agent: str) -> tuple[NamedBaseline, ...]:
        """What is pinned under each of the `names`; copies that cannot be read count nothing."""
        found: list[NamedBaseline] = []
        for name in self.listed.names(agent):
            baselines = self.in_force(agent, name)
            cases = sum(len(baseline.cases) for baseline in baselines)
            found.append(NamedBaseline(name, cases, pin_moments(baselines)))
        return tuple(found)

    def ids(self, agent: str, name: str = DEFAULT) -> Mapping[str, frozenset[str]]:
        """The pinned cases by suite; a copy is read once for each of its contents."""
        found: dict[str, frozenset[str]] = {}
        for pin in self.listed.pins(agent, name):
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

    def in_force(
        self, agent: str, name: str = DEFAULT, *, endpoint: str = ""
    ) -> tuple[Baseline, ...]:
        """The baselines to compare with. `endpoint` is what answers now, if known: pins of an
        embedded agent are then left out for a real one, and the other way round."""
        found: list[Baseline] = []
        for pin in self.listed.pins(agent, name):
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
        pin = self.listed.pin(agent, name, key.suite)
        if pin is None:
            return None
        try:
            return read_case_line(self.folder / pin.file, key)
        except (OSError, ValueError):
            return None

    def whole(self, suite: str, agent: str, name: str = DEFAULT) -> SuiteResult | None:
        """The pinned copy of a suite with its answers; `None` where it cannot be read."""
        return self._pinned(self.listed.pin(agent, name, suite))

    def fingerprints(self, agent: str, name: str = DEFAULT) -> Mapping[CaseKey, str]:
        """`Inputs.case` of every pinned case: an immutable one that differs was edited (B6)."""
        pinned = (self._pinned(pin) for pin in self.listed.pins(agent, name))
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
        for pin in self.listed.pins(agent, name):
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
                    at, is_of_agent = moment_of(pin, case, pinned), bool(inputs.agent)
                    one = PinnedInputs(same, at, fresh, asked, earlier, is_of_agent)
                    found[CaseKey(pin.suite, case)] = one
        return found

    def earlier_names(self, suites: Container[str]) -> dict[CaseKey, tuple[CaseKey, ...]]:
        """What cases were called before, as any pin says it: of whatever agent, name and inputs."""
        found: dict[CaseKey, tuple[CaseKey, ...]] = {}
        for pin in self.listed:
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
        for pin in self.listed.pins(agent, name):
            try:
                _, read = read_demands(self.folder / pin.file)
            except UserError:
                continue  # who compares with it says so
            found |= {CaseKey(pin.suite, case): one for case, one in read.items()}
        return found

    def refuse_unreadable(self, name: str, agent: str, suites: Container[str]) -> None:
        """Raises UserError where a copy of these suites is there and cannot be read."""
        for pin in self.listed.pins(agent, name):
            if pin.suite in suites:
                refuse_unreadable(self.folder, pin)

    def _pinned(self, pin: Pin | None) -> SuiteResult | None:
        if pin is None:
            return None
        try:
            return told_by_copy(pin, read_suite_result(self.folder / pin.file))
        except UserError as error:
            self._complain(pin, error)
            return None

    def _complain(self, pin: Pin, error: UserError) -> None:
        place = str(self.folder / pin.file)
        self._tell(Problem(place, _unreadable(pin, error), _HOW_TO_MEND, code=UNREADABLE))


def refuse_unreadable(folder: Path, pin: Pin) -> None:
    """Raises UserError where the copy is there and cannot be read."""
    path = folder / pin.file
    if not is_there(path):
        return
    try:
        read_baseline(path)
    except UserError as error:
        what = _unreadable(pin, error)
        raise UserError(what[0].upper() + what[1:], _HOW_TO_MEND) from error


_HOW_TO_MEND = "Restore it from version control, or delete it and pin the suite again."


def _unreadable(pin: Pin, error: UserError) -> str:
    return f"the baseline of `{pin.suite}` cannot be read: {error.what}"
