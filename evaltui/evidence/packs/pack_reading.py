"""An evidence pack as a suite with its results, so that it can be looked at like any other run."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, Tier
from evaltui.core.errors import UNRELIABLE, Problem, UserError
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.disk.atomic import safe_name
from evaltui.disk.codec import convert
from evaltui.evidence.gates.decision_reading import read_gate
from evaltui.evidence.gates.gate_decision import GateDecision
from evaltui.evidence.packs.pack_hashes import CHANGED_SINCE, MAKE_ANEW, changed_files
from evaltui.evidence.packs.pack_shapes import AGENT_RUN
from evaltui.files import RESULTS_LIMIT, is_file, is_folder, leads_out, read_file
from evaltui.judging.aggregate import aggregate
from evaltui.judging.with_outcome import with_outcome
from evaltui.traces.in_words import in_words
from evaltui.traces.judge_row import WholeRow
from evaltui.traces.judges import JUDGES
from evaltui.traces.judges.replay_contract import ReplayContract
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import decode_json, read_case
from evaltui.traces.recorded_response import recorded_response

MANIFEST = "manifest.json"
MOST_PROBLEMS = 100
UNNAMED_AGENT = "trace"
"""What results are kept under where a pack does not say whose they are."""


class ReadPack(Struct, frozen=True):
    path: Path
    run_id: str
    dataset_id: str
    agent: str
    suites: tuple[Suite, ...]
    """One; of a run of eval files one for each of them."""
    results: tuple[CaseResult, ...]
    made_at: float
    """Seconds since the epoch; 0.0 when it does not say."""
    problems: tuple[Problem, ...]
    gate: GateDecision | None
    """`None` where nothing was decided about it."""


class _Verdicts(Struct):
    case_id: str
    judge_results: list[WholeRow] = field(default_factory=list)


def is_pack(path: Path) -> bool:
    return is_file(path / MANIFEST) and is_folder(path / "run")


def read_pack(path: Path) -> ReadPack:
    """All of its cases with their verdicts; what is broken, or was changed, is a problem.

    Raises UserError for what is no pack, and OSError.
    """
    if not is_pack(path):
        hint = "`evaltui run --suite FILE --out DIR` writes one."
        raise UserError(f"`{path}` is not an evidence pack.", hint)
    reading = _Reading(path)
    config = reading.object(path / "run" / "config.json")
    manifest = reading.manifest
    run_id = str(manifest.get("run_id") or config.get("run_id") or path.name)
    agent = next(
        (one for name in ("agent_version", "model") if (one := _known_text(config.get(name)))),
        UNNAMED_AGENT,
    )
    made_at = _moment(manifest.get("generated_at") or config.get("started_at"))
    dataset_id = str(manifest.get("dataset_id") or "")
    is_of_files = config.get("execution_mode") == AGENT_RUN
    cases = [
        (_of_its_file(case) if is_of_files else case, found) for case, found in reading.cases()
    ]
    suites = _suites((case for case, _ in cases), "" if is_of_files else dataset_id)
    results = tuple(
        _result(case, _verdicts(found, is_of_files), run_id, agent, made_at)
        for case, found in cases
        if found is not None
    )
    reading.hold_against_manifest()
    gate = read_gate(path, run_id)
    if gate is not None and gate.passed and reading.problems:
        gate = replace(gate, passed=False, failures=(CHANGED_SINCE,))
    problems = tuple(reading.problems)
    return ReadPack(path, run_id, dataset_id, agent, suites, results, made_at, problems, gate)


def read_trajectory(path: Path, case_id: str) -> Case | None:
    """One case of a pack, as it was judged; `None` when it has none of that id."""
    reading = _Reading(path, only=case_id)
    usual = reading.case(path / "cases" / safe_name(case_id))
    return usual or next((case for case, _ in reading.cases()), None)


class _Reading:
    def __init__(self, path: Path, only: str = "") -> None:
        self.problems: list[Problem] = []
        self._path, self._only = path, only
        self.manifest = self.object(path / MANIFEST)

    def object(self, file: Path) -> dict[str, Any]:
        """Empty where there is none."""
        found = self._decoded(file)
        return found if isinstance(found, dict) else {}

    def cases(self) -> Iterator[tuple[Case, _Verdicts | None]]:
        """In the order of their folders, each id once."""
        seen: set[str] = set()
        for folder in sorted((self._path / "cases").glob("*")):
            case = self.case(folder)
            if case is None or case.id in seen:
                continue
            seen.add(case.id)
            yield case, self._verdicts(folder / "verdicts.json") if not self._only else None

    def case(self, folder: Path) -> Case | None:
        """Of a folder below `cases`; `None` for one that holds none, or another than is wanted."""
        file = folder / "trajectory.json"
        if leads_out(folder, self._path) or not is_file(file):
            return None
        raw = self._decoded(file)
        if raw is None or (self._only and str(raw.get("case_id")) != self._only):
            return None
        try:
            case = read_case(self._path.name, raw, 0, self._name(file))
        except SuiteMistake as mistake:
            self._complain(self._name(file), str(mistake))
            return None
        said = " ".join(case.message.split())[:80]
        return replace(case, tier=Tier.TRACE, description=said)

    def _verdicts(self, file: Path) -> _Verdicts | None:
        raw = self._decoded(file)
        try:
            return None if raw is None else convert(raw, _Verdicts)
        except msgspec.ValidationError as error:
            self._complain(self._name(file), str(error))
            return None

    def _decoded(self, file: Path) -> Any:
        try:
            data = read_file(file, RESULTS_LIMIT)
            found = decode_json(data, self._name(file))
        except (OSError, UserError) as error:
            self._complain(self._name(file), str(error))
            return None
        return found if isinstance(found, dict) else None

    def hold_against_manifest(self) -> None:
        """Complain of every file that is another than was written."""
        hashes = self.manifest.get("file_hashes")
        try:
            for name, what in changed_files(self._path, hashes if isinstance(hashes, dict) else {}):
                self._complain(name, what)
        except (OSError, UserError) as error:
            self._complain(MANIFEST, str(error))

    def _name(self, file: Path) -> str:
        return file.relative_to(self._path).as_posix()

    def _complain(self, name: str, what: str) -> None:
        self.problems.append(Problem(name, what, MAKE_ANEW, code=UNRELIABLE))
        if len(self.problems) > MOST_PROBLEMS:
            self.problems.pop()


def _of_its_file(case: Case) -> Case:
    """Of a run of eval files: in a pack its id says which file it is from."""
    key = CaseKey.parse(case.id)
    return replace(case, key=key) if key.case else case


def _suites(cases: Iterable[Case], title: str) -> tuple[Suite, ...]:
    by_suite: dict[str, list[Case]] = {}
    for case in cases:
        by_suite.setdefault(case.key.suite, []).append(case)
    return tuple(
        Suite(id_, tool_name="", tier=Tier.TRACE, cases=tuple(found), file_hash="", title=title)
        for id_, found in by_suite.items()
    )


def _result(
    case: Case, verdicts: Sequence[Verdict], run_id: str, agent: str, made_at: float
) -> CaseResult:
    result = CaseResult(
        key=CaseKey(case.key.suite, case.id),
        run_id=run_id,
        agent=agent,
        status=CaseStatus.PASSED,
        description=case.description,
        response=(response := recorded_response(case)),
        duration_ms=response.duration_ms,
        finished_at=made_at,
    )
    return with_outcome(result, aggregate(verdicts))


def _verdicts(found: _Verdicts, is_of_files: bool) -> list[Verdict]:
    return [_verdict(one, is_of_files) for one in found.judge_results]


def _verdict(row: WholeRow, is_of_files: bool) -> Verdict:
    """Of a run of eval files the reason says already what was found."""
    status = VerdictStatus.PASSED if row.passed else VerdictStatus.FAILED
    verdict = Verdict(
        row.judge_id,
        VerdictStatus.SKIPPED if row.skipped else status,
        row.reason or "no reason is given",
        kind=row.kind,
        value=row.score,
        evidence=row.evidence_refs if isinstance(row.evidence_refs, dict) else {},
        hard=row.hard_fail,
        category=row.category,
    )
    is_worded = is_of_files or row.judge_id not in _OURS
    return verdict if is_worded else in_words(verdict)


_OURS = frozenset({ReplayContract.name, *JUDGES})
"""Of these the evidence says more than the reason."""


def _known_text(value: object) -> str:
    return value if isinstance(value, str) and value != "unknown" else ""


def _moment(text: object) -> float:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
