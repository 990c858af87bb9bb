"""Our past conversations, each with an id of its own, as far as history knows them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from sys import maxsize
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ScenarioCase
from evaltui.core.fingerprint import is_print_of
from evaltui.core.json_value import Json
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.result import CaseResult
from evaltui.disk.history.history_queries import HistoryEntry
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.journal.journal_reading import AboutRun
from evaltui.scenarios.run_output import conversation_id, run_json


class KnownHistory(Protocol):
    """What is asked of the history of a project."""

    def agents(self) -> tuple[str, ...]: ...
    def keys(self, agent: str) -> list[CaseKey]: ...
    def entries(self, key: CaseKey, agent: str, limit: int) -> list[HistoryEntry]: ...
    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None: ...
    def about(self, run_id: str) -> AboutRun: ...


class KnownConversation(Struct, frozen=True):
    """One scenario in one run."""

    key: CaseKey
    agent: str
    entry: HistoryEntry
    is_again: bool
    """Whether it is only another judgement of a conversation that is known besides."""
    since: HistoryEntry | None
    """The last of the judgements that came after this one, of the same answers."""
    known: "KnownConversations"

    @property
    def id(self) -> str:
        return conversation_id(self.entry.run_id, self.agent, self.key)

    def result(self) -> CaseResult | None:
        """All that is kept of it; `None` when nothing is any more."""
        found = self.known.history.whole(self.key, self.entry.run_id)
        return found if found is not None and found.agent == self.agent else None

    def as_json(self) -> dict[str, Json] | None:
        """In EvalStudio's shape, with messages and output as far as they are kept; `None` where
        nothing tells any more what scenario it was of."""
        entry = self.entry
        light = CaseResult(
            self.key,
            entry.run_id,
            self.agent,
            entry.status,
            duration_ms=entry.duration_ms or 0.0,
            assertions_run=int(not entry.is_nothing_asserted),  # how many is not kept
            error=entry.error,
            finished_at=entry.finished_at,
        )
        result = self.result() or light
        case, eval_id = self.known.case_then(result), self.known.about(result.run_id).eval_id
        return None if case is None else run_json(case, result, entry.number, eval_id)


class KnownConversations:
    """Of the scenarios that there are, and of those that were renamed or taken out since."""

    def __init__(
        self,
        history: KnownHistory,
        cases: Iterable[Case],
        *,
        is_scenario_file: Callable[[str], bool],
    ) -> None:
        """`cases` are those of now. By `is_scenario_file` the others are known whose suite's id is
        given to it."""
        self.history = history
        self._now = {case.key: case for case in cases}
        self._is_scenario_file = is_scenario_file
        self._about: dict[str, AboutRun] = {}

    def __iter__(self) -> Iterator[KnownConversation]:
        """By agent and scenario, of each the newest first."""
        for agent in self.history.agents():
            for key in self.history.keys(agent):
                if self._is_of_scenario(key):
                    entries = self.history.entries(key, agent, KEPT)
                    rows = zip(entries, _again(entries), _since(entries), strict=True)
                    for entry, is_again, since in rows:
                        yield KnownConversation(key, agent, entry, is_again, since, self)

    def case_then(self, result: CaseResult) -> Case | None:
        """The scenario as it was when it was run; where that is not kept any more, what is still
        known of it."""
        case, now = self.about(result.run_id).cases.get(result.key), self._now.get(result.key)
        if case is None and now is not None:
            case = now if is_print_of(result.inputs.case, now) else _still_known(now)
        return case if case is not None and isinstance(case.body, ScenarioCase) else None

    def about(self, run_id: str) -> AboutRun:
        """What a run was about; its journal is read once."""
        if run_id not in self._about:
            self._about[run_id] = self.history.about(run_id)
        return self._about[run_id]

    def _is_of_scenario(self, key: CaseKey) -> bool:
        now = self._now.get(key)
        if now is None:
            return self._is_scenario_file(key.suite)
        return isinstance(now.body, ScenarioCase)


def _still_known(case: Case) -> Case:
    """Without what another wording of it can have said of who talked, and of when that ends."""
    if not isinstance(case.body, ScenarioCase):
        return case
    mode = FailureMode.ON_MAX_MESSAGES
    body = replace(case.body, persona=Persona(), max_messages=maxsize, failure_criteria_mode=mode)
    return replace(case, body=body)


def _again(entries: Sequence[HistoryEntry]) -> Iterator[bool]:
    """Of each, the newest first, whether it judged again what is known besides.

    Of a conversation whose own entry is gone the newest judgement is not: it stands for it.
    """
    held = [at for at, entry in enumerate(entries) if not entry.is_rejudging]
    stands_for_it = held[-1] + 1 if held else 0
    for at, entry in enumerate(entries):
        yield entry.is_rejudging and at != stands_for_it


def _since(entries: Sequence[HistoryEntry]) -> Iterator[HistoryEntry | None]:
    """Of each, the newest first, the last judgement of the same answers that came after it."""
    last: HistoryEntry | None = None
    for entry in entries:
        yield last
        if not entry.is_rejudging:
            last = None
        elif last is None:
            last = entry
