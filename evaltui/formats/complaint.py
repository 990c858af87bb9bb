"""Complaints about one file, gathered before their positions are looked up."""

from collections.abc import Iterable
from types import MappingProxyType

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath, format_key
from evaltui.json_text.document import JsonDocument
from evaltui.settings.sentences import Mistake, Wording
from evaltui.settings.spelling import camel_case

MAX_PROBLEMS = 100
"""Per file; a file with more is wrong as a whole."""


class Complaint(Struct, frozen=True):
    """What is wrong at a key path that is relative to the thing being read."""

    path: KeyPath
    what: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    code: str = ""


IN_EVALUATORS = MappingProxyType({"evaluators": "field of an evaluator"})
IN_JSON = Wording("field of a case", "an object", camel_case, IN_EVALUATORS)


def complaint_of(mistake: Mistake, severity: Severity) -> Complaint:
    """A mistake that the model of a file found."""
    return Complaint(mistake.path, mistake.what, mistake.hint, severity, mistake.code)


class Complaints:
    """All complaints about one file, turned into problems at the end."""

    def __init__(self, document: JsonDocument) -> None:
        self._document = document
        self._found: list[tuple[KeyPath, Complaint, str]] = []
        self._placed: list[Problem] = []

    def add(self, complaint: Complaint, path: KeyPath = (), case: str = "") -> None:
        self._found.append(((*path, *complaint.path), complaint, case))

    def extend(self, complaints: Iterable[Complaint], path: KeyPath, case: str) -> None:
        for complaint in complaints:
            self.add(complaint, path, case)

    def repeated_keys(self) -> None:
        """Warn of every key that stands twice in one object; the last one is in force."""
        for path, line, column in self._document.tree.duplicate_keys():
            self._placed.append(
                Problem(
                    self._document.file,
                    f"The key `{path[-1]}` stands twice; the last one counts",
                    "Remove one of them.",
                    line,
                    column,
                    format_key(path),
                    Severity.WARNING,
                    "duplicate-key",
                )
            )
            if len(self._placed) >= MAX_PROBLEMS:
                return

    def problems(self) -> tuple[Problem, ...]:
        """Every complaint with its place, in file order; beyond the limit only their number."""
        found = [
            self._document.problem(
                path,
                complaint.what,
                complaint.hint,
                severity=complaint.severity,
                code=complaint.code,
                case=case,
            )
            for path, complaint, case in self._found[:MAX_PROBLEMS]
        ]
        found += self._placed
        found.sort(key=lambda problem: (problem.line, problem.column))
        more = len(self._found) - MAX_PROBLEMS
        if more > 0:
            what = f"{more} more mistakes of this file are not listed"
            found.append(Problem(self._document.file, what, "Mend these first.", code="more"))
        return tuple(found)


def shorten(text: str, limit: int = 80) -> str:
    """Text of any length and content on one line of a message."""
    shown = "".join(sign if sign.isprintable() else "·" for sign in text[:limit])
    return shown if len(text) <= limit else shown + "…"
