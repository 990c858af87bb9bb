"""`check` names a scenario in which nobody can write what the user says next."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.config import Config
from evaltui.core.errors import Severity
from evaltui.project import project_problems, read_project
from evaltui.project.diagnostics.unplayed_scenarios import UNPLAYED
from evaltui.settings.load import load_config
from tests.project.test_project import write
from tests.workspaces import ANN, BOB, REFUND, write_entities, write_workspace

JUDGE = '[judge]\ntype = "openai"\nmodel = "m"\n'
ASKED: dict[str, Any] = {
    "name": "hello",
    "messages": [{"role": "user", "content": "Good morning"}],
    "evaluators": [{"type": "response-length", "config": {"max": 400}}],
}


def test_it_is_named_at_its_place_with_the_ways_out(tmp_path: Path) -> None:
    write(tmp_path / "evals/a.scenario.json", [{**ASKED, "name": "a", "maxMessages": 3}, ASKED])
    (found,) = _unplayed(Config(root=tmp_path))
    assert (found.case, found.severity) == ("hello", Severity.WARNING)
    assert found.line > 1
    assert str(found).endswith(
        "Nobody can write the user's next line: the scenario is not run. "
        "Give its persona `lines`, lower `maxMessages` to 3, or write `[judge]` into the settings."
    )


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        (JUDGE, {}),
        ("[judge\n", {}),
        ("", {"maxMessages": 3}),
        ("", {"persona": {"name": "Ann", "lines": ["And in Rome?"]}}),
        ("", {"successCriteria": "it greets"}),
        ("", {"messages": [], "maxMessages": 1}),
    ],
)
def test_nothing_is_said_where_somebody_can_or_something_else_is_in_the_way(
    tmp_path: Path, settings: str, more: dict[str, Any]
) -> None:
    write(tmp_path / "evals/a.scenario.json", {**ASKED, **more})
    (tmp_path / "evaltui.toml").write_text(settings)
    assert _unplayed(load_config(tmp_path).config) == []


def test_a_scenario_of_a_workspace_is_named_once_for_all_its_personas(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    silent = [{key: one[key] for key in ("id", "name")} for one in (ANN, BOB)]
    write_entities(tmp_path, "personas", *silent)
    (found,) = _unplayed(load_config(tmp_path).config)
    assert found.case.startswith(REFUND["name"])


def _unplayed(config: Config) -> list[Any]:
    problems = project_problems(read_project(config))
    return [one for one in problems if one.code == UNPLAYED]
