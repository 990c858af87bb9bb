"""One eval file between two readings: its last good suite and what is wrong with it now."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import answer_fingerprint, case_fingerprint, former_fingerprint
from evaltui.core.suite import Suite
from evaltui.disk.codec import encode
from evaltui.expectations.mentions import mentioned_tools, needs_snapshot, seed_paths
from evaltui.files import leads_out, read_file
from evaltui.formats import NOT_AN_EVAL_FILE, read_along, read_suite, suite_id
from evaltui.formats.suite_file import NO_TEXTS, CaseTexts
from evaltui.json_text.document import too_large

_NONE: Mapping[Path, bytes] = MappingProxyType({})


class CaseFacts(NamedTuple):
    """What of a case goes into its Inputs, worked out once for each version of the case."""

    fingerprint: str
    answer: str
    """12 hex digits of what the agent is given of it."""
    tools: frozenset[str]
    """As written in the case."""
    seed_paths: tuple[str, ...]
    needs_snapshot: bool
    former: str
    """As `former_fingerprint` tells it."""


class WantedTool(Struct):
    """A tool that cases of a file expect or stub."""

    case: str
    """Id of the first of them."""
    line: int
    cases: int = 0


class SuiteFile(Struct, eq=False):
    path: Path
    id: str
    digest: bytes
    """SHA-256 of the content, empty when it could not be read."""
    suite: Suite | None
    """The last good one."""
    problems: tuple[Problem, ...]
    has_seed_tokens: bool = True
    """Whether it can have seed tokens at all; looking for them is the slow part of facts."""
    has_snapshot_tokens: bool = True
    has_evaluators: bool = False
    """Whether one of its cases names an evaluator."""
    facts: dict[str, CaseFacts] = field(default_factory=dict)
    """By case id; filled on demand. Those of a case that only moved in its file are the same ones
    as before the last reading."""
    is_current: bool = True
    """Whether the suite is what the file says now."""
    findings: tuple[Problem, ...] | None = None
    """What lint says of it; filled on demand."""
    wanted: dict[str, WantedTool] | None = None
    """By name as written; filled on demand."""
    beside: Mapping[Path, bytes] = field(default_factory=dict)
    """SHA-256 of the content of the files that were read along, empty for one that is not there."""
    texts: CaseTexts = NO_TEXTS
    """Of the last good suite."""
    tool_place: tuple[int, int] | None = None
    """Line and column of the key that names its tool; filled on demand."""

    def facts_of(self, case: Case) -> CaseFacts:
        found = self.facts.get(case.id)
        if found is None:
            found = CaseFacts(
                fingerprint=case_fingerprint(case),
                answer=answer_fingerprint(case),
                tools=mentioned_tools(case),
                seed_paths=seed_paths(case) if self.has_seed_tokens else (),
                needs_snapshot=self.has_snapshot_tokens and needs_snapshot(case),
                former=former_fingerprint(case),
            )
            self.facts[case.id] = found
        return found


def read_suite_file(
    path: Path, root: Path, *, is_sure: bool, previous: SuiteFile | None
) -> SuiteFile | None:
    """Read an eval file; the same object as before when its content is the same.

    While it is broken its last good suite stays, with the problem. `None` when it is gone.
    """
    try:
        large = too_large(suite_id(path, root), path.stat().st_size)
        content = b"" if large else read_file(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "Check its permissions; the last version that could be read stays."
        problem = Problem(
            suite_id(path, root), f"The file cannot be read: {reason}", hint, code="unreadable"
        )
        return _broken(path, root, b"", (problem,), previous)
    if large:
        return _broken(path, root, b"", (large,), previous)
    digest = sha256(content).digest()
    contents, unread = _read_beside(path, root)
    beside = {one: sha256(text).digest() if text else b"" for one, text in contents.items()}
    if unread:
        return _broken(path, root, digest, unread, previous, beside)
    if previous is not None and (previous.digest, previous.beside) == (digest, beside):
        return previous
    along = {one.name: text for one, text in contents.items() if text is not None}
    known = NO_TEXTS if previous is None else previous.texts
    read = read_suite(path, root, content, along, known)
    if read.suite is not None:
        is_escaped = b"\\u" in content
        return SuiteFile(
            path=path,
            id=read.suite.id,
            digest=digest,
            suite=read.suite,
            problems=read.problems,
            has_seed_tokens=is_escaped or b"seed:" in content,
            has_snapshot_tokens=is_escaped or b"snapshot:" in content,
            has_evaluators=any(case.body.evaluators for case in read.suite.cases),
            facts={} if previous is None else dict(_facts_kept(previous, read.suite)),
            beside=beside,
            texts=read.texts,
        )
    if not is_sure and any(problem.code == NOT_AN_EVAL_FILE for problem in read.problems):
        return SuiteFile(path, suite_id(path, root), digest, None, _guessed(read.problems))
    return _broken(path, root, digest, read.problems, previous, beside)


def _read_beside(path: Path, root: Path) -> tuple[dict[Path, bytes | None], tuple[Problem, ...]]:
    """What stands in the files that are read along, `None` in one that is not there."""
    found: dict[Path, bytes | None] = {}
    problems: list[Problem] = []
    for one in read_along(path):
        name = suite_id(one, root)
        found[one] = None
        try:
            if leads_out(one, path.parent):
                what, hint = "is a link out of its folder", "Put a regular file in its place."
                problems.append(Problem(name, what, hint, code="outside"))
            else:
                found[one] = read_file(one)
        except FileNotFoundError:
            continue
        except OSError as error:
            what = f"The file cannot be read: {error.strerror or type(error).__name__}"
            hint = "Check its permissions; the last version that could be read stays."
            problems.append(Problem(name, what, hint, code="unreadable"))
    return found, tuple(problems)


def _facts_kept(previous: SuiteFile, suite: Suite) -> Iterator[tuple[str, CaseFacts]]:
    """Of the cases that say the same as before, wherever in the file they stand now."""
    before = {case.id: case for case in previous.suite.cases} if previous.suite else {}
    for case in suite.cases:
        old, facts = before.get(case.id), previous.facts.get(case.id)
        if old and facts and (case.is_same_reading(old) or _says_the_same(case, old)):
            yield case.id, facts


def _says_the_same(case: Case, old: Case) -> bool:
    """As JSON, since `1`, `1.0` and `true` are equal in Python."""
    return encode(replace(old, line=case.line)) == encode(case)


def _broken(
    path: Path,
    root: Path,
    digest: bytes,
    problems: tuple[Problem, ...],
    previous: SuiteFile | None,
    beside: Mapping[Path, bytes] = _NONE,
) -> SuiteFile:
    if previous is None:
        return SuiteFile(path, suite_id(path, root), digest, None, problems, beside=beside)
    return replace(previous, digest=digest, problems=problems, is_current=False, beside=beside)


def _guessed(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    hint = "It is left out; ignore this if it is not one."
    what = "The file does not look like an eval file"
    return tuple(
        replace(problem, what=what, hint=hint, severity=Severity.LINT) for problem in problems
    )
