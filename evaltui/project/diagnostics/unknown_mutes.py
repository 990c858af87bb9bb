"""Mutes that no case has: it was renamed or deleted, or its name is misspelt."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Problem, Severity
from evaltui.disk.mutes import FILE, reread_mutes
from evaltui.disk.own_folder import own_folder
from evaltui.files import read_file
from evaltui.project.left_behind import is_gone
from evaltui.project.project import Project

CODE = "unknown-mute"


def unknown_mutes(project: Project) -> tuple[Problem, ...]:
    """One for each, at its line: of the settings, and of the file of those that keys set."""
    return (*_in_settings(project), *_by_keys(project, own_folder(project.root) / FILE))


def _in_settings(project: Project) -> Iterator[Problem]:
    config = project.config
    wrong = _wrong(project, config.mutes)
    if not wrong or not config.file:
        return
    from evaltui.settings.source import read_source

    source = read_source(config.root / config.file)
    for name, near in wrong.items():
        at = source.place(("mute", name))
        yield _problem(at.file, name, near or "Correct its name or remove it.", at.line, at.column)


def _by_keys(project: Project, path: Path) -> Iterator[Problem]:
    mutes: dict[str, str] = {}
    with suppress(OSError, ValueError, RecursionError):  # told by whoever mutes by it
        mutes = reread_mutes(path)
    wrong = _wrong(project, mutes)
    if not wrong:
        return
    from evaltui.json_text.tree import JsonTree

    tree = JsonTree(read_file(path))
    file = path.relative_to(project.root).as_posix()
    for name in wrong:
        hint = "If it was renamed, mute it again with m. Remove the line."
        yield _problem(file, name, hint, *tree.locate((name,)))


def _wrong(project: Project, mutes: Mapping[str, str]) -> dict[str, str]:
    """By name of the mute, a case that is called much like it. What a file says that is left out,
    or cannot be read now, nobody knows."""
    if not mutes:
        return {}
    keys = {str(case.key) for suite in project.suites for case in suite.cases}
    files = {file.id: file for file in project.files.values()}
    unknown = {name: CaseKey.parse(name) for name in mutes if name not in keys}
    return {
        name: did_you_mean(name, keys)
        for name, key in unknown.items()
        if not key.case or is_gone(project, files, key.suite)
    }


def _problem(file: str, name: str, hint: str, line: int, column: int) -> Problem:
    what = f"The mute of `{name}` mutes nothing: there is no such case"
    return Problem(file, what, hint, line, column, severity=Severity.WARNING, code=CODE)
