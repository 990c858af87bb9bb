"""What a change asks for, as requests: which kept answers are judged again, and who is asked."""

from collections.abc import Container, Iterable, Iterator, Set

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.events import RunFinished
from evaltui.core.staleness import Degree
from evaltui.session.cases_to_run import CasesToRun
from evaltui.session.due_cases import DueCases
from evaltui.session.held_cases import HeldCases
from evaltui.session.money.spending import Cause, Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest
from evaltui.session.trials.audit import Audit
from evaltui.store.board import Board

_ASKED_OTHERWISE = frozenset({Degree.AFFECTED, Degree.NEVER_RUN})
"""What a save makes of a case that a run was to ask already: nobody has to agree again."""
_READ_OTHERWISE = "another process read other files"
_NOT_KEPT = "no answer is kept to be judged again"


class DueRequests:
    """Of one agent, as far as the guard of money lets them run."""

    def __init__(
        self, agent: Agent, board: Board, due: DueCases, state: ProjectState, spending: Spending
    ) -> None:
        self._agent, self._board, self._due = agent, board, due
        self._state, self._spending = state, spending
        self.audit = Audit(board, due, state, spending)
        self.to_run = CasesToRun(agent, board, due, spending, self.audit)
        self.held = HeldCases(agent, board, due, self.to_run, spending)

    def to_judge(
        self,
        keys: Iterable[CaseKey],
        trigger: tuple[str, ...] = (),
        *,
        is_while_due: bool = False,
        asks_judge: bool = True,
        is_correction: bool = False,
        asked_at: float = 0.0,
    ) -> RunRequest:
        """Judge kept answers again; ask nobody, and no judge either unless it `asks_judge`."""
        wanted = dict.fromkeys(keys)
        return RunRequest(
            wanted,
            self._due.reason(wanted, by_save=bool(trigger)),
            trigger,
            is_rejudging=True,
            asks_judge=asks_judge,
            is_correction=is_correction,
            while_due=frozenset(wanted if is_while_due else ()),
            asked_at=asked_at,
        )

    def judged_by_change(
        self,
        cause: Cause,
        trigger: tuple[str, ...],
        keys: list[CaseKey],
        *,
        is_correction: bool = False,
    ) -> Iterator[RunRequest]:
        """Judge these again; of what may be too dear for that only what takes no new answer of a
        judge."""
        now, expensive = self.held.part_judged(cause, keys)
        for wanted, asks_judge in ((now, True), (expensive, False)):
            yield self.to_judge(
                wanted,
                trigger,
                is_while_due=True,
                asks_judge=asks_judge,
                is_correction=is_correction,
            )

    def of_change(
        self,
        cause: Cause,
        trigger: tuple[str, ...],
        pending: Set[CaseKey] | None,
        queued: Set[CaseKey],
    ) -> RunRequest | None:
        """What is due, of a save what that made due; `None` when nothing may run.

        `pending`: of the run in progress, if there is one. What was agreed to goes on, by what is
        saved now.
        """
        is_opening, on = cause is Cause.OPENED, pending or frozenset[CaseKey]()
        if self._state.untrusted:
            self.held.release()
            return None
        wanted = self.to_run.at_all() if is_opening else self.to_run.of_save()
        allowed = self.held.allowed(cause, wanted, on, queued)
        if allowed is None and (is_opening or pending is None):
            return None
        due = dict(allowed or {})
        if not is_opening:
            saved = (case.key for case in self._due.saved if case.degree in _ASKED_OTHERWISE)
            due |= {key: None for key in saved if key in on}
        may_draw = allowed is not None and not is_opening
        draw = self.audit.draw(due) if may_draw else None
        due |= dict.fromkeys(draw.drawn if draw is not None else ())
        config = self._state.config
        return RunRequest(
            due,
            self._due.reason(due, by_save=not is_opening),
            trigger,
            config.trials,
            is_by_news=True,
            draw=draw,
            confirms="guarded" if config.regressions.confirm == "auto" else "not",
            while_due=frozenset(due),
        )

    def of_unlike(self, unlike: Container[CaseKey]) -> RunRequest:
        """What another process ran by other files, as far as an opening would run it."""
        return replace(self._as_at_opening(unlike, _READ_OTHERWISE), is_correction=True)

    def of_lost(self, lost: Container[CaseKey]) -> RunRequest:
        """Of what there is no answer to judge again, as far as an opening would run it."""
        return self._as_at_opening(lost, _NOT_KEPT)

    def _as_at_opening(self, keys: Container[CaseKey], reason: str) -> RunRequest:
        wanted = {key: None for key in self.to_run.at_all() if key in keys}
        due = self._spending.allowed(Cause.OPENED, self._agent, self._board, wanted) or {}
        trials, while_due = self._state.config.trials, frozenset(due)
        return RunRequest(due, reason, trials=trials, is_by_news=True, while_due=while_due)

    def further_drawn(self, before: RunRequest, finished: RunFinished) -> RunRequest | None:
        """More drawn cases, which make the rest better known, after a run that drew some."""
        draw = self.audit.draw_more(finished.audited)
        if draw is None:
            return None
        return RunRequest(
            dict.fromkeys(draw.drawn),
            before.reason,
            before.trigger,
            before.trials,
            draw=draw,
            while_due=frozenset(draw.drawn),
        )
