"""Past conversations that are known, ours and EvalStudio's, for `evaltui runs`."""

import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import SCENARIO_ID
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.formats.naming import is_scenario_file
from evaltui.project.evalstudio_runs import evalstudio_runs
from evaltui.reporters.ansi import plain
from evaltui.scenarios.known_conversations import KnownConversation, KnownConversations
from evaltui.scenarios.run_ids import the_id
from evaltui.session import Session
from evaltui.tui.render.glyphs import STATUS, UNKNOWN, Mark, result_mark

AnyRun: TypeAlias = KnownConversation | Mapping[str, Json]
"""Ours, or one that EvalStudio wrote."""


class KnownRun(Struct, frozen=True):
    """One conversation, in EvalStudio's shape."""

    json: Mapping[str, Json]
    ours: KnownConversation | None = None

    @property
    def result(self) -> CaseResult | None:
        """What is kept of one of ours."""
        return None if self.ours is None else self.ours.result()

    @property
    def mark(self) -> Mark:
        """The JSON of one of ours does not tell a pass of nothing from others."""
        return _mark(self.json) if self.ours is None else result_mark(self.ours.entry)

    @property
    def since(self) -> Mark | None:
        """What one of ours came to when it was judged again, where that is something else."""
        if self.ours is None or self.ours.since is None:
            return None
        mark = result_mark(self.ours.since)
        return mark if mark is not self.mark else None


class KnownRuns:
    """All runs that are known; what was said is read of those that are wanted."""

    def __init__(self, session: Session) -> None:
        cases = [case for suite in session.project.suites for case in suite.cases]
        known = KnownConversations(session.history, cases, is_scenario_file=is_scenario_file)
        self._ours = {one.id: one for one in known}
        kept = evalstudio_runs(session.project)
        for problem in kept.problems:
            sys.stderr.write(f"{plain(str(problem))}\n")
        self._theirs = kept.runs

    def newest(self, named: str) -> Iterator[KnownRun]:
        """Those that were held, of scenarios with that text, in lower case, in their names."""
        runs: list[tuple[float, AnyRun]] = [
            *((one.entry.finished_at, one) for one in self._ours.values() if not one.is_again),
            *((_seconds(one.get("createdAt")), one) for one in self._theirs),
        ]
        for _, one in sorted(runs, key=itemgetter(0), reverse=True):
            name = one.key.case if isinstance(one, KnownConversation) else name_of(one)
            if named in name.lower() and (found := _run_of(one)) is not None:
                yield found

    def find(self, wanted: str) -> KnownRun:
        """The one whose id begins so. Raises UserError for none, and for several."""
        every = {str(one["id"]): one for one in self._theirs} | self._ours
        id_ = the_id(every, wanted)
        found = _run_of(every[id_]) if id_ else None
        if found is None:
            raise UserError(f"There is no run `{wanted}`.", "`evaltui runs list` has their ids.")
        return found


def _run_of(known: AnyRun) -> KnownRun | None:
    """`None` where nothing tells any more what it was."""
    if not isinstance(known, KnownConversation):
        return KnownRun(known)
    found = known.as_json()
    return None if found is None else KnownRun(found, known)


def _seconds(moment: Json) -> float:
    """Since the epoch; 0.0 for what is no moment."""
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def name_of(run: Mapping[str, Any]) -> str:
    scenario = run.get("scenario")
    known = scenario if isinstance(scenario, Mapping) else {}
    return str(known.get("case") or known.get("name") or run.get(SCENARIO_ID) or "playground")


def _mark(run: Mapping[str, Any]) -> Mark:
    status = run.get("status")
    if status != "completed":
        known = {"error": CaseStatus.ERROR, "skipped": CaseStatus.SKIPPED}
        word = str(status)
        return STATUS[known[word]] if word in known else replace(UNKNOWN, word=word)
    if "error" in run:  # of an evaluator
        return STATUS[CaseStatus.ERROR]
    has_passed = object_at(run, "result").get("success") is True
    return STATUS[CaseStatus.PASSED if has_passed else CaseStatus.FAILED]


def object_at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}
