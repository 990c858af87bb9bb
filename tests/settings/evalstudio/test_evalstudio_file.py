"""An EvalStudio workspace is read in place: its connectors, model and evaluators are settings."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import Severity
from evaltui.net.secret_sources import SecretSources
from evaltui.project import agent_problems
from evaltui.project.trust import missing_grants
from evaltui.settings.load import load_config
from tests.workspaces import (
    ANN,
    DATA,
    EVAL,
    KEY,
    TOKEN,
    connector,
    write_config,
    write_entities,
    write_workspace,
)

GRAPH = {
    "id": "c-2",
    "name": "Graph",
    "type": "langgraph",
    "baseUrl": "http://localhost:2024",
    "config": {"assistantId": "shop", "configurable": {"tenant": "a"}},
}


@pytest.mark.parametrize("data", [DATA, "data"], ids=["version 3", "version 2"])
def test_connectors_are_agents_and_scenarios_are_eval_files(tmp_path: Path, data: str) -> None:
    read = load_config(write_workspace(tmp_path, data=data))
    assert read.problems == ()
    config = read.config
    assert config.evals == (f"{data}/scenarios.json",)
    assert [(one.name, one.type) for one in config.agents] == [("Shop", "http")]
    assert config.concurrency == 3
    assert agent_problems(config, {}) == ()


def test_what_the_config_says_itself_is_in_force(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    models = {"evaluation": "gpt-x"}
    settings = {"provider": "openai", "apiKey": KEY, "models": models}
    write_config(tmp_path, maxConcurrency=2, evaluators=["./mine.js"], llmSettings=settings)
    config = load_config(tmp_path).config
    assert (config.concurrency, [one.name for one in config.evaluators]) == (2, ["./mine.js"])
    assert config.judge is not None
    assert (config.judge.profile.type, config.judge.profile.options["model"]) == ("openai", "gpt-x")


def test_the_key_is_filled_in_when_it_is_needed_and_stands_in_no_setting(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, llmSettings={"provider": "anthropic", "apiKey": KEY})
    config = load_config(tmp_path).config
    assert KEY not in repr(config)
    assert config.judge is not None
    template = str(config.judge.profile.options["api_key"])
    assert SecretSources(tmp_path, {})[template[2:-1]] == KEY


def test_its_model_for_personas_plays_them(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    models = {"evaluation": "gpt-x", "persona": "gpt-y"}
    write_config(tmp_path, llmSettings={"provider": "openai", "apiKey": KEY, "models": models})
    read = load_config(tmp_path)
    judge = read.config.judge
    assert read.problems == ()
    assert judge is not None
    assert [one.options["model"] for one in judge.profiles] == ["gpt-x", "gpt-y"]
    same = {"provider": "openai", "models": {"evaluation": "gpt-x", "persona": "gpt-x"}}
    write_config(tmp_path, llmSettings=same)
    judge = load_config(tmp_path).config.judge
    assert judge is not None
    assert judge.player is None


USES = {"evaluation": {"providerId": "p-2", "model": "gpt-x"}, "persona": {"providerId": "p-1"}}


def test_a_provider_of_version_2_judges_with_the_key_of_its_file(tmp_path: Path) -> None:
    write_workspace(tmp_path, data="data")
    providers = [
        {"id": "p-1", "name": "A", "provider": "anthropic", "apiKey": "sk-other"},
        {"id": "p-2", "name": "B", "provider": "openai", "apiKey": KEY},
    ]
    (tmp_path / "data" / "llm-providers.json").write_text(json.dumps(providers))
    write_config(tmp_path, version=2, projects=None, llmSettings=USES)
    read = load_config(tmp_path)
    assert read.problems == ()
    assert KEY not in repr(read.config)
    judge = read.config.judge
    assert judge is not None
    asked = [(one.type, one.options["model"]) for one in judge.profiles]
    assert asked == [("openai", "gpt-x"), ("anthropic", "claude-3-5-haiku-20241022")]
    secrets = SecretSources(tmp_path, {})
    keys = [secrets[str(one.options["api_key"])[2:-1]] for one in judge.profiles]
    assert keys == [KEY, "sk-other"]
    assert "data/llm-providers.json" in read.config.read_along


def test_a_provider_that_is_not_there_leaves_the_rest_of_the_workspace(tmp_path: Path) -> None:
    write_workspace(tmp_path, data="data")
    write_config(tmp_path, version=2, projects=None, llmSettings=USES)
    read = load_config(tmp_path)
    (found,) = [one for one in read.problems if one.severity is Severity.WARNING]
    assert (found.key, found.line > 1) == ("llmSettings.evaluation.providerId", True)
    assert "`p-2`" in found.what
    assert read.config.judge is None
    assert read.config.agents


def test_the_only_project_may_have_a_model_of_its_own(tmp_path: Path) -> None:
    path = write_config(write_workspace(tmp_path))
    table = json.loads(path.read_text())
    table["llmSettings"] = {"provider": "openai", "apiKey": "sk-other"}
    table["projects"][0]["llmSettings"] = {"provider": "anthropic", "apiKey": KEY}
    path.write_text(json.dumps(table))
    config = load_config(tmp_path).config
    assert config.judge is not None
    assert config.judge.profile.type == "anthropic"
    template = str(config.judge.profile.options["api_key"])
    assert SecretSources(tmp_path, {})[template[2:-1]] == KEY


def test_only_connectors_that_an_eval_names_are_under_test(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "connectors", connector(), GRAPH)
    write_entities(tmp_path, "evals", {**EVAL, "connectorId": "c-2"})
    config = load_config(tmp_path).config
    assert [one.name for one in config.agents] == ["Graph"]
    assert [*config.profiles] == ["Shop", "Graph"]
    assert config.agents[0].options == {
        "base_url": "http://localhost:2024",
        "assistant_id": "shop",
        "configurable": {"tenant": "a"},
        "thread": True,
    }
    assert [one.name for one in load_config(tmp_path, {"agent": "Shop"}).config.agents] == ["Shop"]


def test_nothing_is_asked_before_somebody_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    write_workspace(tmp_path, "http://shop.example")
    write_config(tmp_path, llmSettings={"provider": "openai", "apiKey": KEY})
    wanted = " ".join(map(str, missing_grants(load_config(tmp_path).config)))
    assert "http://shop.example" in wanted
    assert "api.openai.com" in wanted
    assert "evalstudio:llmSettings/apiKey" in wanted
    assert not {KEY, TOKEN} & {*wanted.split()}


WRONG: list[tuple[dict[str, Any], str, str, str]] = [
    ({"version": 9}, "evalstudio.config.json", "version", "which are 2 and 3"),
    ({"version": 1}, "evalstudio.config.json", "version", "which are 2 and 3"),
    ({"storage": {"type": "postgres"}}, "evalstudio.config.json", "storage.type", "database"),
    ({"projects": [{"id": "../x"}]}, "evalstudio.config.json", "projects[0]", "no `id`"),
    ({"projects": {}}, "evalstudio.config.json", "projects", "not a list"),
    ({"maxConcurrency": "two"}, "evalstudio.config.json", "maxConcurrency", "not a whole number"),
    ({"llmSettings": {"provider": "x"}}, "evalstudio.config.json", "llmSettings.provider", "`x`"),
]


@pytest.mark.parametrize(("table", "file", "key", "what"), WRONG, ids=[one[2] for one in WRONG])
def test_mistakes_of_the_config_have_their_place(
    tmp_path: Path, table: dict[str, Any], file: str, key: str, what: str
) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, **table)
    (found,) = [one for one in load_config(tmp_path).problems if one.key == key]
    assert (found.file, found.line > 1, bool(found.hint)) == (file, True, True)
    assert what in found.what


def test_mistakes_of_connectors_and_evals_stand_in_their_files(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    wrong = {**GRAPH, "type": "gopher"}
    write_entities(tmp_path, "connectors", connector(), wrong, {**connector(), "id": "c-9"})
    write_entities(tmp_path, "evals", {**EVAL, "connectorId": "c-7"})
    found = {one.key: one for one in load_config(tmp_path).problems}
    assert {(one.file, key) for key, one in found.items()} == {
        (f"{DATA}/connectors.json", "[1].type"),
        (f"{DATA}/connectors.json", "[2].name"),
        (f"{DATA}/evals.json", "[0].connectorId"),
    }
    assert "`langgraph`" in found["[1].type"].hint
    lines = (tmp_path / DATA / "connectors.json").read_text().splitlines()
    assert '"gopher"' in lines[found["[1].type"].line - 1]
    assert f"{DATA}/connectors.json" in found["[0].connectorId"].hint


def test_connectors_of_the_same_name_in_projects_of_the_same_name_are_all_agents(
    tmp_path: Path,
) -> None:
    ids = ("a", "b", "c", "d")
    write_config(tmp_path, projects=[{"id": one, "name": "Shop"} for one in ids])
    for number, one in enumerate(ids):
        data = f"projects/{one}/data"
        write_entities(tmp_path, "connectors", connector(f"http://localhost:{number}"), data=data)
        write_entities(tmp_path, "scenarios", data=data)
    write_entities(
        tmp_path, "connectors", connector(), {**connector(), "id": "c-9"}, data="projects/d/data"
    )
    read = load_config(tmp_path)
    assert [*read.config.profiles] == ["Shop", "Shop (Shop)", "Shop (c)", "Shop (d)"]
    urls = [one.options["url"] for one in read.config.profiles.values()]
    assert urls == [f"http://localhost:{number}" for number in (0, 1, 2, 1)]
    (twice,) = [one for one in read.problems if one.severity is Severity.ERROR]
    assert (twice.file, twice.key) == ("projects/d/data/connectors.json", "[1].name")


def test_an_id_that_two_have_is_a_mistake_and_the_first_has_it(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    again = {**connector("http://localhost:2"), "name": "Other"}
    write_entities(tmp_path, "connectors", connector("http://localhost:3"), again)
    write_entities(tmp_path, "evals", EVAL, {**EVAL, "name": "Again"})
    read = load_config(tmp_path)
    assert [one.options["url"] for one in read.config.profiles.values()] == ["http://localhost:3"]
    lines = (tmp_path / DATA / "connectors.json").read_text().splitlines()
    first, second = (one for one in read.problems if one.key == "[1].id")
    assert (first.file, second.file) == (f"{DATA}/connectors.json", f"{DATA}/evals.json")
    assert '"c-1"' in lines[first.line - 1]
    assert "a connector on line 2" in first.what


@pytest.mark.parametrize("version", [2, 3, None])
def test_versions_that_are_read_are_not_complained_of(tmp_path: Path, version: int | None) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, version=version)
    assert load_config(tmp_path).problems == ()


def test_what_is_wrong_with_an_address_is_told_where_the_connector_has_it(tmp_path: Path) -> None:
    write_workspace(tmp_path, "gopher://x")
    config = load_config(tmp_path).config
    from evaltui.project.diagnostics.agent_problems import unmade_agents

    (found,) = agent_problems(config, unmade_agents(config))
    assert (found.file, found.key) == (f"{DATA}/connectors.json", "[0]")
    assert found.line > 1


def test_no_problem_repeats_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_workspace(tmp_path)
    settings = {"provider": "x", "apiKey": [KEY], "models": KEY}
    write_config(tmp_path, llmSettings=settings)
    headers = {"Authorization": [TOKEN]}
    write_entities(tmp_path, "connectors", connector(headers=headers, baseUrl=[TOKEN]))
    assert run_command(["check", "-C", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    said = captured.out + captured.err
    assert "[0].baseUrl" in said
    assert KEY not in said
    assert TOKEN not in said


def test_another_settings_file_beside_it_counts_instead(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    (tmp_path / "evaltui.toml").write_text("concurrency = 7\n")
    config = load_config(tmp_path).config
    assert (config.concurrency, [*config.profiles], config.read_along) == (7, [], ())


def test_data_that_a_link_leads_to_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    write_workspace(root)
    other = write_entities(tmp_path, "connectors", connector(), data="other")
    (root / DATA / "connectors.json").unlink()
    (root / DATA / "connectors.json").symlink_to(other)
    read = load_config(root)
    assert [*read.config.profiles] == []
    (found,) = [one for one in read.problems if one.severity is Severity.ERROR]
    assert "link out of the project" in found.what
    assert ANN["name"] not in found.what


def test_a_config_that_is_no_longer_json_is_not_passed_over(tmp_path: Path) -> None:
    path = write_config(write_workspace(tmp_path))
    path.write_text(path.read_text()[:-4])
    (found,) = load_config(tmp_path).problems
    assert (found.file, found.code) == ("evalstudio.config.json", "json-syntax")


def test_connectors_of_ones_own_are_told_and_evaluators_are_listed_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, connectors=["./echo.js"])
    (told,) = load_config(tmp_path).problems
    assert (told.severity, told.key) == (Severity.WARNING, "connectors")
    assert "not run" in told.what
    write_entities(tmp_path, "connectors", connector(type="echo-bot"))
    assert run_command(["evaluators", "list", "--json", "-C", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert "tool-call-count" in {one["type"] for one in json.loads(captured.out)}
    assert "`connectors`" in captured.err
    assert "echo-bot" in captured.err
    assert run_command(["evaluators", "check", "-C", str(tmp_path)]) == 2
    assert "echo-bot" in capsys.readouterr().out
