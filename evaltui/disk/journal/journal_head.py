"""What a journal holds before the run: the part of the project that the run covers."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import (
    BaselinePinned,
    CaseMuted,
    CasesStale,
    EvidenceWeighed,
    ProjectChecked,
    ProjectRead,
    RunStarted,
)
from evaltui.core.mutes import with_mute
from evaltui.disk.codec import encode_event
from evaltui.store.known_proofs import KnownProofs


class JournalHead:
    """Remembers how things stood, and says it anew at the start of each run.

    The journal grows with the run, not with the project.
    """

    def __init__(self) -> None:
        self._project: ProjectRead | None = None
        self._pinned: dict[str, BaselinePinned] = {}
        self._stale: dict[str, CasesStale] = {}
        self._proofs = KnownProofs()
        self._affected: dict[str, int] = {}

    def hear(
        self,
        event: ProjectRead
        | ProjectChecked
        | CaseMuted
        | BaselinePinned
        | EvidenceWeighed
        | CasesStale,
    ) -> None:
        match event:
            case ProjectRead():
                self._project = event
            case ProjectChecked(problems):
                if self._project is not None:
                    self._project = replace(self._project, problems=problems)
            case CaseMuted(key, reason):
                if self._project is not None:
                    mutes = with_mute(self._project.mutes, key, reason)
                    self._project = replace(self._project, mutes=mutes)
            case BaselinePinned(agent):
                self._pinned[agent] = event
            case EvidenceWeighed(agent, _, affected):
                self._proofs.hear(event)
                self._affected[agent] = affected
            case CasesStale(agent):
                self._stale[agent] = event

    def of(self, started: RunStarted) -> "Opening":
        """How a journal opens, as things stand now."""
        agent, stale = started.agent, self._stale.get(started.agent)
        if stale is not None and started.is_rest:
            stale = replace(stale, trigger=())  # the save is none of its own
        return Opening(
            started, self._project, self._pinned.get(agent), stale, self._weighed(started)
        )

    def _weighed(self, started: RunStarted) -> EvidenceWeighed | None:
        agent, known = started.agent, self._proofs.of(started.agent)
        if not known:
            return None
        proofs = tuple(known[key] for key in started.cases if key in known)
        return EvidenceWeighed(agent, proofs, self._affected[agent])


class Opening(Struct, frozen=True):
    """Its lines are made when they are written: the first cases need not wait for them."""

    started: RunStarted
    project: ProjectRead | None
    pinned: BaselinePinned | None
    stale: CasesStale | None
    weighed: EvidenceWeighed | None = None

    def lines(self) -> Iterator[bytes]:
        """What the run is about, and its start."""
        keys = frozenset(self.started.cases)
        if self.project is not None:
            about = {key.suite for key in keys}
            suites = tuple(
                replace(suite, cases=cases)
                for suite in self.project.suites
                if suite.id in about
                and (cases := tuple(case for case in suite.cases if case.key in keys))
            )
            problems = _about(self.project, keys)
            mutes = {
                str(key): self.project.mutes[str(key)]
                for key in self.started.cases
                if str(key) in self.project.mutes
            }
            project = replace(self.project, suites=suites, mutes=mutes, problems=problems)
            yield encode_event(project)
        if self.pinned is not None:
            yield self.line(self.pinned)
        if self.stale is not None:
            left = tuple(case for case in self.stale.cases if case.key in keys)
            mine = tuple(case for case in self.stale.by_save or () if case.key in keys)
            by_save = None if self.stale.by_save is None else mine
            yield encode_event(replace(self.stale, cases=left, by_save=by_save))
        if self.weighed is not None:
            yield encode_event(self.weighed)
        yield encode_event(self.started)

    def line(self, pinned: BaselinePinned) -> bytes:
        """The baselines of suites that this run is about; they may come during the run too."""
        about = {key.suite for key in self.started.cases}
        baselines = tuple(one for one in pinned.baselines if one.suite in about)
        return encode_event(replace(pinned, baselines=baselines))


def _about(project: ProjectRead, keys: frozenset[CaseKey]) -> tuple[Problem, ...]:
    """Without what is wrong with other cases: lint may say something of every case there is."""
    files = {suite.id for suite in project.suites}
    names = {key.case for key in keys}
    return tuple(
        one
        for one in project.problems
        if not one.case
        or (one.case in names and CaseKey(one.file, one.case) in keys)
        or one.file not in files
    )
