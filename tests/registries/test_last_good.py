"""Sources that are down keep what they listed last, in this session or an earlier one."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.errors import Severity
from evaltui.core.permit import EVERYTHING
from evaltui.disk.last_tools import FOLDER, ToolFiles
from evaltui.net.secret_mask import project_secrets
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.last_good import kept_words
from evaltui.registries.source import FoundSource

SERVER = str(Path(__file__).parent / "mcp" / "changing_server.py")
SECRET = "s3cr3t-token-of-the-shop"


class Sessions:
    """Readers of one project, one after the other, at times that are chosen."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 1_000_000_000.0
        self.open: list[RegistryReader] = []

    def reader(self) -> RegistryReader:
        made = RegistryReader(
            lambda path: project_secrets(path, {"TOKEN": SECRET}),
            ToolFiles(self.root),
            lambda: self.now,
            EVERYTHING,
        )
        self.open.append(made)
        return made

    def kept(self) -> str:
        return "".join(path.read_text() for path in (self.root / FOLDER).glob("*.json"))


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    made = Sessions(tmp_path)
    yield made
    for reader in made.open:
        reader.close()


def write_server(root: Path, *names: str) -> None:
    tools = [
        {
            "name": name,
            "description": f"Does {name} with {SECRET}.",
            "inputSchema": {"type": "object"},
        }
        for name in names
    ]
    (root / "list.new").write_text(json.dumps(tools))
    (root / "list.new").replace(root / "list")


def read_mcp(reader: RegistryReader, root: Path) -> ReadRegistry:
    entries: dict[str, Any] = {}
    for name, listing in (("shop", "list"), ("depot", "depot")):
        entries[name] = {
            "command": sys.executable, "args": [str(root / "serve.py"), listing],
            "env": {"KEY": "${TOKEN}"},
        }  # fmt: skip
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    return reader.read(root, [FoundSource("mcp", ".mcp.json", {"timeout": 15})])


def test_a_server_that_is_down_at_the_start(sessions: Sessions) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    root = sessions.root
    write_server(root, "find", "buy")
    (root / "depot").write_text(json.dumps([{"name": "store", "inputSchema": {"type": "object"}}]))
    (root / "serve.py").write_text(Path(SERVER).read_text())
    first = read_mcp(one := sessions.reader(), root)
    assert first.problems == ()
    assert first.registry.as_of == {}
    one.close()
    (root / "list").unlink()
    second = read_mcp(two := sessions.reader(), root)
    assert list(second.registry.tools) == ["find", "buy", "store"]
    assert second.registry.tools["find"] == first.registry.tools["find"]
    assert set(second.registry.as_of) == {"find", "buy"}
    (problem,) = second.problems
    assert problem.severity is Severity.WARNING
    assert (problem.file, problem.code) == (".mcp.json", "mcp-down")
    assert "`shop` cannot be reached" in problem.what
    assert "Its 2 last good tools stay in force, listed 20" in problem.hint
    assert " s before that." in problem.hint
    two.close()
    third = read_mcp(three := sessions.reader(), root)
    assert third.registry.as_of == second.registry.as_of
    write_server(root, "find")
    three.close()
    fourth = read_mcp(sessions.reader(), root)
    assert (fourth.problems, list(fourth.registry.tools)) == ((), ["find", "store"])
    assert fourth.registry.as_of == {}


def test_nothing_secret_is_kept(sessions: Sessions) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    root = sessions.root
    write_server(root, "find")
    options: dict[str, Any] = {
        "args": [SERVER, "list", SECRET],
        "name": "shop",
        "env": {"KEY": "${TOKEN}"},
    }
    result = sessions.reader().read(root, [FoundSource("mcp", sys.executable, options)])
    assert result.registry.tools["find"].description == "Does find with ***."
    kept = sessions.kept()
    assert "Does find with ***." in kept
    for word in (SECRET, "TOKEN", "KEY", SERVER, sys.executable):
        assert word not in kept


def test_a_server_that_was_never_reached_has_nothing_to_keep(sessions: Sessions) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    source = FoundSource("mcp", "no-such-program-anywhere")
    result = sessions.reader().read(sessions.root, [source])
    assert (len(result.registry), result.registry.as_of) == (0, {})
    assert result.problems[0].severity is Severity.ERROR
    assert not (sessions.root / FOLDER).exists()


def test_a_python_module_that_does_not_load_at_the_start(sessions: Sessions) -> None:
    module = sessions.root / "shop.py"
    module.write_text('TOOLS = [{"name": "find", "description": "Finds it."}]')
    source = FoundSource("python", "shop.py")
    first = sessions.reader().read(sessions.root, [source])
    assert first.problems == ()
    began, sessions.now = sessions.now, sessions.now + 7_500
    module.write_text("import nothing_of_this_name")
    second = sessions.reader().read(sessions.root, [source])
    assert second.registry.tools == first.registry.tools
    assert second.registry.as_of == {"find": began}
    (problem,) = second.problems
    assert "Its last good tool stays in force, listed 2001-09-09" in problem.hint
    module.write_text('TOOLS = [{"name": "buy", "description": "Buys it."}]')
    third = sessions.reader().read(sessions.root, [source])
    assert (list(third.registry.tools), third.registry.as_of) == (["buy"], {})


def test_files_that_cannot_be_read_at_the_start_say_what_they_said(sessions: Sessions) -> None:
    path = sessions.root / "tools.json"
    path.write_text(json.dumps([{"name": "find"}, {"name": "buy"}]))
    sources = [FoundSource("json", "tools.json")]
    one = sessions.reader()
    found = one.read(sessions.root, sources).registry
    one.keep(found)
    kept = sessions.kept()
    sessions.now += 3600
    one.keep(found)
    assert sessions.kept() == kept, "written once"
    path.write_text("[")
    assert not sessions.reader().read(sessions.root, sources).registry.tools, "as of now"
    two = sessions.reader()
    two.recalls_files = True
    again = two.read(sessions.root, sources)
    assert again.registry.tools == found.tools
    assert [problem.code for problem in again.problems] == ["json-syntax"]
    path.write_text("[]")
    assert not two.read(sessions.root, sources).registry.tools


def test_another_source_does_not_get_the_tools_of_this_one(sessions: Sessions) -> None:
    (sessions.root / "shop.py").write_text('TOOLS = [{"name": "find", "description": "Finds."}]')
    sessions.reader().read(sessions.root, [FoundSource("python", "shop.py")])
    (sessions.root / "shop.py").write_text("1 / 0")
    other = FoundSource("python", "shop.py", {"timeout": 9})
    result = sessions.reader().read(sessions.root, [other])
    assert len(result.registry) == 0 and result.problems


def test_a_damaged_memory_is_a_problem_of_the_next_reading(sessions: Sessions) -> None:
    source = FoundSource("python", "shop.py")
    (sessions.root / "shop.py").write_text('TOOLS = [{"name": "find", "description": "Finds."}]')
    sessions.reader().read(sessions.root, [source])
    (kept,) = (sessions.root / FOLDER).iterdir()
    kept.write_text("[")
    reader = sessions.reader()
    first = reader.read(sessions.root, [source])
    assert [problem.code for problem in first.problems] == ["set-aside"]
    assert list(first.registry.tools) == ["find"]
    assert reader.read(sessions.root, [source]).problems == ()


def test_the_time_of_an_unchanged_list_is_written_seldom(sessions: Sessions) -> None:
    class Counting(ToolFiles):
        writes = 0

        def keep(self, source: str, places: Any) -> None:
            self.writes += 1
            super().keep(source, places)

    files = Counting(sessions.root)
    (sessions.root / "shop.py").write_text('TOOLS = [{"name": "find", "description": "Finds."}]')
    readers = [
        RegistryReader(shelf=files, clock=lambda: sessions.now, permit=EVERYTHING) for _ in range(3)
    ]
    for reader in readers:
        for _ in range(3):
            reader.read(sessions.root, [FoundSource("python", "shop.py")])
            sessions.now += 1
    assert files.writes == 1
    sessions.now += 100
    readers[0].read(sessions.root, [FoundSource("python", "shop.py")])
    assert files.writes == 2


@pytest.mark.parametrize(
    ("number", "age", "words"),
    [
        (1, 0, "Its last good tool stays in force, listed"),
        (2, 59, "59 s before that."),
        (2, 7_300, "2 h before that."),
        (2, 200_000, "2 d before that."),
        (2, 400, "6 min before that."),
    ],
)
def test_words(number: int, age: float, words: str) -> None:
    assert words in kept_words(number, 1e9, 1e9 + age)


def test_the_age_is_left_out_where_nothing_is_known_of_it() -> None:
    assert kept_words(3, 0.0) == "Its 3 last good tools stay in force."
