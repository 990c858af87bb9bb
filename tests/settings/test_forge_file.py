"""`forge.config.json` as its own program writes it is read, and its own keys are left alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.settings.load import load_config
from tests.projects import write_tools

WRITTEN: dict[str, Any] = {
    "model": "gpt-4o-mini",
    "project": {
        "name": "shop",
        "toolsDir": "src/tools",
        "evalsDir": "evals/dataset",
        "barrelsFile": "src/tools/tools.exports.ts",
    },
    "api": {"discovery": {"type": "openapi", "url": "http://localhost:3333/api-json"}},
    "agent": {"endpoint": None, "method": "POST", "headers": {}, "inputField": "message"},
    "agents": [{"id": "shop", "displayName": "Shop", "maxTurns": 4}],
    "evals": {
        "goldenDir": "evals/dataset/golden",
        "labeledDir": "evals/dataset/labeled",
        "seedManifestFile": "evals/seeds.json",
        "defaultMix": {"golden": {"total": 10}},
    },
    "costs": {"gpt-4o": {"input": 2.5, "output": 10.0}},
}


def written(root: Path, table: dict[str, Any], *there: str) -> None:
    (root / "forge.config.json").write_text(json.dumps(table, indent=2), encoding="utf-8")
    for name in there:
        path = root / name
        (path.parent if path.suffix else path).mkdir(parents=True, exist_ok=True)
        if path.suffix:
            path.write_text("{}" if path.suffix == ".json" else "", encoding="utf-8")


def test_its_own_paths_are_our_settings(tmp_path: Path) -> None:
    places = ("evals/dataset/golden", "evals/dataset/labeled", "evals/seeds.json")
    written(tmp_path, WRITTEN, *places, "src/tools/tools.exports.ts")
    read = load_config(tmp_path)
    assert read.problems == ()
    assert read.config.evals == places[:2]
    assert read.config.seed_manifest_path == "evals/seeds.json"
    assert [one.location for one in read.config.registries] == ["src/tools/tools.exports.ts"]
    assert (list(read.config.profiles), read.config.agents[0].name) == ([], "embedded")


def test_without_folders_of_tiers_the_folder_of_evals_counts(tmp_path: Path) -> None:
    written(tmp_path, WRITTEN, "evals/dataset")
    assert load_config(tmp_path).config.evals == ("evals/dataset",)


def test_what_does_not_exist_yet_is_looked_for_in_the_usual_places(tmp_path: Path) -> None:
    written(tmp_path, WRITTEN)
    read = load_config(tmp_path)
    config = read.config
    assert (read.problems, config.evals, config.registries) == ((), (), ())
    assert config.seed_manifest_path == "evals/seed-manifest.json"


def test_our_own_keys_win_and_are_complained_of(tmp_path: Path) -> None:
    ours = {"toolRegistryPath": "tools.json", "evals": ["a.json"], "agents": {"x": {"typ": "http"}}}
    written(tmp_path, {**WRITTEN, **ours, "trials": 0}, "src/tools/tools.exports.ts")
    read = load_config(tmp_path)
    assert [one.location for one in read.config.registries] == ["tools.json"]
    assert read.config.evals == ("a.json",)
    assert [problem.key for problem in read.problems] == ["trials"]


def test_a_project_of_its_own_kind_is_checked_without_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = {**WRITTEN, "project": {"barrelsFile": "made/list.json"}}
    written(tmp_path, table, "evals/dataset/golden", "made/list.json")
    write_tools(tmp_path / "made", ({"name": "find_order", "description": "Finds an order."},))
    (tmp_path / "made" / "tools.json").replace(tmp_path / "made" / "list.json")
    case = {"id": "gs-find-order-001", "input": {"message": "Where is order 7?"}}
    case["expect"] = {"toolsCalled": ["find_order"]}
    golden = tmp_path / "evals" / "dataset" / "golden" / "find_order.json"
    golden.write_text(json.dumps({"metadata": None, "cases": [case]}), encoding="utf-8")
    assert run_command(["check", "--root", str(tmp_path)]) == 0
    assert "1 case" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["", "\0", "x" * 5000, 5, None, [], {"a": 1}])
def test_odd_paths_are_no_mistake_of_ours(tmp_path: Path, value: object) -> None:
    table = {"project": {"barrelsFile": value, "evalsDir": value}, "evals": {"goldenDir": value}}
    written(tmp_path, table)
    assert load_config(tmp_path).problems == ()
