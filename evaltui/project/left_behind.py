"""Baselines left under the old name of a renamed file or case."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import case_fingerprint
from evaltui.core.suite import Suite
from evaltui.disk.baselines.pinned import Pinned
from evaltui.files import is_there
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile

CODE = "baseline-left-behind"
PrintsOfLastRun: TypeAlias = Callable[[str, Collection[CaseKey]], Mapping[CaseKey, str]]
"""`Inputs.case` of such cases of an agent when they ran last, of those of which it is known."""


def nothing_known(_agent: str, _keys: Collection[CaseKey]) -> Mapping[CaseKey, str]:
    """As without a history."""
    return MappingProxyType({})


class LeftBehind(Struct, frozen=True):
    """Of one agent: pinned cases that the project has no more, and those they seem to be now."""

    agent: str
    name: str
    moves: Mapping[CaseKey, CaseKey]


def left_behind(
    project: Project,
    pins: Pinned,
    name_in_force: Callable[[str], str],
    last_run: PrintsOfLastRun = nothing_known,
) -> tuple[LeftBehind, ...]:
    """Of the baseline in force, of every agent that has one. Reads its copies.

    A case is found again by what decided its verdict when it was pinned, else by what did when it
    ran last, since it may have been edited meanwhile; in a renamed file by its id too. Cases that
    were deleted have no new name, and are left out.
    """
    files = {file.id: file for file in project.files.values()}
    found: list[LeftBehind] = []
    for agent in pins.listed.agents():
        name = name_in_force(agent)
        pinned = pins.ids(agent, name)
        if gone := gone_cases(project, pinned):  # seldom: the rest is not worked out for each save
            new = {
                case.key: case_fingerprint(case)
                for suite in project.suites
                for case in suite.cases
                if case.id not in pinned.get(suite.id, ())
            }
            then = _as_now(pins.fingerprints(agent, name), project)
            moves = _moves(sorted(gone), then, new, files)
            if edited := sorted({*gone} - moves.keys()):
                taken = {*moves.values()}
                free = {key: text for key, text in new.items() if key not in taken}
                moves |= _moves(edited, _as_now(last_run(agent, edited), project), free, files)
            if moves:
                found.append(LeftBehind(agent, name, moves))
    return tuple(found)


def gone_cases(project: Project, pinned: Mapping[str, Collection[str]]) -> list[CaseKey]:
    """Those of them, ids by suite, that the project has no more, whether under another name or not
    at all."""
    suites = {suite.id: suite for suite in project.suites}
    files = {file.id: file for file in project.files.values()}
    return [
        CaseKey(suite, case)
        for suite, ids in pinned.items()
        for case in {*ids} - (_ids(suites[suite]) if suite in suites else set())
        if is_gone(project, files, suite)
    ]


def _as_now(prints: Mapping[CaseKey, str], project: Project) -> dict[CaseKey, str]:
    known_as = project.former_prints.now
    return {key: known_as.get(text, text) for key, text in prints.items()}


def _ids(suite: Suite) -> set[str]:
    return {case.id for case in suite.cases}


def is_gone(project: Project, files: Mapping[str, SuiteFile], suite: str) -> bool:
    """Whether the file is not there, or is read: one that is left out, or broken, says nothing."""
    file = files.get(suite)
    if file is None:
        return not is_there(Path(project.root, suite))
    return file.suite is not None and file.is_current


def _moves(
    gone: Iterable[CaseKey],
    then: Mapping[CaseKey, str],
    now: Mapping[CaseKey, str],
    files: Container[str],
) -> dict[CaseKey, CaseKey]:
    """From the old name to the new one; no case gets the baseline of two."""
    by_print: dict[str, list[CaseKey]] = {}
    by_id: dict[str, list[CaseKey]] = {}
    for key, text in now.items():
        by_print.setdefault(text, []).append(key)
        by_id.setdefault(key.case, []).append(key)
    taken: set[CaseKey] = set()
    moves: dict[CaseKey, CaseKey] = {}
    for old in gone:
        alike = by_print.get(then.get(old, ""), [])
        named = by_id.get(old.case, []) if old.suite not in files else []
        ranked = sorted(
            (key for key in (*alike, *named) if key not in taken),
            key=lambda key: (key.case != old.case, key.suite != old.suite),
        )
        if ranked:
            moves[old] = ranked[0]
            taken.add(ranked[0])
    return moves


def left_behind_problems(project: Project, found: Iterable[LeftBehind]) -> Iterator[Problem]:
    """One for each pair of files, or for each case that has another id in its file."""
    lines = {case.key: case.line for suite in project.suites for case in suite.cases}
    for one in found:
        files: dict[tuple[str, str], int] = {}
        for old, new in one.moves.items():
            if old.suite == new.suite:
                yield _problem(
                    new.suite, lines[new], f"`{new.case}` is left behind under `{old.case}`"
                )
            else:
                pair = old.suite, new.suite
                files[pair] = files.get(pair, 0) + 1
        for (before, after), number in files.items():
            cases = "1 case" if number == 1 else f"{number:,} cases"
            yield _problem(after, 0, f"{cases} is left behind under `{before}`")


def _problem(file: str, line: int, what: str) -> Problem:
    return Problem(
        file,
        f"The baseline of {what}",
        "`evaltui baseline move` moves it to the new name; `B` does it in the dashboard.",
        line,
        severity=Severity.WARNING,
        code=CODE,
    )
