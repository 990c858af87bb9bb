"""Of what a save only possibly affects: which cases were drawn at random, and which ran."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.audited import Audited, Draw, RanOfSave
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.row import Row


class Sample(Struct):
    """Of one save, or of several in a row that are one."""

    others: frozenset[CaseKey] = frozenset()
    """All that could have been drawn; empty where none was, or none for what was saved since."""
    drawn: frozenset[CaseKey] = frozenset()
    ran: set[CaseKey] = field(default_factory=set)
    """Cases that its runs asked since some were drawn, answered or not."""
    answered: set[CaseKey] = field(default_factory=set)
    """Those that were answered since, for whatever reason: nothing that was drawn stands for them
    any more."""
    audited: Audited | None = None
    """What the drawn ones came to; `None` until all of them ran."""

    def draw(self, draw: Draw) -> None:
        """A run begins for which some are drawn: further ones, or of what another save affects,
        among which may be what ran for the one before."""
        drawn = frozenset(draw.drawn)
        if draw.before is not None:
            self.drawn |= drawn
            return
        self.others, self.drawn = drawn.union(draw.rest), drawn
        self.ran, self.answered, self.audited = set(), set(), None

    def make_due(self, due: Iterable[DueCase]) -> None:
        """A save that goes on with the one before makes these due. Those that it affects have no
        answer any more; where it possibly affects some, what was drawn tells nothing of that."""
        degrees = {case.key: case.degree for case in due if case.key in self.others}
        if Degree.POSSIBLY in degrees.values():
            self.others = frozenset()
        again = {key for key, degree in degrees.items() if degree is not Degree.TO_JUDGE}
        self.ran -= again
        self.answered -= again

    def note_run(self, key: CaseKey) -> None:
        """A run of the save asked a case."""
        self.ran.add(key)

    def note_answer(self, result: CaseResult) -> None:
        """Somebody asked a case, the save or not."""
        if result.has_run and result.status is not CaseStatus.ERROR:
            self.answered.add(result.key)

    def in_all(
        self, asked: Mapping[CaseKey, object], rows: Mapping[CaseKey, Row], ran: int
    ) -> RanOfSave | None:
        """Which cases ran because of the save, of which it `asked` these, `ran` in all that are
        there still; `None` where none was drawn. `rows`: of the board, as a case that is gone
        counts nowhere."""
        if self.audited is None or not self.others:
            return None
        others = {key for key in self.others if key in rows}
        its = {key for key in others if key in asked and not rows[key].is_rejudged}
        own, lost = self.ran & others, others - self.answered
        drawn = own & self.drawn
        more = own - drawn
        besides = others - lost - own
        return RanOfSave(
            certain=ran - len(its),
            drawn=len(drawn),
            not_run=len(others) - len(own) - len(besides),
            in_error=len(drawn & lost),
            more=len(more),
            more_in_error=len(more & lost),
            besides=len(besides),
            due_again=len(its - own - besides),
            at_most=self.audited.at_most,
        )
