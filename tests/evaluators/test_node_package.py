"""A package of Node's that is named in a workspace: which file is read, and that it judges."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.evaluators.plugin_entry import entries_of, package_file
from evaltui.project import project_read_once
from evaltui.settings.load import load_config
from tests.evaluators.loaded import write
from tests.evaluators.seen import verdict_by
from tests.workspaces import write_config, write_workspace

PACK = "node_modules/my-pack"
TEXT = """
export default { evaluators: [{ type: "polite", label: "Polite", kind: "assertion",
  async evaluate() { return { success: true, reason: "of a package" }; } }] };
"""
MAIN = f"{PACK}/lib/main.mjs"


def package(root: Path, **told: Any) -> None:
    write(root, f"{PACK}/package.json", json.dumps(told))
    write(root, MAIN, TEXT)
    write(root, f"{PACK}/index.js", TEXT)


@pytest.mark.parametrize(
    ("told", "file"),
    [
        ({"main": "./lib/main.mjs"}, MAIN),
        ({"exports": "./lib/main.mjs", "main": "other.js"}, MAIN),
        ({"exports": {".": {"types": "./a.d.ts", "import": "./lib/main.mjs"}}}, MAIN),
        ({"exports": {"node": {"default": "./lib/main.mjs"}}}, MAIN),
        ({}, f"{PACK}/index.js"),
        ({"main": 3, "exports": []}, f"{PACK}/index.js"),
        ({"main": "../../outside.mjs"}, ""),
    ],
)
def test_the_file_that_a_package_stands_for(
    tmp_path: Path, told: dict[str, Any], file: str
) -> None:
    package(tmp_path, **told)
    write(tmp_path, "outside.mjs", TEXT)
    assert package_file(tmp_path, "my-pack") == file


@pytest.mark.parametrize("name", ["other", "../my-pack", "..", "", "my-pack/lib", "@a/../my-pack"])
def test_what_is_no_package_stands_for_none(tmp_path: Path, name: str) -> None:
    package(tmp_path, main="lib/main.mjs")
    assert package_file(tmp_path, name) == ""


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    package(tmp_path / "far", main="lib/main.mjs")
    (tmp_path / "near" / PACK).parent.mkdir(parents=True)
    (tmp_path / "near" / PACK).symlink_to(tmp_path / "far" / PACK)
    assert package_file(tmp_path / "near", "my-pack") == ""


def test_only_names_of_a_workspace_are_looked_for(tmp_path: Path) -> None:
    package(tmp_path, main="lib/main.mjs")
    write(tmp_path, "evaltui.toml", 'evaluators = ["my-pack"]\n')
    (entry,) = entries_of(load_config(tmp_path).config)
    assert not entry.is_javascript


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
async def test_its_evaluators_judge(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, evaluators=["my-pack"])
    package(tmp_path, main="lib/main.mjs")
    (entry,) = entries_of(load_config(tmp_path).config)
    assert MAIN in str(entry.grant)
    assert tmp_path / MAIN in entry.made_of().files
    with project_read_once(load_config(tmp_path).config) as project:
        assert project.evaluators.problems == ()
        said = await verdict_by("polite", registry=project.evaluator_registry)
        assert said.reason == "of a package"
