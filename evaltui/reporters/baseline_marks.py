"""How cases stand against their baseline in a report: by the board's rule and in its words."""

from collections.abc import Iterable, Iterator

from evaltui.core.baseline import Change
from evaltui.core.case import Case, CaseKey
from evaltui.core.events import CaseFinished, Event, EvidenceWeighed, ProjectRead
from evaltui.core.proof import (
    evidence_in_words,
    is_flaky,
    is_undecided_pass,
    may_be_worse,
    why_fallen,
)
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.core.varying import may_differ
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.known_proofs import KnownProofs
from evaltui.store.row_status import RowMark
from evaltui.store.standards import against_baseline

GLYPHS = {
    RowMark.REGRESSED: "↓",
    RowMark.MOVED: "↓?",
    RowMark.IMPROVED: "↑",
    RowMark.MOVED_UP: "↑?",
    RowMark.FLAKY: "≈",
}
_FELL = frozenset({RowMark.REGRESSED, RowMark.MOVED})


class BaselineMarks:
    """From the ends of runs, and from what trials prove of agents that may answer otherwise."""

    hears = frozenset({ProjectRead, CaseFinished, EvidenceWeighed})

    def __init__(self) -> None:
        self._sampled: frozenset[str] = frozenset()
        self._cases: dict[CaseKey, Case] = {}
        self._proofs = KnownProofs()
        self._replayed: set[tuple[str, CaseKey]] = set()

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead):
            self._sampled = frozenset(event.sampled)
            cases = (case for suite in event.suites for case in suite.cases)
            self._cases = {case.key: case for case in cases}
        elif isinstance(event, CaseFinished):
            result = event.result
            note = self._replayed.add if result.was_counted else self._replayed.discard
            note((result.agent, result.key))
        elif isinstance(event, EvidenceWeighed):
            self._proofs.hear(event)

    def fallen(self, suites: Iterable[SuiteResult], mutes: Mutes) -> dict[CaseKey, RowMark]:
        """Cases that regressed or moved, and count; those too that are proven to be worse though
        the last of their trials passed."""
        return {key: mark for key, mark in self._of(suites, mutes) if mark in _FELL}

    def risen(self, suites: Iterable[SuiteResult], mutes: Mutes) -> dict[CaseKey, RowMark]:
        """Cases that improved or moved up, and count; in the same way."""
        return {key: mark for key, mark in self._of(suites, mutes) if mark not in _FELL}

    def counts_fallen(self, agent: str, fallen: Iterable[RowMark]) -> dict[str, int]:
        """How many of these are `regressed`, and `moved` where a case may come to another verdict
        the next time."""
        may_move = agent in self._sampled or any(
            may_differ(case, is_sampled=False) for case in self._cases.values()
        )
        said = (RowMark.REGRESSED, *((RowMark.MOVED,) if may_move else ()))
        found = [*fallen]
        return {mark.value: found.count(mark) for mark in said}

    def why(self, result: CaseResult) -> str:
        """Why one that fell did: its own reason, or that it passed this time."""
        return why_fallen(result)

    def is_flaky(self, result: CaseResult) -> bool:
        """As on the board: both outcomes in this result, or over all runs with the same inputs."""
        return is_flaky(result, self._proofs.of(result.agent).get(result.key))

    def is_undecided_pass(self, result: CaseResult) -> bool:
        """That it passed this time settles nothing: see the function of that name."""
        proof = self._proofs.of(result.agent).get(result.key)
        return is_undecided_pass(proof, result)

    def evidence(
        self, result: CaseResult, *, has_fallen: bool = True, is_muted: bool = False
    ) -> str:
        """As `evidence_in_words`; of one that fell with a recording, which nobody is asked beside,
        that; empty where no trials were weighed."""
        agent, key = result.agent, result.key
        proof = self._proofs.of(agent).get(key)
        if proof is None:
            is_replayed = agent not in self._sampled and (agent, key) in self._replayed
            return _REPLAYED if is_replayed and has_fallen else ""
        is_open = may_be_worse(proof, result, has_moved=has_fallen)
        return evidence_in_words(proof, has_moved=is_open, is_muted=is_muted)

    def _may_differ(self, key: CaseKey, *, is_sampled: bool) -> bool:
        case = self._cases.get(key)
        return is_sampled if case is None else may_differ(case, is_sampled=is_sampled)

    def _of(self, suites: Iterable[SuiteResult], mutes: Mutes) -> Iterator[tuple[CaseKey, RowMark]]:
        """Those that the runs list come first, in each suite."""
        for suite in suites:
            proofs = self._proofs.of(suite.agent)
            is_sampled = suite.agent in self._sampled
            changes = {
                **dict.fromkeys(suite.regressions, Change.REGRESSED),
                **dict.fromkeys(suite.new_passes, Change.NEWLY_PASSED),
            }
            if not (changes or proofs):
                continue
            keys = [CaseKey(suite.suite, case) for case in changes]
            keys += [
                one.key for one in suite.cases if one.key in proofs and one.key.case not in changes
            ]
            results = {one.key: one for one in suite.cases}
            for key in keys:
                change, proof = changes.get(key.case, Change.SAME), proofs.get(key)
                differs = self._may_differ(key, is_sampled=is_sampled)
                mark = against_baseline(change, proof, results.get(key), may_differ=differs)
                if mark is not None and not mutes.covers(key):
                    yield key, mark


_REPLAYED = "a recorded answer, the same each time: there are no trials to weigh"


def as_noun(mark: RowMark) -> str:
    """`moved` or `regression`, for a title of one."""
    return "regression" if mark is RowMark.REGRESSED else mark.value
