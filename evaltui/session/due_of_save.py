"""What the last save made due of one agent's cases, and what saves before it left undone."""

import asyncio
from collections.abc import Iterable, Mapping, Set

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, DueCase
from evaltui.project import Project
from evaltui.session.affected import affected_between
from evaltui.session.money.free_agent import is_free
from evaltui.store.board import Board

_CERTAIN = frozenset({Degree.AFFECTED})
"""What a further save cannot make more of."""


class DueOfSave:
    """Remembers more than is due by now: some of it may have run meanwhile."""

    def __init__(self, agent: Agent, board: Board) -> None:
        self._agent, self._board = agent, board
        self.cases: dict[CaseKey, DueCase] = {}
        """What the last save, or several in a row, made due, and what it alone makes of it; what
        was due before for another reason is none of its doing."""
        self.left: dict[CaseKey, DueCase] = {}
        """What saves before the last one made due and another process, which runs here, did not run
        yet: whoever takes over from it runs that too."""
        self._gone: dict[CaseKey, Project] = {}
        """Cases that were due when they went, with the last reading that had them: where they come
        back as they were, that is no doing of the save which brings them."""
        self._on: Set[CaseKey] = frozenset()
        """Cases that ran, or waited for their turn, when the last save came."""

    def begin(self, *, leaves: bool = False, on: Set[CaseKey] = frozenset()) -> None:
        """What becomes due from now on is the doing of another save; where it `leaves` what was
        due to another process, that is kept for whoever takes over. `on`: cases that run, or wait
        for their turn."""
        self._on = on
        self.left = {**self.left, **self.cases} if leaves else {}
        self.cases.clear()

    def take_up_left(self) -> None:
        """What was left to another process is to be run here."""
        self.cases = {**self.left, **self.cases}
        self.left = {}

    def succeed(self, before: "DueOfSave") -> None:
        """Go on for an agent that answers as the one before it did."""
        self.cases, self._gone = dict(before.cases), dict(before._gone)

    def update(self, due: DueCase) -> None:
        """More is known of why a case is due, which matters here if the save made it so."""
        if due.key in self.cases:
            self.cases[due.key] = due

    def miss_answer(self, due: DueCase, *, by_save: bool) -> None:
        """A case has to be asked again. `by_save`: a save had it judged, which counts with those
        that came meanwhile."""
        if by_save or due.key in self.cases:
            noted = self.cases.get(due.key, due)
            self.cases[due.key] = replace(noted, degree=Degree.AFFECTED)

    def take_back(self, found: Set[CaseKey]) -> dict[CaseKey, Project]:
        """Those of the `found` cases that were due when they went, with the last reading that had
        each. They are there again, so that this is asked once."""
        return {key: self._gone.pop(key) for key in self._gone.keys() & found}

    def let_go(self, gone: Set[CaseKey], before: Project) -> None:
        """These are due and not there any more; `before` had them last. Those that a run did not
        come to because of that are to be run when they come back."""
        self._gone |= dict.fromkeys(gone - self._on, before)

    async def note(
        self,
        found: Iterable[CaseKey],
        due: Mapping[CaseKey, DueCase],
        known: Mapping[CaseKey, Project | None],
        project: Project,
    ) -> None:
        """Which of those `found` the change made due, of all that is `due` now; `known` were so
        before it, by the last reading that had each."""
        again: dict[CaseKey, DueCase] = {}
        for then in {id(one): one for one in known.values() if one is not None}.values():
            again |= await asyncio.to_thread(
                affected_between,
                {key for key, one in known.items() if one is then},
                then,
                project,
                self._board.rows,
                self._agent,
                is_free=is_free(self._agent, self._board),
            )
        for key in found:
            made = again.get(key) if key in known else due.get(key)
            noted = self.cases.get(key)
            if made is not None and (noted is None or noted.degree not in _CERTAIN):
                self.cases[key] = made
