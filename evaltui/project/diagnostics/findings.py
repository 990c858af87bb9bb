"""What lint finds in an eval file, with positions; computed once per content of the file."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from msgspec.structs import replace

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import Problem
from evaltui.core.key_path import KeyPath, format_key, parse_key
from evaltui.files import read_file
from evaltui.json_text.document import JsonDocument, read_json
from evaltui.project.suite_file import SuiteFile


def lint_findings(file: SuiteFile) -> tuple[Problem, ...]:
    """Of its suite, with line and column of their keys where the file still says the same."""
    if file.findings is None:
        from evaltui.expectations.lint import lint_suite

        found = lint_suite(file.suite) if file.suite is not None else []
        file.findings = placed_in(file, found) if found else ()
    return file.findings


def placed_in(
    file: SuiteFile, found: list[Problem], content: bytes | None = None
) -> tuple[Problem, ...]:
    """With line and column of their keys, which number the cases of the suite.

    `content`: of a file that is not written yet.
    """
    document = _document(file, content)
    return tuple(_placed(found, document, file) if document is not None else found)


def tool_place(file: SuiteFile, key: str) -> tuple[int, int]:
    """Line and column of the key that says which tool the file is about."""
    if file.tool_place is None:
        document = _document(file) if key else None
        file.tool_place = document.locate(parse_key(key)) if document is not None else (1, 1)
    return file.tool_place


def place_of(file: SuiteFile, key: str) -> tuple[int, int]:
    """Line and column of a key; zeroes where another text stands there by now."""
    document = _document(file)
    return document.locate(parse_key(key)) if document is not None else (0, 0)


def _document(file: SuiteFile, content: bytes | None = None) -> JsonDocument | None:
    """Its text as it was read; `None` when another one stands there by now."""
    if content is None:
        try:
            content = read_file(file.path)
        except OSError:
            return None
        if sha256(content).digest() != file.digest:
            return None
    document = read_json(file.id, content)
    return document if isinstance(document, JsonDocument) else None


def _lines(file: SuiteFile) -> dict[str, int]:
    """Of its cases, by their ids."""
    return {case.id: case.line for case in file.suite.cases} if file.suite is not None else {}


def _placed(problems: list[Problem], document: JsonDocument, file: SuiteFile) -> list[Problem]:
    lines = _lines(file)
    cases = file.suite.cases if file.suite is not None else ()
    uses = {case.id: case.body.evaluators for case in cases}
    prefix = _cases_at(document.value)
    items: object = document.value
    for part in prefix or ():
        items = items[part] if isinstance(items, dict) else None
    starts = document.entries(prefix).lines if prefix is not None else []
    indices: dict[object, int] = {}
    # A case whose id stands nowhere, since it is made of two files, is known by its line.
    by_line = {line: index for index, line in enumerate(starts)}
    if len(by_line) == len(starts):
        indices |= {id_: by_line[line] for id_, line in lines.items() if line in by_line}
    written: dict[object, int] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict) and isinstance(item.get("id") or item.get("name"), str):
            written.setdefault(item.get("id") or item["name"], index)
    for case in cases:
        at = next((written[name] for name in case.names if name in written), None)
        if at is not None:
            indices.setdefault(case.id, at)
    placed: list[Problem] = []
    for problem in problems:
        path = _in_file(problem, prefix, indices)
        path = _among_all(path, document, uses.get(problem.case, ()))
        line, column = document.locate(path)
        placed.append(replace(problem, line=line, column=column, key=format_key(path)))
    return placed


def _cases_at(value: object) -> tuple[str, ...] | None:
    """Where the list of cases stands; `None` where the file is one case."""
    if isinstance(value, list):
        return ()
    if isinstance(value, dict):
        return next(((key,) for key in ("cases", "scenarios") if key in value), None)
    return None


def _in_file(
    problem: Problem, prefix: tuple[str, ...] | None, indices: dict[object, int]
) -> KeyPath:
    # Findings number the cases that were kept; the file may hold more, be a bare list, or one case.
    path = parse_key(problem.key)
    if path[:1] != ("cases",) or len(path) < 2:
        return path
    if prefix is None:
        return path[2:]
    return (*prefix, indices.get(problem.case, path[1]), *path[2:])


def _among_all(path: KeyPath, document: JsonDocument, uses: Sequence[EvaluatorUse]) -> KeyPath:
    """The same with the place that an evaluator has in the file, where others could not be read."""
    if "evaluators" not in path[:-1]:
        return path
    at = path.index("evaluators")
    entries: object = document.value
    for part in path[: at + 1]:
        if isinstance(entries, Mapping):
            entries = entries.get(part)
        elif isinstance(entries, list) and isinstance(part, int):
            entries = entries[part] if part < len(entries) else None
    types = [use.type for use in uses]
    kept: list[int] = []
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        is_kept = isinstance(entry, dict) and entry.get("type") in types[len(kept) : len(kept) + 1]
        kept += [index] if is_kept else []
    number = path[at + 1]
    if not isinstance(number, int) or number >= len(kept):
        return path
    return (*path[: at + 1], kept[number], *path[at + 2 :])
