"""Trials of the cases of one agent, by the inputs they were made with."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.history_trials import Of
from evaltui.disk.history.pinned_inputs import NO_PINS, Pins
from evaltui.disk.history.shared_inputs import is_alike, rows_of

_NONE = Trials()
_NOTHING_DISCOUNTED: Mapping[CaseKey, Trials] = MappingProxyType({})


class TrialCounts(Struct):
    """What the history counted, with what the run that is on adds to it."""

    pins: Pins = NO_PINS
    discounts: Mapping[CaseKey, Trials] = _NOTHING_DISCOUNTED
    """What was seen of pinned inputs before the pin; of cases that are missing, all of it."""
    counted: dict[Of, Trials] = field(default_factory=dict)
    """Of runs that are over."""
    same: dict[CaseKey, str] = field(default_factory=dict)
    """The inputs of each case's last result."""
    running: dict[CaseKey, "Running"] = field(default_factory=dict)
    unread: set[Of] = field(default_factory=set)
    """What there is of these is in the history alone: answers were judged again, a run added to
    counts that were not known or just being asked for, or nobody knows when it was recorded."""
    asked: Collection[Of] = ()
    """Those of `unread` that the history is being asked for: its answer may be without a run that
    ends meanwhile."""
    rebuilt_at: float = 0.0
    """When the history was made anew from the result files, in seconds since the epoch; 0.0: never.
    """

    def add(self, run_id: str, result: CaseResult, same: str, *, is_one_of_several: bool) -> None:
        """Count a result; of several attempts each, until they come as one."""
        key, before = result.key, self.running.get(result.key)
        all_, late = result.trials_made, result.made_late
        rows = rows_of(same)
        made = dict.fromkeys(rows, _NONE)
        made[rows[0]] = all_
        if late:
            made[rows[0]] = Trials(all_.passes, all_.failures - late)
            made[rows[-1]] += Trials(0, late)
        if before is not None and before.run_id != run_id:
            self._fold(key, before)
        elif before is not None and is_one_of_several and before.made.keys() == made.keys():
            made = {row: before.made[row] + trials for row, trials in made.items()}
        self.running[key] = Running(run_id, made, result.finished_at)
        self.same[key] = same

    def judge_again(self, key: CaseKey, same: str) -> None:
        """Its last answer was judged with these inputs; with them it may count already."""
        self.same[key] = same
        for row in rows_of(same):
            self.unread.add((key, row))

    def close(self, run_id: str, *, is_others: bool = False) -> bool:
        """The run is over: what it made is in the history. Returns whether somebody pinned some of
        it meanwhile, so that this is among what was seen before the pin by now.

        `is_others`: of another process, so that nobody knows when it was recorded.
        """
        over = {key: one for key, one in self.running.items() if one.run_id == run_id}
        for key, one in over.items():
            del self.running[key]
            self._fold(key, one, is_others=is_others)
        pinned = ((self.pins[key], one) for key, one in over.items() if key in self.pins)
        return any(one.finished_at <= pin.pinned_at for pin, one in pinned)

    def unknown(self, wanted: Iterable[Of]) -> list[Of]:
        """What the history was not asked yet of such inputs."""
        found: list[Of] = []
        for key, same in wanted:
            rows = rows_of(same) if same else ()
            for name in self._names(key):
                found += [of for row in rows if (of := (name, row)) not in self.counted]
        return found

    def is_edited(self, key: CaseKey) -> bool:
        """Whether the last result was made with other inputs than the pinned one. With another
        time limit alone it was not: what took too long then tells nothing of the pinned ones."""
        return not is_alike(self.same.get(key, ""), self.pins[key].same)

    def may_lack(self, key: CaseKey) -> bool:
        """Whether trials that counted for its pin may be lost with the history of then."""
        return key in self.pins and self.pins[key].pinned_at < self.rebuilt_at

    def baseline(self, key: CaseKey) -> Trials:
        """What counts for it: trials made for the pin, and all since then with its inputs."""
        pin = self.pins.get(key)
        if pin is None:
            return _NONE
        seen, before = self._seen(key, pin.same), self.discounts.get(key)
        if before is None:
            return pin.fresh
        return pin.fresh + seen.without(before)

    def now(self, key: CaseKey) -> Trials:
        """All trials with the inputs of the last result."""
        return self._seen(key, self.same.get(key, ""))

    def sides(self, key: CaseKey, *, is_due: bool) -> TwoSides:
        """Of now there are none where the result is due, since nothing ran with those inputs yet,
        and where nothing was edited since the pin: then all trials are the baseline's."""
        if is_due or (key in self.pins and not self.is_edited(key)):
            return TwoSides(self.baseline(key))
        return TwoSides(self.baseline(key), self.now(key))

    def _seen(self, key: CaseKey, same: str) -> Trials:
        rows, names, counted = rows_of(same), self._names(key), self.counted
        made = [counted[of] for row in rows for name in names if (of := (name, row)) in counted]
        if (running := self.running.get(key)) is not None:
            made += [running.made[row] for row in rows if row in running.made]
        # Of nearly every case there is at most one.
        return made[0] if len(made) == 1 else sum(made, _NONE)

    def _names(self, key: CaseKey) -> tuple[CaseKey, ...]:
        """Those that the case had since it was pinned, the present one first."""
        pin = self.pins.get(key)
        return (key,) if pin is None else pin.names(key)

    def _fold(self, key: CaseKey, running: "Running", *, is_others: bool = False) -> None:
        for row, trials in running.made.items():
            of = key, row
            known = self.counted.get(of)
            if is_others or known is None or of in self.asked:
                self.unread.add(of)
            self.counted[of] = trials if known is None else known + trials


class Running(Struct, frozen=True, gc=False):
    """What a run that is on made of a case so far."""

    run_id: str
    made: Mapping[str, Trials]
    """By row, as `rows_of` tells them."""
    finished_at: float = 0.0
    """Seconds since the epoch."""
