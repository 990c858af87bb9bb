"""What the history is asked about trials, and what is told while they are not weighed."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import CaseKey
from evaltui.core.former_prints import NO_FORMER
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.session.trials import trial_reading as module
from evaltui.session.trials.trial_counts import TrialCounts
from evaltui.store.row import Row
from tests.session.priced import PAID
from tests.tui import scene

if TYPE_CHECKING:
    from evaltui.session.baselines import Baselines
    from evaltui.session.project_state import ProjectState

(SUITE,) = scene.suites(2, 1)
CASE, ANOTHER = SUITE.cases
KEY, OTHER = CASE.key, ANOTHER.key
SEEN = TwoSides(Trials(1, 0))
NAMED = {OTHER: PinnedInputs("x", 0.5)}


class Past:
    """Knows one trial of the first case, whatever its inputs."""

    def __init__(self) -> None:
        self.asked: list[list[Any]] = []
        self.is_locked = False
        self.recorded = ""
        """The run whose results it has."""
        self.meanwhile: Callable[[], object] = lambda: None

    def of(
        self, _agent: str, wanted: list[Any], _former: object, but: dict[CaseKey, Any]
    ) -> dict[Any, Trials]:
        self.asked.append(wanted)
        self.meanwhile()
        known = {of: Trials(1, 0) for of in wanted if of[0] == KEY}
        for key, (run_id, made) in but.items():
            if run_id == self.recorded:
                known |= {(key, row): known[key, row].without(made[row]) for row in made}
        return known

    def note_pins(self, _agent: str, pins: object, beside: object, _: object) -> dict[Any, Trials]:
        if self.is_locked:
            raise HistoryError("it is locked")
        assert pins
        assert beside == (NAMED,), "those of other names count from now on too"
        return {KEY: Trials(2, 0)}


class Made:
    def __init__(self) -> None:
        self.past, self.counts = Past(), TrialCounts()
        pins = {KEY: PinnedInputs("x", 1.0, asked="as now")}
        self.project = SimpleNamespace(suite=lambda _: SUITE, former_prints=NO_FORMER)
        state = SimpleNamespace(
            record=SimpleNamespace(
                history=SimpleNamespace(trials=self.past, rebuilt_at=lambda: 0.0)
            ),
            project=self.project,
        )
        baselines = SimpleNamespace(
            inputs=lambda _agent, _prints: pins, inputs_beside=lambda _agent, _prints: (NAMED,)
        )
        self.reading = module.TrialReading(
            PAID, cast("ProjectState", state), cast("Baselines", baselines), self.counts
        )
        prints = SimpleNamespace(of=lambda _: "x", asked=lambda _: "as now")
        self.reading.prints = cast("Any", prints)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setattr(module, "InputsOf", lambda *_: lambda *_: Inputs())
    return Made()


def row(status: CaseStatus | None = CaseStatus.FAILED, *, is_due: bool = False) -> Row:
    """Pinned as a pass."""
    result = None if status is None else scene.result(CASE, status)
    found = Row(KEY, CASE, SUITE, result, baseline=BaselineCase(CaseStatus.PASSED))
    found.due = DueCase(KEY, Degree.AFFECTED, ("changed",)) if is_due else None
    return found


async def test_the_history_is_asked_once_of_what_is_not_known(made: Made) -> None:
    made.counts.counted[KEY, "known"] = Trials(5, 5)
    for _ in range(2):
        await made.reading.read([(KEY, "x"), (OTHER, "x"), (KEY, "known")])
    assert made.past.asked == [[(KEY, "x"), (OTHER, "x")], []]
    assert made.counts.counted == {
        (KEY, "known"): Trials(5, 5),
        (KEY, "x"): Trials(1, 0),
        (OTHER, "x"): Trials(),
    }


async def test_before_a_run_it_is_asked_of_the_inputs_that_come(made: Made) -> None:
    gone = row()
    gone.suite = scene.suites(1, 1)[0]
    await made.reading.read_next([gone], cast("Any", made.project), 1)
    assert made.past.asked == [[]], "its file was read again since"
    await made.reading.read_next([row()], cast("Any", made.project), 1)
    assert made.counts.counted == {(KEY, "x"): Trials(1, 0)}


async def test_what_was_judged_again_is_read_again(made: Made) -> None:
    assert await made.reading.read_again() == set()
    assert made.past.asked == []
    made.counts.unread, made.counts.counted[KEY, "x"] = {(KEY, "x")}, Trials(0, 9)
    assert await made.reading.read_again() == {KEY}
    assert (made.counts.counted[KEY, "x"], made.counts.unread) == (Trials(1, 0), set())


async def test_what_a_run_made_that_ends_while_the_history_is_asked_is_not_lost(made: Made) -> None:
    counts, of = made.counts, (KEY, "x")
    counts.unread, counts.counted[of] = {of}, Trials(0, 9)
    counts.add("run", scene.result(CASE, CaseStatus.FAILED), "x", is_one_of_several=False)
    made.past.meanwhile = lambda: counts.close("run")
    await made.reading.read_again()
    assert (counts.counted[of], counts.unread) == (Trials(0, 10), {of}), "it is asked once more"
    await made.reading.read_again()
    assert (counts.counted[of], counts.unread) == (Trials(1, 0), set())


@pytest.mark.parametrize("is_read_again", [False, True])
@pytest.mark.parametrize("recorded", ["", "run"])
async def test_what_is_recorded_of_a_run_whose_end_is_not_told_yet_counts_once(
    made: Made, recorded: str, is_read_again: bool
) -> None:
    counts, of = made.counts, (KEY, "x")
    counts.add("run", scene.result(CASE, CaseStatus.PASSED), "x", is_one_of_several=False)
    made.past.recorded = recorded
    if is_read_again:
        counts.unread = {of}
        await made.reading.read_again()
    else:
        await made.reading.read([of])
    known = Trials(1 if recorded else 2, 0)
    assert counts.now(KEY) == known
    counts.close("run")
    assert (counts.now(KEY), counts.counted[of]) == (known, known)


async def test_pins_are_read_with_what_counts_for_them_or_once_more(made: Made) -> None:
    made.past.is_locked = True
    with pytest.raises(HistoryError):
        await made.reading.read_pins()
    assert (made.reading.are_pins_read, made.counts.pins) == (False, {})
    made.past.is_locked = False
    await made.reading.read_pins()
    assert made.reading.are_pins_read
    assert ({*made.counts.pins}, made.counts.discounts) == ({KEY}, {KEY: Trials(2, 0)})
    assert made.counts.baseline(KEY) == Trials(), "two of them were seen before the pin"


async def test_only_a_result_has_inputs(made: Made) -> None:
    assert await made.reading.same([row()]) == {KEY: "x"}
    assert await made.reading.same([row(None)]) == {}


async def test_an_answer_that_was_asked_for_alike_is_judged_otherwise(made: Made) -> None:
    assert not made.reading.is_judged_otherwise(row()), "it is not pinned"
    await made.reading.read_pins()
    made.counts.same[KEY] = "x"
    assert not made.reading.is_judged_otherwise(row()), "nothing was edited"
    made.counts.same[KEY] = "y"
    assert made.reading.is_judged_otherwise(row())
    assert not made.reading.is_judged_otherwise(row(None))
    for asked in ("otherwise", ""):
        made.counts.pins = {KEY: PinnedInputs("x", 1.0, asked=asked)}
        assert not made.reading.is_judged_otherwise(row())


async def test_of_what_changed_and_is_due_it_is_told_whether_it_would_run_as_pinned(
    made: Made,
) -> None:
    def told(one: Row, sides: TwoSides = SEEN) -> tuple[bool, bool]:
        proof = made.reading.not_weighed(one, sides, cast("Any", made.project))
        assert (proof.key, proof.sides) == (KEY, sides)
        return proof.is_due, proof.is_as_pinned

    assert told(row(is_due=True)) == (True, False), "nothing is pinned"
    await made.reading.read_pins()
    assert told(row(is_due=True)) == (True, True)
    assert told(row()) == (False, False)
    assert told(row(is_due=True), TwoSides()) == (False, False), "there are no trials"
    assert told(row(CaseStatus.PASSED, is_due=True)) == (True, False), "it did not change"
    made.counts.pins = {KEY: PinnedInputs("y", 1.0)}
    assert told(row(is_due=True)) == (True, False)
    made.project.suite = lambda _: None
    made.counts.pins = {KEY: PinnedInputs("x", 1.0)}
    assert told(row(is_due=True)) == (True, False), "its file is gone"
