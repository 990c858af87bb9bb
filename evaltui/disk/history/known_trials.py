"""How often cases passed and failed under their inputs, and what of it counts for which pin."""

from collections.abc import Iterable, Mapping, Sequence

from evaltui.core.former_prints import NO_FORMER, FormerPrints
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history_file import HistoryFile
from evaltui.disk.history.history_schema import transaction
from evaltui.disk.history.history_trials import (
    NO_RUNS,
    Of,
    Runs,
    Seen,
    count_for_pins,
    discount,
    discounted,
    trials_but,
)
from evaltui.disk.history.pinned_inputs import Pins


class KnownTrials:
    """Synchronous, and safe from any thread. Methods raise HistoryError."""

    def __init__(self, file: HistoryFile) -> None:
        self._file = file

    def of(
        self, agent: str, wanted: Iterable[Of], former: FormerPrints = NO_FORMER, on: Runs = NO_RUNS
    ) -> Mapping[Of, Trials]:
        """How often these cases passed and failed under these inputs, over all runs but those that
        are `on`, recorded or not; of those of which something is known. One look-up each, however
        long the history is."""
        return self._file.guarded(
            lambda: trials_but(self._file.connection, agent, wanted, former, on)
        )

    def note_pins(
        self,
        agent: str,
        pins: Pins,
        beside: Sequence[Pins] = (),
        former: FormerPrints = NO_FORMER,
    ) -> Seen:
        """What was known of each pin's inputs when the pin was made. It is written down when this
        history first hears of one, also of those `beside` them, which have other names: a result is
        pinned because of how it looked, so what was seen until then proves nothing.
        """
        named = (pins, *beside)
        heard = [self._discounted(agent, of, former) for of in named]
        found, unheard = heard[0][0], [of for _, of in heard]
        if not any(unheard):
            return found

        def add() -> Seen:
            with transaction(self._file.connection):
                db = self._file.connection
                first, *_ = [discount(db, agent, of, named, former) for of in unheard]
                return first

        return {**found, **self._file.guarded(add, writes=True)}

    def count_for_pins(
        self, agent: str, since: Pins, made: Pins, named: Sequence[Pins], former: FormerPrints
    ) -> Seen:
        """Remember what is known of the pins that are `made` now, and return what was made `since`
        each of those, of which this history heard already. All at one moment, so that each trial
        counts once, whoever runs and pins meanwhile. `named`: all others of the agent."""

        def add() -> Seen:
            return count_for_pins(self._file.connection, agent, since, made, named, former)

        return self._file.guarded(add, writes=True)

    def _discounted(self, agent: str, pins: Pins, former: FormerPrints) -> tuple[Seen, Pins]:
        return self._file.guarded(lambda: discounted(self._file.connection, agent, pins, former))
