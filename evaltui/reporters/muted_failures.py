"""Which failures a report leaves out of its counts: those of the cases muted when it is written."""

from collections.abc import Collection, Mapping

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseMuted, Event, ProjectRead
from evaltui.core.mutes import with_mute
from evaltui.core.result import FAILING, CaseResult


class Mutes:
    """The mutes in force, from the events that tell of them."""

    hears = frozenset({ProjectRead, CaseMuted})

    def __init__(self) -> None:
        self._reasons: Mapping[str, str] = {}

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead):
            self._reasons = event.mutes
        elif isinstance(event, CaseMuted):
            self._reasons = with_mute(self._reasons, event.key, event.reason)

    def reason(self, result: CaseResult) -> str:
        """Why this failure or error does not count; empty when it does, and for any other."""
        return self.why(result.key) if result.status in FAILING else ""

    def why(self, key: CaseKey) -> str:
        """Why the case is muted, whatever its result; empty when it is not."""
        return self._reasons.get(str(key), "") if self._reasons else ""

    @property
    def names(self) -> Collection[str]:
        """The muted cases, as `suite::case`."""
        return self._reasons.keys()

    def covers(self, key: CaseKey) -> bool:
        return bool(self._reasons) and str(key) in self._reasons
