"""A request to run cases, from a person or a change."""

from collections.abc import Container, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.audited import Draw
from evaltui.core.case import CaseKey
from evaltui.core.spent import Spent
from evaltui.session.running.jobs import NO_ATTEMPTS, Attempts

Confirms: TypeAlias = Literal["not", "agreed", "guarded"]


class RunRequest(Struct, frozen=True):
    """Of one agent; it waits in the agent's queue and becomes one run.

    Where it turns into another one while it waits, its methods make that.
    """

    keys: dict[CaseKey, None]
    """Used as an ordered set."""
    reason: str
    trigger: tuple[str, ...] = ()
    trials: int = 1
    is_rejudging: bool = False
    """Judge the kept answers again, and ask nobody."""
    asks_judge: bool = True
    """Else only what a judge says of the same answer already is judged again."""
    resumed: tuple[CaseKey, ...] = ()
    """Cases that the interrupted run had finished of which this is the rest."""
    goes_on_from: int = 0
    """Number of that run; where several were interrupted in a row, of the first of them."""
    attempts: Attempts = NO_ATTEMPTS
    spent: Spent | None = None
    """What the interrupted run spent of which this is the rest."""
    is_rest: bool = False
    """No save is the reason of it: a person asked for it, or it had begun, and then came a save."""
    left: tuple[CaseKey, ...] = ()
    """Cases of such requests, which follow after this one, or of the run that goes on after it."""
    waiting: tuple[CaseKey, ...] = ()
    """Cases of all requests that follow after this one."""
    is_by_news: bool = False
    """Begin with the cases that most probably tell something, not with the first of the files."""
    confirms: Confirms = "not"
    """Whether undecided cases are tried again: `agreed` to, or as long as the guard lets."""
    is_repeat: bool = False
    """To know better how often they pass, by nobody's save."""
    by_outcome: frozenset[CaseKey] = frozenset()
    """Cases that somebody chose by what they came to: with the same inputs, what was planned of
    them stays as it was."""
    is_correction: bool = False
    """As of `RunStarted`."""
    draw: Draw | None = None
    """Which of the keys were drawn at random."""
    while_due: frozenset[CaseKey] = frozenset()
    """Those of the keys that a change wants, and only while their results cannot be trusted; the
    others were asked for, whatever becomes of it."""

    eval_id: str = ""
    """As of `RunStarted`."""
    asked_at: float = 0.0
    """When a person asked for it, on the clock of the event loop: evaluators that were loaded
    before are not to judge it. 0 for what a change wants."""

    @property
    def asked_for(self) -> frozenset[CaseKey]:
        """The keys that are run whatever becomes of any change."""
        return frozenset(self.keys) - self.while_due

    def left_of(self, due: Container[CaseKey]) -> dict[CaseKey, None]:
        """The keys that are still to be run when nothing but these is due."""
        return {key: None for key in self.keys if key in due or key not in self.while_due}

    def is_like(self, other: "RunRequest") -> bool:
        """Whether one run can do both."""
        return self._kind == other._kind

    @property
    def _kind(self) -> tuple[object, ...]:
        how_often = self.trials, self.confirms, self.is_repeat
        return self.is_rejudging, self.asks_judge, how_often, self.is_correction

    def with_cases_of(self, other: "RunRequest") -> "RunRequest":
        """Of its cases too."""
        keys, asked_for = self.keys | other.keys, self.asked_for | other.asked_for
        return replace(
            self,
            keys=keys,
            by_outcome=self.by_outcome | other.by_outcome,
            while_due=frozenset(keys) - asked_for,
            asked_at=max(self.asked_at, other.asked_at),
        )

    def followed_by(self, later: "RunRequest") -> "RunRequest":
        """Both, as one."""
        return replace(
            self.with_cases_of(later),
            reason=later.reason if later.keys else self.reason,
            trigger=joined(self.trigger, later.trigger),
            draw=later.draw or self.draw,
        )

    def after_a_save(self) -> "RunRequest":
        """A save came since: it is the doing of none, unless it is one's already."""
        return self if self.is_rest or self.trigger else replace(self, is_rest=True)

    def without(self, keys: Container[CaseKey]) -> "RunRequest":
        """Of its other cases."""
        return replace(self, keys={key: None for key in self.keys if key not in keys})

    def of_those_due(self, due: Container[CaseKey]) -> "RunRequest":
        """Of what is still to be run of it when nothing but these is due."""
        return replace(self, keys=self.left_of(due))

    def before(self, others: Iterable["RunRequest"]) -> "RunRequest":
        """With these following it."""
        requests = tuple(others)
        rest = [one for one in requests if one.is_rest and not one.is_rejudging]
        return replace(
            self,
            left=tuple(key for one in rest for key in one.keys),
            by_outcome=self.by_outcome.union(*(one.by_outcome for one in rest)),
            waiting=tuple({key: None for one in requests for key in one.keys}),
        )

    def in_place_of(
        self, run: "RunRequest", undone: dict[CaseKey, None], due: Container[CaseKey]
    ) -> list["RunRequest"]:
        """What runs instead of a run: what is still `due` of this one, and what is left `undone` of
        that. The one that waits longest comes first.

        Several saves in a row are one run. What nobody saved for comes after the save.
        """
        wanted = {key: None for key in self.keys if key in due}
        is_one_run = bool(run.trigger) or not self.trigger
        mine = {key: None for key in undone if is_one_run or key in wanted}
        later = replace(
            self,
            keys=mine | wanted,
            by_outcome=self.by_outcome | run.by_outcome,
            while_due=frozenset(mine | wanted) - run.asked_for,
            is_rest=run.is_rest and is_one_run,
            trigger=joined(run.trigger, self.trigger) if self.trigger else (),
        )
        rest = RunRequest(
            {key: None for key in undone if key not in mine},
            run.reason,
            trials=run.trials,
            is_rest=True,
            is_by_news=True,
            is_correction=run.is_correction,
            by_outcome=run.by_outcome,
            while_due=run.while_due,
        )
        if run.trials == self.trials:
            return [rest, later]
        return [rest, replace(later, keys=mine, trials=run.trials), later.without(mine)]


def joined(*triggers: tuple[str, ...]) -> tuple[str, ...]:
    """Each file once, in the order in which they were saved first."""
    return tuple(dict.fromkeys(file for trigger in triggers for file in trigger))
