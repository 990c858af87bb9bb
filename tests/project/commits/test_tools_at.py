"""Tool definitions of a commit, read beside those of the working tree."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.core.config import Config, RegistrySource
from evaltui.core.errors import UserError
from evaltui.core.tool import ToolRegistry
from evaltui.project import read_project
from evaltui.project.commits.tools_at import ToolsAt, tools_at
from tests.projects import TOOLS, make_project, with_description, write_tools

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


def test_what_is_wrong_on_both_sides_hinders_no_comparison(tmp_path: Path) -> None:
    twice = [*TOOLS, {**TOOLS[0], "description": "Another one."}]
    write_tools(tmp_path, [{"name": "wave", "parameters": 1}, *twice])
    commit(tmp_path)
    write_tools(tmp_path, [{"name": "wave", "parameters": 1}, {"name": "point"}, *twice])
    now, then = sides(tmp_path)
    assert (len(now), len(then.project.registry)) == (4, 3)
    assert str(descriptions(then.project.registry)["find_order"]).startswith("Looks up")


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


BARREL = """import { text } from "{imported}";
export const tools = [{ name: "wave", description: text, execute: () => 1 }];
"""
TEXT = 'export const text = "Waves.";\n'


def descriptions(registry: ToolRegistry) -> dict[str, str | None]:
    return {tool.name: tool.description for tool in registry}


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def commit(root: Path) -> None:
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one more")


def sides(root: Path, *registry: str) -> tuple[dict[str, str | None], ToolsAt]:
    """What is read now, and at HEAD, of a project without settings, or with this registry."""
    types = ("json" if name.endswith(".txt") else "auto" for name in registry)
    sources = tuple(map(RegistrySource, types, registry))
    now = read_project(Config(root, registries=sources, is_trusted=True))
    return descriptions(now.registry), tools_at(now, "HEAD")


def linked_list(root: Path) -> None:
    write(root, "real/list.txt", json.dumps({"tools": list(TOOLS)}))
    (root / "tools.json").symlink_to("real/list.txt")


def linked_folder_that_is_named(root: Path) -> None:
    write(root, "real/one.json", json.dumps({"tools": list(TOOLS)}))
    (root / "toolbox").symlink_to("real", target_is_directory=True)


def linked_folder_with_an_import(root: Path) -> None:
    write(root, "src/tools.exports.ts", BARREL.replace("{imported}", "./shared/text"))
    write(root, "shared/text.ts", TEXT)
    (root / "src/shared").symlink_to("../shared", target_is_directory=True)


def list_of_another_ending(root: Path) -> None:
    write(root, "real/tools.txt", json.dumps({"tools": list(TOOLS)}))


def link_of_a_link(root: Path) -> None:
    linked_folder_with_an_import(root)
    (root / "src/shared").rename(root / "src/other")
    (root / "src/shared").symlink_to(root / "src/other", target_is_directory=True)


def built_folder(root: Path) -> None:
    write(root, "src/tools.exports.ts", BARREL.replace("{imported}", "../build/text"))
    write(root, "build/text.ts", TEXT)


@pytest.mark.parametrize(
    ("made", "registry"),
    [
        (linked_list, ()),
        (linked_list, ("tools.json",)),
        (linked_folder_that_is_named, ("toolbox",)),
        (linked_folder_with_an_import, ()),
        (link_of_a_link, ()),
        (list_of_another_ending, ("real/tools.txt",)),
        (built_folder, ()),
    ],
)
def test_links_of_a_commit_are_followed_in_it(
    tmp_path: Path, made: Callable[[Path], None], registry: tuple[str, ...]
) -> None:
    made(tmp_path)
    commit(tmp_path)
    now, then = sides(tmp_path, *registry)
    assert now and None not in now.values()
    assert descriptions(then.project.registry) == now
    assert then.as_now == ()
    for file in (*tmp_path.rglob("text.ts"), *tmp_path.rglob("real/*")):
        file.write_text(file.read_text().replace("Waves", "Points").replace("Plays", "Hums"))
    later, then = sides(tmp_path, *registry)
    assert descriptions(then.project.registry) == now != later, "it is the commit that is read"


def test_a_list_that_took_the_place_of_a_link_is_read_where_the_link_led(tmp_path: Path) -> None:
    linked_list(tmp_path)
    commit(tmp_path)
    (tmp_path / "tools.json").unlink()
    write(tmp_path, "new.tools.json", json.dumps(with_description("find_order", "Finds.")))
    now, then = sides(tmp_path)
    assert now["find_order"] == "Finds."
    assert str(descriptions(then.project.registry)["find_order"]).startswith("Looks up")


def ignored_import(root: Path) -> None:
    write(root, "src/tools.exports.ts", BARREL.replace("{imported}", "./generated"))
    write(root, "src/generated.ts", TEXT)
    write(root, ".gitignore", "generated.ts\n")


def ignored_list(root: Path) -> None:
    write_tools(root)
    write(root, ".gitignore", "tools.json\n")


def ignored_link(root: Path) -> None:
    linked_folder_with_an_import(root)
    write(root, ".gitignore", "src/shared\n")


def link_out(root: Path) -> None:
    write(root, "src/tools.exports.ts", BARREL.replace("{imported}", "../../beside/text"))
    write(root.parent, "beside/text.ts", TEXT)


def installed_zod(root: Path) -> None:
    source = """import { z } from "zod";
    export const tools = [{ name: "wave", description: "Waves.",
        parameters: z.object({ a: z.any() }), execute: () => 1 }];
    """
    write(root, "src/tools.exports.ts", source)
    write(root, "node_modules/zod/package.json", '{"name": "zod", "version": "3.25.1"}')
    write(root, ".gitignore", "node_modules\n")


def installed_zod_that_is_not_ignored(root: Path) -> None:
    installed_zod(root)
    write(root, ".gitignore", "")
    (root / "node_modules").rename(root.parent / "node_modules")
    commit(root)
    (root.parent / "node_modules").rename(root / "node_modules")


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (ignored_import, "src/generated.ts"),
        (ignored_list, "tools.json"),
        (ignored_link, "src/shared/text.ts"),
        (link_out, "../beside/text.ts"),
        (installed_zod, "node_modules/zod/package.json"),
        (installed_zod_that_is_not_ignored, "node_modules/zod/package.json"),
    ],
)
def test_what_git_keeps_out_of_commits_is_as_now_and_named(
    tmp_path: Path, made: Callable[[Path], None], name: str
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    made(root)
    if not (root / ".git").exists():
        write(root, "README.md", "")
        commit(root)
    config = Config(root, outside=("../beside",), is_trusted=True)
    now = read_project(config)
    then = tools_at(now, "HEAD")
    assert now.registry.tools
    assert not any(tool.unresolved for tool in now.registry)
    assert then.project.tool_prints.whole == now.tool_prints.whole
    assert then.as_now == (name,)


def test_what_came_after_the_commit_is_not_in_it(tmp_path: Path) -> None:
    write(tmp_path, "tools/first.tools.json", json.dumps({"tools": [TOOLS[0]]}))
    commit(tmp_path)
    write(tmp_path, "tools/more.tools.json", json.dumps({"tools": [TOOLS[1]]}))
    now, then = sides(tmp_path)
    assert (len(now), list(descriptions(then.project.registry))) == (2, ["find_order"])
    assert then.as_now == ()


def with_submodule(root: Path) -> None:
    """A project whose tools are a submodule."""
    theirs = root.parent / "theirs"
    theirs.mkdir()
    write_tools(theirs)
    commit(theirs)
    root.mkdir()
    write(root, "README.md", "")
    commit(root)
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(theirs), "tools")
    commit(root)


@pytest.mark.parametrize("registry", [(), ("tools",)])
def test_a_submodule_is_read_at_the_commit_that_is_named(
    tmp_path: Path, registry: tuple[str, ...]
) -> None:
    root = tmp_path / "project"
    with_submodule(root)
    write_tools(root / "tools", with_description("find_order", "Finds."))
    now, then = sides(root, *registry)
    assert now["find_order"] == "Finds."
    assert descriptions(then.project.registry) == {
        tool["name"]: tool["description"] for tool in TOOLS
    }
    assert then.as_now == ()


def test_a_submodule_whose_commit_is_not_here_is_as_now_and_named(tmp_path: Path) -> None:
    root = tmp_path / "project"
    with_submodule(root)
    (root / "tools" / ".git").unlink()
    git(root / "tools", "init", "-q")
    now, then = sides(root)
    assert descriptions(then.project.registry) == now != {}
    assert then.as_now == ("tools/tools.json",)


def test_a_commit_with_an_import_that_it_has_not_is_not_compared_with(tmp_path: Path) -> None:
    write(tmp_path, "src/tools.exports.ts", BARREL.replace("{imported}", "./made"))
    commit(tmp_path)
    write(tmp_path, "src/tools.exports.ts", BARREL.replace("{imported}", "./text"))
    write(tmp_path, "src/text.ts", TEXT)
    with pytest.raises(UserError, match="Not all tools of `HEAD` can be read") as raised:
        sides(tmp_path)
    assert "imports `./made`" in raised.value.problems[0].what
    git(tmp_path, "checkout", "-q", "src/tools.exports.ts")
    now, then = sides(tmp_path)
    assert descriptions(then.project.registry) == now == {"wave": None}, "missing on both sides"


def test_imports_of_what_is_no_script_are_there_in_the_commit(tmp_path: Path) -> None:
    text = "import './style.css';\nimport page from '../page.md?raw';\n"
    write(tmp_path, "src/tools.exports.ts", text + BARREL.replace("{imported}", "./text"))
    write(tmp_path, "src/text.ts", TEXT)
    write(tmp_path, "src/style.css", "")
    write(tmp_path, "page.md", "")
    commit(tmp_path)
    now, then = sides(tmp_path)
    assert descriptions(then.project.registry) == now == {"wave": "Waves."}


def test_a_clone_without_all_objects_is_not_compared_with(tmp_path: Path) -> None:
    root = committed(tmp_path)
    blob = subprocess.run(
        ["git", "rev-parse", "HEAD:tools.json"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UserError, match="has not all of its objects"):
        tools_at(read_project(read(root)), "HEAD")


def test_a_folder_in_no_repository_is_told_as_that(tmp_path: Path) -> None:
    make_project(tmp_path)
    with pytest.raises(UserError, match="There is no git repository here") as raised:
        tools_at(read_project(read(tmp_path)), "HEAD")
    assert "Start in one" in raised.value.hint


@pytest.mark.parametrize("registry", ["new", "new/tools.json", "new/*.json"])
def test_a_source_that_the_commit_has_not_is_told_as_that(tmp_path: Path, registry: str) -> None:
    write(tmp_path, "old/tools.json", json.dumps({"tools": list(TOOLS)}))
    commit(tmp_path)
    git(tmp_path, "mv", "old", "new")
    with pytest.raises(UserError, match="Not all tools of `HEAD` can be read") as raised:
        sides(tmp_path, registry)
    (said,) = map(str, raised.value.problems)
    assert said == f"HEAD: has no `{registry}`: it was added or renamed later."
    assert raised.value.hint == "Compare with a commit that has it."
    commit(tmp_path)
    now, then = sides(tmp_path, registry)
    assert descriptions(then.project.registry) == now != {}


@pytest.mark.parametrize("more", [(), ("../more.json",)])
def test_a_source_that_is_named_by_its_whole_path_is_read_at_the_commit(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    committed(root)
    write(tmp_path, "more.json", json.dumps([{"name": "wave", "description": "Waves."}]))
    write_tools(root, with_description("find_order", "Finds."))
    now, then = sides(root, str(root / "tools.json"), *more)
    assert now["find_order"] == "Finds."
    found = descriptions(then.project.registry)
    assert (list(found), then.as_now) == (list(now), more)
    assert str(found["find_order"]).startswith("Looks up")
    git(root, "mv", "tools.json", "new.json")
    with pytest.raises(UserError, match="can be read") as raised:
        sides(root, str(root / "new.json"))
    assert "HEAD: has no `new.json`" in str(raised.value.problems[0])


def test_a_pattern_that_is_none_is_so_on_both_sides(tmp_path: Path) -> None:
    root = committed(tmp_path)
    now, then = sides(root, "tools/**x.json", "tools.json")
    assert descriptions(then.project.registry) == now != {}


def test_a_commit_in_which_no_tool_is_found_is_not_compared_with(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "")
    commit(tmp_path)
    with pytest.raises(UserError, match="No tool definitions found, neither now nor in `HEAD`"):
        sides(tmp_path)
    write(tmp_path, "src/server.ts", "new McpServer({ name: 'x' }); server.registerTool(name());")
    commit(tmp_path)
    with pytest.raises(UserError, match="neither now nor in") as raised:
        sides(tmp_path)
    assert [one.file for one in raised.value.problems] == ["src/server.ts"], "and why is told"
    (tmp_path / "src/server.ts").unlink()
    commit(tmp_path)
    write_tools(tmp_path)
    with pytest.raises(UserError, match="No tool definition is found in `HEAD`"):
        sides(tmp_path)
    commit(tmp_path)
    (tmp_path / "tools.json").unlink()
    now, then = sides(tmp_path)
    assert (now, len(then.project.registry)) == ({}, 2), "that all are gone can be compared"


@pytest.mark.parametrize("is_own", [True, False])
def test_the_repository_is_that_of_the_folder_whatever_git_says_to_its_hooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_own: bool
) -> None:
    root = tmp_path / "repository" / "below"
    root.mkdir(parents=True)
    make_project(root)
    commit(root.parent)
    write(tmp_path, "other/README.md", "")
    commit(tmp_path / "other")
    named = (root.parent if is_own else tmp_path / "other") / ".git"
    monkeypatch.setenv("GIT_DIR", str(named))
    monkeypatch.setenv("GIT_INDEX_FILE", str(named / "index"))
    write_tools(root, with_description("find_order", "Finds."))
    now, then = sides(root)
    assert now["find_order"] == "Finds."
    assert str(descriptions(then.project.registry)["find_order"]).startswith("Looks up")
    assert then.as_now == ()


def test_git_is_asked_for_a_commit_only_of_a_plain_repository_until_somebody_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    root = tmp_path / "project"
    root.mkdir()
    committed(root)
    write_tools(root, with_description("find_order", "Finds."))
    project = read_project(Config(root))
    assert tools_at(project, "HEAD").project.registry.tools["find_order"].description != "Finds."
    git(root, "config", "include.path", "/nowhere/x")
    with pytest.raises(UserError, match="git was not asked, as its settings") as raised:
        tools_at(project, "HEAD")
    assert "once the project is trusted" in raised.value.hint
    trusted = read_project(Config(root, is_trusted=True))
    assert tools_at(trusted, "HEAD").project.registry.tools["find_order"].description != "Finds."
