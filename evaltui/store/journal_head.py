"""What stands in a journal before the run: the part of the project that the run is about."""

from dataclasses import MISSING, fields, replace
from functools import cache

from evaltui.core.case import Case
from evaltui.core.events import BaselinePinned, CasesStale, ProjectRead, RunStarted
from evaltui.core.suite import Suite
from evaltui.store.codec import encode, encode_event, named


class JournalHead:
    """Remembers how things stood, and says it anew at the start of each run.

    The journal grows with the run, not with the project.
    """

    def __init__(self) -> None:
        self._project: ProjectRead | None = None
        self._pinned: dict[str, BaselinePinned] = {}
        self._stale: dict[str, CasesStale] = {}

    def hear(self, event: ProjectRead | BaselinePinned | CasesStale) -> None:
        match event:
            case ProjectRead():
                self._project = event
            case BaselinePinned(agent):
                self._pinned[agent] = event
            case CasesStale(agent):
                self._stale[agent] = event

    def lines(self, started: RunStarted) -> list[bytes]:
        """The lines before that of `started`."""
        keys = frozenset(started.cases)
        lines: list[bytes] = []
        if self._project is not None:
            suites = [
                _suite(suite, cases)
                for suite in self._project.suites
                if (cases := [case for case in suite.cases if case.key in keys])
            ]
            values = {item.name: getattr(self._project, item.name) for item in fields(ProjectRead)}
            lines.append(named("ProjectRead", encode(values | {"suites": suites})))
        if started.agent in self._pinned:
            about = {key.suite for key in keys}
            pinned = self._pinned[started.agent]
            baselines = tuple(one for one in pinned.baselines if one.suite in about)
            lines.append(encode_event(replace(pinned, baselines=baselines)))
        if started.agent in self._stale:
            stale = self._stale[started.agent]
            left = tuple(case for case in stale.cases if case.key in keys)
            lines.append(encode_event(replace(stale, cases=left)))
        return lines


def _suite(suite: Suite, cases: list[Case]) -> dict[str, object]:
    values = {item.name: getattr(suite, item.name) for item in fields(suite)}
    return values | {"cases": [_case(case) for case in cases]}


def _case(case: Case) -> dict[str, object]:
    """A third of the fields say something; encoding the others would take twice as long."""
    values: dict[str, object] = {"key": case.key, "tier": case.tier.value, "message": case.message}
    for name, default in _defaults():
        value = getattr(case, name)
        if value != default:
            values[name] = value
    return values


@cache
def _defaults() -> tuple[tuple[str, object], ...]:
    return tuple(
        (item.name, item.default if item.default_factory is MISSING else item.default_factory())
        for item in fields(Case)
        if item.default is not MISSING or item.default_factory is not MISSING
    )
