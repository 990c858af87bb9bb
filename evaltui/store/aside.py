"""What runs do to cases apart from the last save, for instance a run begun at startup."""

from collections.abc import Iterable, Mapping
from typing import Self

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.comparison import effect_of, is_same, last_verdict
from evaltui.core.result import CaseResult
from evaltui.store.row import Compared, Row

_NOTHING = Compared()


class Aside(Struct):
    """No row shows it: the run says it at its end, and the history keeps it."""

    cases: dict[CaseKey, Compared] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Self:
        """What the rows show is not what the last save did any more."""
        return cls({row.key: row.compared for row in rows})

    def of_case(self, key: CaseKey) -> Compared:
        return self.cases.get(key, _NOTHING)

    def compare(self, row: Row, result: CaseResult) -> None:
        """Hold a new result against the one that the row had before these runs."""
        if not result.has_run:
            return
        known = self.cases.get(row.key) or Compared(row.result, last_verdict(row.recent))
        before, verdict = known.before, known.verdict_before
        effect = effect_of(before, result, row.baseline, last_verdict=verdict)
        self.cases[row.key] = Compared(before, verdict, effect, result)

    def give_back(self, rows: Mapping[CaseKey, Row], *, is_rejudged: bool) -> list[Row]:
        """Have the rows show it: it is the last save's doing again. Returns them."""
        found = [rows[key] for key in self.cases if key in rows]
        for row in found:
            compared = self.cases[row.key]
            row.before, row.verdict_before = compared.before, compared.verdict_before
            row.changed, row.is_rejudged = compared.effect, is_rejudged
            row.ran_besides, row.of_save = False, None
            if (came_to := compared.came_to) is not row.result:
                row.of_save = came_to
                row.ran_besides = came_to is not None and not is_same(came_to, row.result)
        return found
