"""Several sources in one registry, memory between readings, and files that break or vanish."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

from evaltui import registries
from evaltui.core.config import RegistrySource
from evaltui.core.permit import EVERYTHING
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.registries import RegistryReader, SourceRead, SourceRequest, read_registry
from evaltui.registries.typescript.reader import TypeScriptReader
from tests.registries.projects import read, script, write

LIST = '[{"name": "a", "description": "A."}, {"name": "b", "description": "B."}]'


def test_no_registry_at_all_is_said(tmp_path: Path) -> None:
    assert read_registry(tmp_path).registry == ToolRegistry(configured=False)


def test_sources_are_merged_in_order_and_collisions_name_both_places(tmp_path: Path) -> None:
    write(tmp_path, {"one.json": LIST, "two/x.tool.ts": script("b"), "two/y.tool.ts": script("c")})
    found = read(tmp_path, "one.json", "two")
    assert [(tool.name, tool.source) for tool in found.registry] == [
        ("a", "one.json"),
        ("b", "one.json"),
        ("c", "two"),
    ]
    (problem,) = found.problems
    assert (problem.file, problem.line, problem.code) == ("two/x.tool.ts", 2, "duplicate-tool")
    assert "`b`" in problem.what
    assert "one.json:1" in problem.what


def test_one_place_read_by_two_sources_is_no_collision(tmp_path: Path) -> None:
    write(tmp_path, {"t/x.tool.ts": script("x")})
    found = read(tmp_path, "t", "t/x.tool.ts")
    assert len(found.registry) == 1
    assert found.problems == ()


REGISTERED = """
const name = "news_search"; const description = "Searches the news.";
const params = { q: { type: "string" } };
export const register = (server) => {
  server.registerTool(name, { description, inputSchema: params }, execute);
};
export const execute = async () => ({});
export default { name, description: DESCRIPTION, inputSchema: params, execute, register };
"""


@pytest.mark.parametrize(("description", "problems"), [("description", 0), ("'Other.'", 1)])
def test_what_says_the_very_same_in_two_places_is_one_tool(
    tmp_path: Path, description: str, problems: int
) -> None:
    write(tmp_path, {"t/server.ts": REGISTERED.replace("DESCRIPTION", description)})
    found = read(tmp_path, "t/server.ts")
    assert [tool.name for tool in found.registry] == ["news_search"]
    assert [one.code for one in found.problems] == ["duplicate-tool"] * problems


@pytest.mark.parametrize(("type_", "location"), [("soap", "x.wsdl"), ("auto", "tools.txt")])
def test_an_unknown_type_is_a_problem_and_the_others_are_read(
    type_: str, location: str, tmp_path: Path
) -> None:
    write(tmp_path, {"tools.json": LIST})
    sources = [RegistrySource(type_, location), RegistrySource("json", "tools.json")]
    found = read_registry(tmp_path, sources)
    assert len(found.registry) == 2
    assert "`json`" in found.problems[0].hint


def test_unchanged_definitions_keep_their_identity(tmp_path: Path) -> None:
    write(tmp_path, {"tools/a.tool.ts": script("a"), "tools/b.tool.ts": script("b")})
    reader = RegistryReader()
    first = reader.read(tmp_path).registry
    write(tmp_path, {"tools/b.tool.ts": script("b", "'New.'")})
    second = reader.read(tmp_path).registry
    assert second.tools["a"] is first.tools["a"]
    assert second.tools["b"].description == "New."


def test_one_save_parses_one_file_of_300(tmp_path: Path) -> None:
    files = {f"tools/t{i}.tool.ts": script(f"t{i}") for i in range(300)}
    write(tmp_path, files)
    reader = RegistryReader()
    reader.read(tmp_path)
    scripts = reader._readers["typescript"]
    assert isinstance(scripts, TypeScriptReader)
    (program,) = scripts._programs.values()
    assert program.parsed == 300
    write(tmp_path, {"tools/t7.tool.ts": script("t7", "'New.'")})
    assert reader.read(tmp_path).registry.tools["t7"].description == "New."
    assert program.parsed == 301


def test_a_change_of_an_imported_constant_reaches_every_tool_that_uses_it(tmp_path: Path) -> None:
    rest = "import { WHO } from './who.js';"
    write(
        tmp_path,
        {
            "tools/a.tool.ts": script("a", "`Asks ${WHO}.`", rest),
            "tools/b.tool.ts": script("b"),
            "tools/who.ts": "export { WHO } from './names';",
            "tools/names.ts": "export const WHO = 'Ann';",
        },
    )
    reader = RegistryReader()
    first = reader.read(tmp_path).registry
    assert first.tools["a"].depends_on == ("tools/a.tool.ts", "tools/who.ts", "tools/names.ts")
    write(tmp_path, {"tools/names.ts": "export const WHO = 'Bob';"})
    second = reader.read(tmp_path).registry
    assert second.tools["a"].description == "Asks Bob."
    assert second.tools["b"] is first.tools["b"]


def test_an_import_that_appears_later_is_followed(tmp_path: Path) -> None:
    rest = "import { WHO } from './who';"
    write(tmp_path, {"tools/a.tool.ts": script("a", "WHO", rest)})
    reader = RegistryReader()
    first = reader.read(tmp_path)
    assert first.registry.tools["a"].description is None
    assert [item.field for item in first.registry.tools["a"].unresolved] == ["description"]
    assert "import-missing" in {problem.code for problem in first.problems}
    write(tmp_path, {"tools/who.ts": "export const WHO = 'Ann';"})
    second = reader.read(tmp_path)
    assert second.registry.tools["a"].description == "Ann"
    assert second.problems == ()


@pytest.mark.parametrize(
    ("file", "good", "broken", "code"),
    [
        ("tools/a.tool.ts", script("a"), script("a")[:40], "script-syntax"),
        ("tools/a.tool.ts", script("a"), b"\x00\x01\xff\xfe\x02", "encoding"),
        ("tools.json", LIST, LIST[:-20], "json-syntax"),
        ("tools.json", LIST, "", "empty"),
    ],
)
@pytest.mark.parametrize("remembers", [True, False])
def test_a_broken_file_keeps_its_last_good_definitions(
    file: str, good: str, broken: str | bytes, code: str, remembers: bool, tmp_path: Path
) -> None:
    write(tmp_path, {file: good})
    reader = RegistryReader()
    before = reader.read(tmp_path).registry
    write(tmp_path, {file: broken})
    if not remembers:
        reader = RegistryReader()
    after = reader.read(tmp_path, (), before)
    assert after.registry.tools == before.tools
    assert all(after.registry.tools[name] is tool for name, tool in before.tools.items())
    assert [problem.code for problem in after.problems] == [code]
    assert after.problems[0].file == file
    assert after.problems[0].hint
    write(tmp_path, {file: good})
    assert reader.read(tmp_path, (), after.registry).problems == ()


def test_a_broken_constant_keeps_the_tools_that_use_it(tmp_path: Path) -> None:
    rest = "import { WHO } from './who';"
    tool = script("a", "WHO", rest)
    write(tmp_path, {"tools/a.tool.ts": tool, "tools/who.ts": "export const WHO = 'Ann';"})
    before = read_registry(tmp_path).registry
    write(tmp_path, {"tools/who.ts": "export const WHO = 'An"})
    after = read_registry(tmp_path, (), before)
    assert after.registry.tools["a"].description == "Ann"
    assert (after.problems[0].file, after.problems[0].line) == ("tools/who.ts", 1)


def test_the_tools_of_a_vanished_file_go(tmp_path: Path) -> None:
    write(tmp_path, {"tools/a.tool.ts": script("a"), "tools/b.tool.ts": script("b")})
    reader = RegistryReader()
    reader.read(tmp_path)
    (tmp_path / "tools/a.tool.ts").unlink()
    found = reader.read(tmp_path)
    assert list(found.registry.tools) == ["b"]
    assert found.registry.files == ("tools/b.tool.ts",)
    assert found.problems == ()


def test_a_configured_file_that_is_missing_is_a_problem(tmp_path: Path) -> None:
    found = read(tmp_path, "tools.json", "tools/tools.exports.ts")
    assert [problem.code for problem in found.problems] == ["not-found", "not-found"]
    assert found.registry.configured


@pytest.mark.parametrize("half", ["tools/tools.exp", "tools/tools.js", "tools/li", "too", "x.py:T"])
def test_while_a_path_is_typed_the_last_good_tools_stay(half: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools/tools.json": LIST, "more.json": '[{"name": "more"}]'})
    reader = RegistryReader(permit=EVERYTHING)

    def names(*locations: str) -> tuple[list[str], list[str]]:
        found = reader.read(tmp_path, [RegistrySource("auto", one) for one in locations])
        return list(found.registry.tools), [problem.hint for problem in found.problems]

    whole, _ = names("tools/tools.json", "more.json")
    for _ in range(2):
        tools, hints = names(half, "more.json")
        assert sorted(tools) == sorted(whole)
        assert [hint.endswith("Its 2 last good tools stay in force.") for hint in hints] == [True]
    assert names("tools/tools.json", "more.json") == (whole, [])
    assert names("more.json") == (["more"], []), "what the settings take away goes"


def test_of_a_source_that_is_not_there_any_more_the_last_good_tools_stay(tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": LIST})
    reader, sources = RegistryReader(), [RegistrySource("json", "tools.json")]
    before = reader.read(tmp_path, sources).registry
    (tmp_path / "tools.json").unlink()
    found = reader.read(tmp_path, sources)
    assert found.registry.tools == before.tools
    assert [problem.code for problem in found.problems] == ["not-found"]
    write(tmp_path, {"tools.json": "[]"})
    assert not reader.read(tmp_path, sources).registry.tools


class SlowReader:
    live = True
    can_be_down = True

    async def read(self, request: SourceRequest) -> SourceRead:
        await asyncio.sleep(0)
        if request.location == "bad":
            raise ConnectionError("refused")
        return SourceRead((ToolDefinition(request.location, source=request.location),))


async def test_asynchronous_and_failing_readers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(registries.SOURCES, "slow", f"{__name__}:SlowReader")
    sources = [RegistrySource("slow", "x"), RegistrySource("slow", "bad")]
    reader = RegistryReader()
    in_thread = await asyncio.to_thread(reader.read, tmp_path, sources)
    in_loop = reader.read(tmp_path, sources)
    assert list(in_thread.registry.tools) == list(in_loop.registry.tools) == ["x"]
    assert "refused" in in_loop.problems[0].what
    assert reader.is_live(tmp_path, sources)
    assert not reader.is_live(tmp_path, [RegistrySource("json", "x.json")])


def test_a_relative_root_and_one_behind_a_link(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    aliases = '{"compilerOptions": {"paths": {"~/*": ["./lib/*"]}}}'
    rest = "import { WHO } from '~/who';"
    write(
        tmp_path / "real",
        {
            "tools/a.tool.ts": script("a", "WHO", rest),
            "lib/who.ts": "export const WHO = 'Ann';",
            "tsconfig.json": aliases,
        },
    )
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    registries_ = [read_registry(root).registry for root in (Path("real"), tmp_path / "link")]
    for registry in registries_:
        assert registry.tools["a"].description == "Ann"
        assert registry.tools["a"].depends_on == ("tools/a.tool.ts", "lib/who.ts")
        assert "tsconfig.json" in registry.files


def test_threads_may_share_a_reader(tmp_path: Path) -> None:
    write(tmp_path, {f"tools/t{i}.tool.ts": script(f"t{i}") for i in range(20)})
    reader = RegistryReader()
    sizes: list[int] = []
    threads = [
        threading.Thread(target=lambda: sizes.append(reader.read(tmp_path).registry.size))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [20] * 4


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("tools/index.js", "export const tools = LIST;"),
        ("tools.json", "LIST"),
    ],
)
def test_two_tools_of_one_name_in_one_list_are_said(place: str, text: str, tmp_path: Path) -> None:
    listed = json.dumps([{"name": "a", "description": d, "parameters": {}} for d in ("A.", "B.")])
    write(tmp_path, {place: text.replace("LIST", listed)})
    found = read(tmp_path)
    assert [tool.description for tool in found.registry] == ["A."]
    assert [problem.code for problem in found.problems] == ["duplicate-tool"]
