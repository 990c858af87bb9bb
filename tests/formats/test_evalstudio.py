"""Scenarios of an EvalStudio workspace are cases, one for each persona; mistakes have places."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import case_fingerprint
from evaltui.project import project_problems, read_project
from evaltui.settings.load import load_config
from tests.workspaces import ANN, BOB, DATA, EVAL, HELLO, REFUND, write_entities, write_workspace


def read(root: Path) -> tuple[dict[str, Case], list[Problem]]:
    project = read_project(load_config(root).config, None, None)
    cases = {case.id: case for suite in project.suites for case in suite.cases}
    errors = [one for one in project_problems(project) if one.severity is Severity.ERROR]
    return cases, errors


def test_a_scenario_is_a_case_for_each_of_its_personas(tmp_path: Path) -> None:
    cases, errors = read(write_workspace(tmp_path))
    assert errors == []
    assert [*cases] == ["Refund (Ann)", "Refund (Bob)", "Hello"]
    assert {case.description for case in cases.values()} == {""}, "their names say it already"
    body = cases["Refund (Bob)"].body
    assert isinstance(body, ScenarioCase)
    assert (body.name, body.instructions, body.max_messages) == (
        "Refund",
        "The kettle is broken.",
        4,
    )
    assert (body.persona.name, body.persona.system_prompt) == ("Bob", "Slow")
    assert [use.type for use in body.evaluators] == ["response-length", "tool-call-count"]
    assert cases["Refund (Bob)"].extra == {"scenarioId": "s-refund", "personaId": "u-bob"}
    hello = cases["Hello"].body
    assert isinstance(hello, ScenarioCase)
    assert [one.content for one in hello.seed_messages] == ["Hi"]


def test_when_it_was_saved_is_no_part_of_a_scenario(tmp_path: Path) -> None:
    before, _ = read(write_workspace(tmp_path))
    path = tmp_path / DATA / "scenarios.json"
    path.write_text(path.read_text().replace("2026-02-26", "2026-03-01"))
    after, _ = read(tmp_path)
    assert [*map(case_fingerprint, after.values())] == [*map(case_fingerprint, before.values())]


def test_every_mistake_is_told_once_with_file_pointer_and_what_to_do(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    wrong = {**REFUND, "maxMessages": "four", "personaIds": ["u-ann", "u-bob", "u-no"]}
    write_entities(tmp_path, "scenarios", wrong, {**HELLO, "name": "Refund (Ann)"}, 5)
    write_entities(tmp_path, "personas", ANN, BOB, {"id": "u-eve", "name": 3})
    write_entities(tmp_path, "evals", {**EVAL, "scenarioIds": ["s-refund", "s-no"]})
    cases, errors = read(tmp_path)
    assert {(one.file.rpartition("/")[2], one.key) for one in errors} == {
        ("scenarios.json", "[0].maxMessages"),
        ("scenarios.json", "[0].personaIds[2]"),
        ("scenarios.json", "[1].name"),
        ("scenarios.json", "[2]"),
        ("personas.json", "[2].name"),
        ("evals.json", "[0].scenarioIds[1]"),
    }
    assert len(errors) == 6
    assert all(one.line and one.hint for one in errors)
    assert cases["Refund (Ann)"].invalid


def test_an_id_that_two_have_is_a_mistake_and_the_first_has_it(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "personas", ANN, {**BOB, "id": ANN["id"]})
    write_entities(tmp_path, "scenarios", REFUND, {**HELLO, "id": REFUND["id"]})
    cases, errors = read(tmp_path)
    twice = {one.file.rpartition("/")[2] for one in errors if one.key == "[1].id"}
    assert twice == {"scenarios.json", "personas.json"}
    assert [*cases] == ["Refund (Ann)"]


def test_a_scenario_of_an_unknown_persona_alone_is_not_held(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "scenarios", {**REFUND, "personaIds": ["u-no"]})
    cases, _ = read(tmp_path)
    assert cases["Refund"].invalid == "There is no persona `u-no`"


def test_a_persona_that_is_no_longer_json_leaves_the_last_good_scenarios(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    config = load_config(tmp_path).config
    before = read_project(config, None, None)
    path = tmp_path / DATA / "personas.json"
    path.write_text(path.read_text()[:-5])
    after = read_project(config, before, [path])
    assert after.suites == before.suites
    (found,) = [one for one in after.problems if one.severity is Severity.ERROR]
    assert (found.file, found.line > 1) == (f"{DATA}/personas.json", True)


def test_what_evaluators_are_asked_is_held_against_their_schemas(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    uses = [{"type": "response-length", "config": {"max": "x"}}]
    write_entities(tmp_path, "scenarios", HELLO, {**REFUND, "evaluators": uses})
    _, errors = read(tmp_path)
    errors = [one for one in errors if one.file.endswith("scenarios.json")]
    assert {one.key for one in errors} == {"[1].evaluators[0].config.max"}
    lines = (tmp_path / DATA / "scenarios.json").read_text().splitlines()
    assert all('"max": "x"' in lines[one.line - 1] for one in errors)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
KINDS: dict[str, list[Any]] = {
    "scenarios": [REFUND, HELLO],
    "personas": [ANN, BOB],
    "evals": [EVAL],
}


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_stands_at_any_key_nothing_breaks(tmp_path: Path, kind: str, data: Any) -> None:
    write_workspace(tmp_path)
    entities = json.loads(json.dumps(KINDS[kind]))
    index = data.draw(st.integers(0, len(entities) - 1))
    key = data.draw(st.sampled_from(sorted(entities[index])))
    entities[index][key] = data.draw(JUNK)
    write_entities(tmp_path, kind, *entities)
    for problem in read(tmp_path)[1]:
        assert problem.hint
        assert problem.file
