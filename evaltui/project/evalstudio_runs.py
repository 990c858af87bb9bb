"""Runs that EvalStudio itself kept in a workspace, with the names of what they were of."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.case import PERSONA_ID, SCENARIO_ID, Case, ScenarioCase
from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.workspace_files import CONNECTORS
from evaltui.formats.naming import WORKSPACE_SCENARIOS
from evaltui.project.project import Project
from evaltui.scenarios.workspace_runs import workspace_runs


class EvalStudioRuns(Struct, frozen=True):
    """As their files have them; `problems` has what cannot be read of these."""

    runs: list[dict[str, Json]]
    problems: list[Problem]


def evalstudio_runs(
    project: Project, wanted: Callable[[str], bool] = lambda _: True
) -> EvalStudioRuns:
    """`wanted`: of which scenarios, by the ids of their files."""
    folders = [
        path.parent
        for path, file in project.files.items()
        if path.parts[-2:] == WORKSPACE_SCENARIOS and wanted(file.id)
    ]
    found = [*workspace_runs(folders)]
    cases = (case for suite in project.suites for case in suite.cases)
    names = {_ids(case.extra): case for case in cases if SCENARIO_ID in case.extra}
    agents = _connectors(folders)
    runs = [_named(one, names, agents) for one in found if not isinstance(one, Problem)]
    return EvalStudioRuns(runs, [one for one in found if isinstance(one, Problem)])


def _connectors(folders: list[Path]) -> dict[str, str]:
    """Their names by id; what is wrong with them is told where they are agents."""
    if not folders:
        return {}
    from evaltui.settings.evalstudio.evalstudio_entities import read_entities
    from evaltui.settings.evalstudio.evalstudio_model import Connector

    read = (read_entities(Connector, folder, CONNECTORS, "a connector") for folder in folders)
    return {each.value.id: each.value.name for one in read for each in one.found}


def _ids(known: Mapping[str, Any]) -> tuple[Json, Json]:
    return known.get(SCENARIO_ID), known.get(PERSONA_ID)


def _named(
    run: dict[str, Json],
    cases: Mapping[tuple[Json, Json], Case],
    agents: Mapping[str, str],
) -> dict[str, Json]:
    """With the names of its scenario, persona and connector beside their ids, as far as known."""
    agent = agents.get(str(run.get("connectorId")), "")
    if agent:
        run = {"agent": agent, **run}
    case = cases.get(_ids(run))
    if case is None or "scenario" in run or not isinstance(case.body, ScenarioCase):
        return run
    scenario = {"name": case.body.name, "case": case.id, "file": case.key.suite}
    return {**run, "scenario": scenario}
