"""Which cases an edit can affect, and what the trials of all of them prove together."""

from collections.abc import Container, Iterable

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.proof import Level, Proof, weigh
from evaltui.core.statistics.trials import TwoSides
from evaltui.session.project_state import ProjectState
from evaltui.session.trials.cases_beside import CasesBeside
from evaltui.session.trials.trial_counts import TrialCounts
from evaltui.session.trials.trial_reading import TrialReading
from evaltui.store.row import Row


class Weighing:
    """Of one agent; what is weighed anew changes what a proof takes of all."""

    def __init__(
        self,
        state: ProjectState,
        counts: TrialCounts,
        history: TrialReading,
        beside: CasesBeside,
    ) -> None:
        self.proofs: dict[CaseKey, Proof] = {}
        """As they were found last."""
        self.affected: set[CaseKey] = set()
        """Those that the edits can affect, whatever their trials came to and whoever muted, deleted
        or emptied some of them since: else whoever knows outcomes could lower what a proof takes.
        Only pinning does, and each process finds the same."""
        self._state, self._counts, self._history = state, counts, history
        self._beside = beside
        self._edited: dict[CaseKey, TwoSides] = {}
        """Of the cases of which there are trials that may prove something of the edits."""
        self._judged_otherwise: set[CaseKey] = set()
        """Those of them of which only the expectation was edited."""

    @property
    def level(self) -> Level:
        """What a proof takes now."""
        settings = self._state.config.regressions
        return Level(len(self.affected), settings.alpha, settings.max_trials)

    def work_out(self, rows: Iterable[Row]) -> None:
        """Have the inputs at hand that those would run with that never ran: of 20,000 it takes most
        of a second, so that it is done on a worker."""
        for row in rows:
            if row.result is None:
                self._is_affected(row)

    def begin_anew(self) -> None:
        """All rows are about to be looked at, and what is pinned and has none counts too."""
        self._edited.clear()
        self._judged_otherwise.clear()
        pins = self._counts.pins
        self.affected = self._beside.gone(key for key, pin in pins.items() if pin.is_of_agent)

    def news(
        self, changed: Iterable[Row], board: Container[CaseKey], *, is_whole: bool
    ) -> tuple[Proof, ...]:
        """The proofs that are others than those of before, of cases that are on the board."""
        before = {} if is_whole else self.proofs
        found: dict[CaseKey, Proof] = {}
        for row in changed:
            key = row.key
            if key in self.affected:
                self._edited.pop(key, None)
                self.affected.discard(key)
                self._judged_otherwise.discard(key)
            is_affected = self._is_affected(row)
            if is_affected:
                self.affected.add(key)
            proof = self._not_weighed(row)
            if proof is not None:
                found[key] = proof
            elif key in before:
                found[key] = Proof(key)
            # What is not held against its pin is on no list, and counts for its length.
            is_held = row.is_comparable and not row.muted and not row.has_other_inputs
            if proof is not None and is_affected and is_held:
                self._edited[key] = proof.sides
                if self._history.is_judged_otherwise(row):
                    self._judged_otherwise.add(key)
        for key, proof in weigh(self._edited, self.level).items():
            found[key] = replace(proof, is_judged_otherwise=key in self._judged_otherwise)
        news = {
            key: one
            for key, one in found.items()
            if key in board and one != (before.get(key) or Proof(key))
        }
        self.proofs = {**before, **news}
        return tuple(news.values())

    def _not_weighed(self, row: Row) -> Proof | None:
        """`None`, as of nearly all, where there is nothing to say of its trials."""
        if not row.case.asks_agent:
            return None
        sides = self._counts.sides(row.key, is_due=row.has_other_inputs)
        proof = self._history.not_weighed(row, sides, self._beside.project_of(row.key))
        # Without one to compare with trials say no more than that their outcomes differ.
        return proof if row.is_comparable or proof.is_flaky else None

    def _is_affected(self, row: Row) -> bool:
        """Whether an edit since the pin can make its answers others; known before it is run."""
        pin = self._counts.pins.get(row.key)
        if pin is None or not pin.is_of_agent or not row.has_standard:
            return False
        if row.result is None:
            return not self._history.is_as_pinned(row, self._beside.project_of(row.key))
        return row.has_other_inputs or self._counts.is_edited(row.key)
