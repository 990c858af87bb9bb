"""Scenarios of the project: listed as they stand in their files, and written there."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace
from pydantic import Field

from evaltui.api.faults import Conflict, Fault, NotAllowed, NotFound, NotTrusted
from evaltui.api.scopes import EVERYTHING, Scope
from evaltui.api.served_project import ServedProject
from evaltui.core.case import Case, ScenarioCase
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key, parse_key
from evaltui.disk.atomic import safe_name
from evaltui.disk.file_edits import apply_edit, revert_edit, unwritable
from evaltui.disk.file_lock import writing_in
from evaltui.files import outside, read_file
from evaltui.formats import scenario_model, suite_id
from evaltui.formats.scenario import ENDING
from evaltui.formats.scenario_editing import (
    ScenarioEdit,
    WrittenScenario,
    add_scenario,
    change_scenario,
    written_scenarios,
)
from evaltui.project import Project, project_problems
from evaltui.project.diagnostics.scenario_check import scenario_problems
from evaltui.project.diagnostics.unknown_evaluators import why_unchecked
from evaltui.project.discover import discover
from evaltui.project.trust import evaluator_grants, permit_of
from evaltui.reporters.problem_json import problem_json

_OURS = ("file", "key", "problems")
"""What answers add to a scenario, so that it can be sent back as it came."""


class _Found(NamedTuple):
    path: Path
    file: str
    scenario: WrittenScenario

    @property
    def key(self) -> str:
        return f"{self.file}::{self.scenario.id}"


class Scenarios:
    """Everything raises UserError."""

    def __init__(self, project: ServedProject) -> None:
        self._project = project

    async def all(self, scope: Scope = EVERYTHING) -> list[dict[str, Json]]:
        return await asyncio.to_thread(_listed, await self._project.read(), scope)

    async def get(self, id_: str, scope: Scope = EVERYTHING) -> dict[str, Json]:
        """By its `file::id`, its id or its name, by the first that any scenario has."""
        project = await self._project.read()
        return await asyncio.to_thread(lambda: _scenario_json(project, _find(project, id_, scope)))

    async def add(self, body: dict[str, Any], scope: Scope = EVERYTHING) -> dict[str, Json]:
        """Write it to the end of `file`, or into a new file."""
        project = await self._project.read()
        added = await asyncio.to_thread(_add, project, body, scope)
        return await self.get(added)

    async def change(
        self, id_: str, body: dict[str, Any], scope: Scope = EVERYTHING
    ) -> dict[str, Json]:
        """Write the fields that were sent; the others stay, and `null` takes one out."""
        project = await self._project.read()
        changed = await asyncio.to_thread(_change, project, id_, body, scope)
        return await self.get(changed)


def _all(project: Project, scope: Scope) -> Iterator[_Found]:
    for path, file in project.files.items():
        if file.suite is not None and file.suite.kind is ScenarioCase and scope.has(file.id):
            try:
                content = read_file(path)
                for scenario in written_scenarios(content):
                    yield _Found(path, file.id, scenario)
            except (OSError, UserError):
                continue  # the problems of the project say so


def _find(project: Project, id_: str, scope: Scope) -> _Found:
    known = [*_all(project, scope)]
    found = [one for one in known if one.key == id_]
    found = found or [one for one in known if one.scenario.id == id_]
    found = found or [one for one in known if one.scenario.value.get("name") == id_]
    if len(found) == 1:
        return found[0]
    if found:
        keys = "`, `".join(one.key for one in found)
        raise Conflict(f"Several scenarios are called `{id_}`.", f"Ask for `{keys}`.")
    hint = did_you_mean(id_, [one.scenario.id for one in known])
    raise NotFound(f"There is no scenario `{id_}`.", hint or "`GET /api/scenarios` lists them.")


def _listed(project: Project, scope: Scope) -> list[dict[str, Json]]:
    problems = project_problems(project)
    return [_json(one, _cases(project, one), problems) for one in _all(project, scope)]


def _scenario_json(project: Project, found: _Found) -> dict[str, Json]:
    return _json(found, _cases(project, found), project_problems(project))


def _cases(project: Project, found: _Found) -> tuple[Case, ...]:
    """Of its file."""
    suite = project.suite(found.file)
    return suite.cases if suite is not None else ()


def _json(found: _Found, cases: Iterable[Case], problems: Iterable[Problem]) -> dict[str, Json]:
    ids = {found.scenario.id, *(one.id for one in cases if found.scenario.id in one.names)}
    mine = [one for one in problems if one.file == found.file and one.case in ids]
    return {
        "id": found.scenario.id,
        "key": found.key,
        "file": found.file,
        **{key: value for key, value in found.scenario.value.items() if key not in ("id", *_OURS)},
        "problems": [problem_json(one) for one in mine],
    }


def _add(project: Project, body: dict[str, Any], scope: Scope) -> str:
    theirs = {one.id: one for one in project.suites if one.why_not_written}
    if project.config.evals and theirs.keys() >= {*project.config.evals}:
        suite = next(iter(theirs.values()))
        raise NotAllowed(f"{suite.why_not_written}.", f"Add the scenario in {suite.owner}.")
    path = _new_place(project, body)
    file = suite_id(path, project.root)
    if not scope.has(file):
        raise Fault(
            f"`{file}` is not a file of this project.", f"Its files are in `{scope.folder}`."
        )
    with _writing(path, file):
        content = read_file(path) if path.exists() else None
        if content is not None and "file" not in body:
            hint = "Give another `name`, or say in `file` which file it belongs in."
            raise Conflict(f"There is already a file `{file}`.", hint)
        fields = {key: value for key, value in body.items() if key not in _OURS}
        try:
            made = add_scenario(path, content, fields)
        except UserError as error:  # of the file as it is now
            raise Conflict.of(error) from None
        _check(project, path, made)
        _write(made)
        if content is None and path not in discover(project.config).files:
            revert_edit(made.edit)
            hint = (
                "Say in `file` where it belongs: below a folder that `evals` in the settings names."
            )
            raise Fault(f"`{file}` would not be among the eval files.", hint)
    return f"{file}::{made.scenario.id}"


def _change(project: Project, id_: str, body: dict[str, Any], scope: Scope) -> str:
    found = _find(project, id_, scope)
    key, file = found.key, found.file
    if body.get("file", file) != file:
        raise Fault(f"The scenario is in `{file}`.", "It cannot be moved; leave out `file`.")
    path = project.root / file
    if outside(project.root, file):
        raise NotAllowed(f"`{file}` lies outside of the project.", "Change it there.")
    suite = project.suite(file)
    if suite is not None and (why := suite.why_not_written):
        raise NotAllowed(f"{why}.", f"Change the scenario in {suite.owner}.")
    with _writing(path, file):
        content = read_file(path)
        known = {f"{file}::{one.id}": one for one in written_scenarios(content)}
        if key not in known:
            raise Conflict(f"`{key}` is no longer in its file.", "Ask for it again.")
        before = known[key]
        changes = {name: value for name, value in body.items() if name not in _OURS}
        if "id" not in before.value and changes.get("id") in (before.id, None):
            changes.pop("id", None)
        made = change_scenario(path, content, before, changes)
        _check(project, path, made)
        _write(made)
    return f"{file}::{made.scenario.id}"


def _new_place(project: Project, body: dict[str, Any]) -> Path:
    """Below the root, through no link that leads out of it. Raises Fault."""
    file = body.get("file")
    if file is None:
        name = body.get("name")
        words = re.sub(r"[^a-z0-9]+", "_", name.lower() if isinstance(name, str) else "")
        file = f"evals/{words.strip('_')[:60] or _free(project.root)}{ENDING}"
    hint = f"Write a path below the project's folder: `evals/returns{ENDING}`."
    parts = file.split("/") if isinstance(file, str) else []
    if not parts or any(safe_name(part) != part or part.startswith(".") for part in parts):
        raise Fault("`file` is not a path of a file in the project.", hint)
    if not file.endswith(ENDING) or file.endswith(f"/{ENDING}"):
        raise Fault(f"`file` does not end in `{ENDING}`.", hint)
    if outside(project.root, file):
        raise NotAllowed("`file` leads out of the project through a link.", hint)
    return project.root / file


def _free(root: Path) -> str:
    """For a name of which nothing can stand in that of a file: one that no other has."""
    names = (f"scenario_{number}" if number > 1 else "scenario" for number in count(1))
    return next(name for name in names if not (root / "evals" / f"{name}{ENDING}").exists())


def _check(project: Project, path: Path, made: ScenarioEdit) -> None:
    """Raises Fault with all that is wrong with the scenario, each with its place in the body."""
    _check_types(project, made.scenario)
    before = () if made.edit.is_new else scenario_problems(project, path, made.edit.before)
    known = {(one.case, one.what) for one in before}
    wrong = [
        _in_body(one, made.scenario.path)
        for one in scenario_problems(project, path, made.edit.after)
        if one.severity is Severity.ERROR
        and (one.case == made.scenario.id or (one.case, one.what) not in known)
    ]
    if wrong:
        raise Fault("The scenario has mistakes.", "Correct them; nothing was written.", wrong)


def _check_types(project: Project, scenario: WrittenScenario) -> None:
    """What names evaluators that are not loaded cannot be checked. Raises Fault."""
    if project.evaluators.is_complete:
        return
    named = scenario.value.get("evaluators")
    uses = named if isinstance(named, list) else []
    types = [one.get("type") for one in uses if isinstance(one, dict)]
    if all(project.evaluator_registry.registered(str(one)) for one in types):
        return
    if missing := permit_of(project.config).missing(evaluator_grants(project.config)):
        raise NotTrusted.of(missing)
    what = "The evaluators of the scenario cannot be checked: not all could be loaded."
    raise Conflict(what, "Correct those first.", [*why_unchecked(project)])


def _in_body(problem: Problem, prefix: KeyPath) -> Problem:
    path = parse_key(problem.key)
    if path[: len(prefix)] == prefix:
        path = path[len(prefix) :]
    return replace(problem, key=format_key(path), line=0, column=0)


def _write(made: ScenarioEdit) -> None:
    if made.edit.before == made.edit.after and not made.edit.is_new:
        return
    try:
        apply_edit(made.edit)
    except UserError as error:
        raise Conflict.of(error) from None


@contextmanager
def _writing(path: Path, file: str) -> Iterator[None]:
    """Nobody else writes there meanwhile. Raises Conflict where the file cannot be read or written,
    and as what is done."""
    try:
        with writing_in(path.parent):
            yield
    except OSError as error:
        raise Conflict.of(unwritable(file, error)) from None


class Scenario(scenario_model.Scenario):
    """A conversation with the agent, how it is judged, and where it is written."""

    file: str = Field(
        "",
        description=f"its file below the project's folder; `evals/NAME{ENDING}` without",
        pattern=ENDING.replace(".", r"\.") + "$",
    )
