"""Tool definitions of a commit, read beside those of the working tree."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from evaltui.core.config import Config, RegistrySource
from evaltui.core.errors import UserError
from evaltui.project import read_project
from evaltui.project.tools_at import tools_at
from tests.projects import make_project, with_description, write_tools

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def committed(root: Path) -> Path:
    make_project(root)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return root


def read(root: Path) -> Config:
    return Config(root, registries=(RegistrySource(location="tools.json"),))


def test_a_commit_is_read_without_touching_the_working_tree(tmp_path: Path) -> None:
    root = committed(tmp_path)
    write_tools(root, with_description("play_music", "Plays nothing."))
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    project = read_project(read(root))
    then = tools_at(project, "HEAD")
    tool = then.project.registry.get("play_music")
    assert tool is not None and str(tool.description).startswith("Plays a song.")
    assert (tool.file, tool.source) == ("tools.json", "tools.json")
    assert project.registry.tools["play_music"].description == "Plays nothing."
    assert then.project.suites is project.suites
    assert then.project.tool_prints.whole != project.tool_prints.whole
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_tools_below_the_root_of_the_repository_are_found_without_settings(tmp_path: Path) -> None:
    root = tmp_path / "repository" / "below"
    root.mkdir(parents=True)
    make_project(root)
    git(root.parent, "init", "-q")
    git(root.parent, "add", ".")
    git(root.parent, "commit", "-qm", "first")
    write_tools(root, with_description("find_order", "Finds."))
    then = tools_at(read_project(Config(root)), "HEAD")
    assert str(then.project.registry.tools["find_order"].description).startswith("Looks up")


def test_a_repository_has_nothing_run_and_no_link_followed(tmp_path: Path) -> None:
    root, told = tmp_path / "project", tmp_path / "told"
    root.mkdir()
    make_project(root)
    git(root, "init", "-q")
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"tools": [{"name": "stolen", "description": "Secret."}]}))
    (root / "tools").mkdir()
    (root / "tools" / "linked-tools.json").symlink_to(secret)
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (root / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    for key in (
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.evil.textconv",
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
    ):
        git(root, "config", key, f"touch {told}")
    hook = root / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {told}\n")
    hook.chmod(0o755)
    then = tools_at(read_project(Config(root)), "HEAD")
    assert set(then.project.registry.tools) == {"find_order", "play_music"}
    assert not told.exists()


@pytest.mark.parametrize("name", ["nowhere", "--output=x", "HEAD:tools.json", "a\0b", ""])
def test_what_is_no_commit_is_told(tmp_path: Path, name: str) -> None:
    root = committed(tmp_path)
    with pytest.raises(UserError, match="knows no commit"):
        tools_at(read_project(read(root)), name)
    assert not (root / "x").exists()


def test_a_commit_whose_tools_cannot_be_read_is_not_compared_with(tmp_path: Path) -> None:
    root = committed(tmp_path)
    good = (root / "tools.json").read_text()
    (root / "tools.json").write_text('{"tools": [')
    git(root, "commit", "-qam", "broken")
    (root / "tools.json").write_text(good)
    with pytest.raises(UserError, match="Not all tools of `HEAD` can be read") as raised:
        tools_at(read_project(read(root)), "HEAD")
    assert raised.value.problems[0].file == "HEAD:tools.json"


def test_what_a_commit_does_not_hold_is_as_now(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    committed(root)
    elsewhere = tmp_path / "more.json"
    elsewhere.write_text(json.dumps({"tools": [{"name": "wave", "description": "Waves."}]}))
    sources = (RegistrySource(location="../more.json"), RegistrySource(location="tools.json"))
    config = Config(root, registries=sources, is_trusted=True)
    write_tools(root, with_description("find_order", "Finds."))
    now = read_project(config)
    then = tools_at(now, "HEAD")
    assert then.as_now == ("../more.json",)
    assert list(then.project.registry.tools) == list(now.registry.tools)
    assert str(then.project.registry.tools["find_order"].description).startswith("Looks up")
