"""What trials count for pins is the same after the history was made anew from the result files."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.former_prints import NO_FORMER
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials
from evaltui.disk.baselines import baselines
from evaltui.disk.baselines.baselines import NOTHING_FRESH, Baselines
from evaltui.disk.history.history import History
from evaltui.disk.history.history_trials import counted_for, sum_of
from evaltui.disk.history.pinned_inputs import NO_PINS, PinnedInputs, Pins
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.disk.results.results_folder import write_results
from tests.disk.samples import SUITE, judged_now, no_problem, passed, suite_result

AGENT, IDS = "embedded", ("a", "b")
KEYS = {one: CaseKey(SUITE, one) for one in IDS}
SOME = st.sets(st.sampled_from(IDS), min_size=1)
OUTCOMES = st.lists(st.booleans(), min_size=1, max_size=4)
Step: TypeAlias = tuple[str, set[str], list[bool]]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("run"), SOME, OUTCOMES),
    st.tuples(st.just("pin"), SOME, st.just([])),
    st.tuples(st.just("pin --trials"), SOME, OUTCOMES),
    st.tuples(st.sampled_from(["edit", "rebuild"]), SOME, st.just([])),
)
Counted: TypeAlias = Mapping[CaseKey, Trials]


class Machine:
    """A project on one machine, whose clock shows what is told it."""

    def __init__(self, root: Path) -> None:
        self.root, self.output, self.at, self.number = root, root / "results", 1.7e9, 0
        self.pins, self.last = Baselines.load(root / "baselines"), dict[str, CaseResult]()
        self.edition = dict.fromkeys(IDS, 0)
        self.history = self.made_anew()

    def made_anew(self) -> History:
        return History.open(Path(tempfile.mkdtemp(dir=self.root)), self.output, no_problem)

    def counted(self, history: History) -> Counted:
        """What counts for each pin."""
        pins = self.pinned()
        seen = history.trials.note_pins(AGENT, pins)
        rows = {key: counted_for(key, pin) for key, pin in pins.items()}
        known = history.trials.of(AGENT, [of for each in rows.values() for of in each])
        return {key: pins[key].fresh + sum_of(known, rows[key]).without(seen[key]) for key in rows}

    def pinned(self) -> Pins:
        return self.pins.inputs(AGENT, SamePrints())

    def result(self, case: str, outcomes: list[bool]) -> CaseResult:
        statuses = [CaseStatus.PASSED if one else CaseStatus.FAILED for one in outcomes]
        attempts = tuple(TrialResult(n, one) for n, one in enumerate(statuses))
        one = passed(case, run=f"run-{self.number}")
        return replace(
            one,
            status=CaseStatus.PASSED if all(outcomes) else CaseStatus.FAILED,
            passes=sum(outcomes),
            trials=len(outcomes),
            attempts=attempts if len(attempts) > 1 else (),
            inputs=replace(one.inputs, case=f"edition {self.edition[case]}"),
            finished_at=self.at,
        )

    def run(self, cases: set[str], outcomes: list[bool]) -> None:
        self.number = self.history.next_number()
        made = {case: self.result(case, outcomes) for case in sorted(cases)}
        carried = {of: replace(one, carried_from=one.run_id) for of, one in self.last.items()}
        suite = judged_now(suite_result(*(carried | made).values(), run=f"run-{self.number}"))
        self.last |= {one.key.case: one for one in suite.cases if one.key.case in made}
        write_results(self.output, [suite])
        entry = RunRecord(suite.run_id, self.number, AGENT, finished_at=self.at)
        self.history.record(entry, suite.cases)

    def count(self, since: Pins, made: Pins) -> Counted:
        trials = self.history.trials
        return trials.count_for_pins(AGENT, since, made, [self.pinned()], NO_FORMER)

    def pin(self, cases: set[str], fresh: Counted = NOTHING_FRESH, begun: Pins = NO_PINS) -> None:
        found = [one for case, one in self.last.items() if case in cases]
        if found:
            only = [one.key for one in found]
            known = [suite_result(*found)]
            self.pins.pin("default", AGENT, known, only, fresh, SamePrints(), self.count, begun)

    def pin_fresh(self, cases: set[str], outcomes: list[bool]) -> None:
        prints = SamePrints()
        begun = {
            KEYS[case]: PinnedInputs(
                prints.of(judged_now(suite_result(one)).cases[0].inputs), self.at
            )
            for case in cases
            for one in [self.result(case, outcomes)]
        }
        self.count(NO_PINS, begun)
        self.at += 1
        self.run(cases, outcomes)
        self.at += 1
        fresh = Trials(sum(outcomes), len(outcomes) - sum(outcomes))
        self.pin(cases, dict.fromkeys(begun, fresh), begun)

    def do(self, step: str, cases: set[str], outcomes: list[bool]) -> None:
        match step:
            case "run":
                self.run(cases, outcomes)
            case "pin":
                self.pin(cases)
            case "pin --trials":
                self.pin_fresh(cases, outcomes)
            case "edit":
                self.edition |= {one: 1 - self.edition[one] for one in cases}
            case "rebuild":
                self.history.close()
                self.history = self.made_anew()


@pytest.mark.slow
@given(st.lists(STEPS, min_size=2, max_size=12))
def test_it_is_whatever_ran_and_was_pinned_before(
    steps: list[Step],
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        machine = Machine(Path(folder))
        patch.setattr(baselines, "time", SimpleNamespace(time=lambda: machine.at))
        for step in steps:
            machine.at += 1
            machine.do(*step)
            anew = machine.made_anew()
            assert machine.counted(anew) == machine.counted(machine.history), step
            anew.close()
        machine.history.close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(baselines, "time", SimpleNamespace(time=lambda: made.at))
    return made


def counts(machine: Machine) -> list[Trials]:
    return [*machine.counted(machine.made_anew()).values()]


def test_what_a_pin_was_chosen_by_does_not_count(machine: Machine) -> None:
    for outcome in False, True:
        machine.run({"a"}, [outcome])
    machine.at += 1
    machine.pin({"a"})
    assert counts(machine) == [Trials()]


@pytest.mark.parametrize("behind_s", [0.0, 5.0, 86_400.0])
def test_nor_where_the_clock_of_whoever_pinned_is_behind(machine: Machine, behind_s: float) -> None:
    for outcome in False, True:
        machine.run({"a"}, [outcome])
        machine.at += 1
    machine.at -= behind_s
    machine.pin({"a"})
    machine.at += behind_s + 1
    machine.run({"a"}, [False])
    assert counts(machine) == [Trials(0, 1)]


def test_nor_does_anything_where_the_pin_does_not_say_when_it_was_made(machine: Machine) -> None:
    machine.run({"a"}, [True])
    pins = {KEYS["a"]: PinnedInputs(SamePrints().of(machine.last["a"].inputs), 0.0)}
    anew = machine.made_anew()
    assert anew.trials.note_pins(AGENT, pins) == {KEYS["a"]: Trials(1, 0)}
    anew.close()


def test_a_history_knows_when_it_was_made_anew(machine: Machine) -> None:
    machine.run({"a"}, [True])
    assert machine.history.rebuilt_at() == 0.0
    assert machine.made_anew().rebuilt_at() > machine.at
