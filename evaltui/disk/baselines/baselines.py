"""Pinned baselines: which results later runs are compared with, kept in files to be committed.

`pins.json` says which run is pinned by agent, name and suite; a copy of each pinned result stands
beside it (contract B3), so that cleaning the results folder loses no baseline.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, PinnedAs
from evaltui.core.statistics.trials import Trials
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.baselines.pinned import Pinned, still_fresh
from evaltui.disk.baselines.pinned_copy import joined, renamed, with_cases
from evaltui.disk.baselines.pins import DEFAULT, Pin, PinKey
from evaltui.disk.baselines.written_pins import PinChange, WrittenPins
from evaltui.disk.file_lock import writing_in
from evaltui.disk.history.pinned_inputs import NO_PINS, PinnedInputs, Pins
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.disk.results.result_file import encode_suite_result

Counting: TypeAlias = Callable[[Pins, Pins], Mapping[CaseKey, Trials]]
"""How many trials were made since each of these pins was made, where that is known, now that those
others are."""
NO_TRIALS = Trials()
NOTHING_FRESH: Mapping[CaseKey, Trials] = MappingProxyType({})


def nothing_counted(_since: Pins, _made: Pins) -> Mapping[CaseKey, Trials]:
    """As without a history."""
    return NOTHING_FRESH


class Baselines(Pinned):
    """Pins and unpins in one folder. Methods that write raise OSError, and UserError where they
    would replace a copy that cannot be read: it may hold what else is pinned of its suite."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._written = WrittenPins(self.listed)

    def pin(
        self,
        name: str,
        agent: str,
        results: Iterable[SuiteResult],
        only: Collection[CaseKey] | None = None,
        fresh: Mapping[CaseKey, Trials] = NOTHING_FRESH,
        prints: SamePrints | None = None,
        count: Counting = nothing_counted,
        begun: Pins = NO_PINS,
    ) -> PinChange:
        """Pin suites; with `only`, those cases join what is pinned of their suite already.

        `fresh`: trials that were made to be pinned, whatever they came to. Where the inputs are the
        same, what counted for the pin before counts on, and with it all trials since then, fresh
        ones among them: else who pins again until all of them pass would choose among them. Where
        they are not, all count that were made since the fresh ones were `begun`. `count` says how
        many these are, if it knows; else the fresh ones count alone.
        """
        with writing_in(self.folder):
            self.listed.reload()
            results = tuple(results)
            self.refuse_unreadable(name, agent, {result.suite for result in results})
            return self._pin(
                name, agent, results, only, fresh, prints or SamePrints(), count, begun
            )

    def _pin(
        self,
        name: str,
        agent: str,
        results: tuple[SuiteResult, ...],
        only: Collection[CaseKey] | None,
        fresh: Mapping[CaseKey, Trials],
        prints: SamePrints,
        count: Counting,
        begun: Pins,
    ) -> PinChange:
        now, suites = _moment(results, only), {result.suite for result in results}
        of_name, earlier = self.inputs(agent, prints, name, suites), self.earlier_names(suites)
        wanted: list[tuple[SuiteResult, tuple[CaseResult, ...], SuiteResult | None]] = []
        kept: dict[CaseKey, Trials] = {}
        since: dict[CaseKey, PinnedInputs] = {}
        made: dict[CaseKey, PinnedInputs] = {}
        for result in results:
            chosen = tuple(case for case in result.cases if only is None or case.key in only)
            if not chosen:
                continue
            known = self.listed.pin(agent, name, result.suite)
            before = self._pinned(known) if only else None
            wanted.append((result, chosen, before))
            if before is not None:
                kept |= still_fresh(before, chosen, prints)
            for case in chosen:
                same = prints.of(case.inputs)
                made[case.key] = PinnedInputs(same, now, earlier=earlier.get(case.key, ()))
                first = (of_name if case.key in kept else begun).get(case.key)
                if first is not None and is_alike(first.same, same):
                    since[case.key] = first
        later = count(since, {key: one for key, one in made.items() if one.same})
        files: dict[Path, bytes | None] = {}
        pins: dict[PinKey, Pin | None] = {}
        for result, chosen, before in wanted:
            path = self._written.path(name, agent, result.suite)
            chosen = tuple(
                replace(case, pinned=PinnedAs(now, counted, made[case.key].earlier))
                for case in chosen
                for own in [later.get(case.key, fresh.get(case.key, NO_TRIALS))]
                for counted in [kept.get(case.key, NO_TRIALS) + own]
            )
            pinned = joined(before, result, chosen)
            files[path] = encode_suite_result(pinned, brief=True)
            file = path.relative_to(self.folder).as_posix()
            facts = agent, name, result.suite, result.run_id, file
            pins[agent, name, result.suite] = Pin(*facts, endpoint=result.endpoint)
        pinned_cases = sum(len(chosen) for _, chosen, _ in wanted)
        return self._written.commit(_counted("Pinned", pinned_cases, name), files, pins, only)

    def unpin(
        self,
        name: str,
        agent: str,
        suites: Collection[str] | None = None,
        only: Collection[CaseKey] | None = None,
    ) -> PinChange:
        """Unpin whole suites, single cases with `only`, or with neither everything of that name."""
        with writing_in(self.folder):
            self.listed.reload()
            if only is not None:
                self.refuse_unreadable(name, agent, {key.suite for key in only})
            return self._unpin(name, agent, suites, only)

    def _unpin(
        self,
        name: str,
        agent: str,
        suites: Collection[str] | None,
        only: Collection[CaseKey] | None,
    ) -> PinChange:
        files: dict[Path, bytes | None] = {}
        pins: dict[PinKey, Pin | None] = {}
        count = 0
        touched = suites if only is None else {key.suite for key in only}
        for pin in self.listed.pins(agent, name):
            if touched is not None and pin.suite not in touched:
                continue
            before = self._pinned(pin)
            cases = before.cases if before else ()
            left = () if only is None else tuple(case for case in cases if case.key not in only)
            count += len(cases) - len(left)
            if before is not None and left:
                rest = encode_suite_result(with_cases(before, left), brief=True)
                files[self.folder / pin.file] = rest
            else:
                files[self.folder / pin.file] = None
                pins[agent, name, pin.suite] = None
        return self._written.commit(_counted("Unpinned", count, name), files, pins, only)

    def move(self, name: str, agent: str, moves: Mapping[CaseKey, CaseKey]) -> PinChange:
        """Give the pinned results of cases to those that have another name by now."""
        with writing_in(self.folder):
            self.listed.reload()
            touched = {key.suite for old_and_new in moves.items() for key in old_and_new}
            self.refuse_unreadable(name, agent, touched)
            return self._move(name, agent, moves)

    def _move(self, name: str, agent: str, moves: Mapping[CaseKey, CaseKey]) -> PinChange:
        before = {pin.suite: (pin, self._pinned(pin)) for pin in self.listed.pins(agent, name)}
        left = {suite: [*result.cases] for suite, (_, result) in before.items() if result}
        files: dict[Path, bytes | None] = {}
        pins: dict[PinKey, Pin | None] = {}
        origins: dict[str, str] = {}
        count = 0
        for old, new in moves.items():
            case = next((one for one in left.get(old.suite, ()) if one.key == old), None)
            if case is not None:
                count += 1
                left[old.suite].remove(case)
                left.setdefault(new.suite, []).append(renamed(case, new))
                origins.setdefault(new.suite, old.suite)
        touched = {key for old, new in moves.items() if old.suite in left for key in (old, new)}
        for suite in sorted({key.suite for key in touched}):
            pin, result = before[suite if suite in left and suite in before else origins[suite]]
            cases = tuple(left[suite])
            path = self._written.path(name, agent, suite)
            if result is None or not cases:
                files[path] = None
                pins[agent, name, suite] = None
                continue
            whole = with_cases(replace(result, suite=suite), cases)
            files[path] = encode_suite_result(whole, brief=True)
            file = path.relative_to(self.folder).as_posix()
            pins[agent, name, suite] = Pin(
                agent, name, suite, pin.run_id, file, endpoint=pin.endpoint
            )
        return self._written.commit(
            _counted("Moved the baseline of", count, name), files, pins, touched
        )


def _moment(results: Iterable[SuiteResult], only: Collection[CaseKey] | None) -> float:
    """Now, in seconds since the epoch; not before anything that is pinned, whatever the clock says:
    a trial counts for a pin by when it finished."""
    pinned = (case for result in results for case in result.cases)
    finished = (case.finished_at for case in pinned if only is None or case.key in only)
    return round(max([time.time(), *finished]), 3)


def _counted(verb: str, count: int, name: str) -> str:
    cases = "1 case" if count == 1 else f"{count} cases"
    return f"{verb} {cases}" + ("" if name == DEFAULT else f" as `{name}`")
