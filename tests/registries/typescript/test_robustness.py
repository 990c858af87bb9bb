"""Whatever is cut, mixed or misplaced: no exception, and order on disk never matters."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.registries import RegistryReader
from evaltui.registries.text_file import SCRIPT_LIMIT
from tests.registries.projects import read, script, write
from tests.registries.test_golden import DATA, as_json

LOOSE = settings(suppress_health_check=[HealthCheck.too_slow])


@cache
def scripts() -> tuple[tuple[str, str], ...]:
    """Folder and text of every script of the golden projects."""
    found = sorted(path for path in DATA.rglob("*.*s") if path.suffix in (".ts", ".js", ".cjs"))
    return tuple((str(path.parent), path.read_text("utf-8")) for path in found)


@LOOSE
@given(st.data())
def test_no_truncated_or_spliced_script_raises(data: st.DataObject) -> None:
    _, text = data.draw(st.sampled_from(scripts()))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    middle = data.draw(st.sampled_from(["", "`", "${", "{", ")", "...", "'", "\0", "=>", "é"]))
    with TemporaryDirectory() as folder:
        root = write(Path(folder), {"tools/x.tool.ts": text[:start] + middle + text[end:]})
        found = read(root, "tools")
        assert not [problem for problem in found.problems if problem.code == "registry-reader"]


@LOOSE
@given(st.integers(0, 400), st.booleans())
def test_a_half_saved_file_never_changes_what_was_known(length: int, remembers: bool) -> None:
    text = script("a", "'One ' + `two`") + script("b", "'Three'")
    with TemporaryDirectory() as folder:
        root = write(Path(folder), {"tools/x.tool.ts": text})
        reader = RegistryReader()
        before = reader.read(root).registry
        write(root, {"tools/x.tool.ts": text[: min(length, len(text))]})
        after = (reader if remembers else RegistryReader()).read(root, (), before)
        broken = any(problem.code == "script-syntax" for problem in after.problems)
        for name, tool in after.registry.tools.items():
            assert tool == before.tools[name]
        if broken:
            assert after.registry.tools == before.tools


@LOOSE
@given(st.permutations(range(6)), st.permutations(range(6)))
def test_order_of_files_and_exports_never_changes_a_definition(
    written: list[int], listed: list[int]
) -> None:
    files = {
        f"tools/t{i}.ts": script(f"t{i}", f"`Number {i} of ${{COUNT}}`", IMPORT) for i in written
    }
    barrel = "".join(f"export * from './t{i}';\n" for i in listed)
    with TemporaryDirectory() as folder:
        root = write(Path(folder), files)
        write(root, {"tools/tools.exports.ts": barrel, "tools/count.ts": COUNT})
        found = read(root, "tools/tools.exports.ts").registry
    assert list(found.tools) == [f"t{i}" for i in listed]
    for i in range(6):
        tool = found.tools[f"t{i}"]
        assert (tool.description, tool.line) == (f"Number {i} of 6", 2)
        assert tool.depends_on == (f"tools/t{i}.ts", "tools/count.ts")


IMPORT = "import { COUNT } from './count.js';"
COUNT = "export { first as COUNT } from './count'; const first = 3 + 3; export { first };"


def test_reading_again_says_the_same() -> None:
    reader = RegistryReader()
    for project in ("barrel", "zod", "cycle", "frameworks", "folder", "servers"):
        first = reader.read(DATA / project)
        again = reader.read(DATA / project)
        assert as_json(first) == as_json(again)
        assert all(again.registry.tools[tool.name] is tool for tool in first.registry)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\x7fELF\x00\x00", "binary"),
        (b"\xff\xff\xff", "encoding"),
        (b"/" * (SCRIPT_LIMIT + 1), "too-large"),
        (b"", "no-tools"),
        (b"export const a = 1;", "no-tools"),
        (b"export const a = {", "script-syntax"),
        (b"export const ALL_TOOLS = load();", "unresolved"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_useless_file_is_one_problem_with_a_way_out(
    content: bytes, code: str, tmp_path: Path
) -> None:
    write(tmp_path, {"tools/index.ts": content, "good.ts": script("good")})
    found = read(tmp_path, "tools/index.ts", "good.ts")
    assert list(found.registry.tools) == ["good"]
    (problem,) = found.problems
    assert (problem.file, problem.code) == ("tools/index.ts", code)
    assert problem.hint


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_marks_and_line_ends_do_not_change_a_text(mark: bytes, ends: str, tmp_path: Path) -> None:
    text = script("x", "`one\ntwo`").replace("\n", ends)
    write(tmp_path, {"x.tool.ts": mark + text.encode()})
    assert read(tmp_path, "x.tool.ts").registry.tools["x"].description == "one\ntwo"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("const é = 'é'; const a = { b: 1 ;", 1, 32),
        ("const a = 1;\n\n  export const = 5;", 3, 10),
    ],
)
def test_a_syntax_error_has_its_place_in_characters(
    text: str, line: int, column: int, tmp_path: Path
) -> None:
    write(tmp_path, {"x.tool.ts": text})
    problem = read(tmp_path, "x.tool.ts").problems[0]
    assert problem.code == "script-syntax"
    assert (problem.line, problem.column) == (line, column)


def test_the_sound_part_of_a_broken_file_is_read_the_first_time(tmp_path: Path) -> None:
    broken = "export const bTool = { name: 'b', description: 'B', schema: { };\n"
    write(tmp_path, {"x.tool.ts": script("a") + broken})
    found = read(tmp_path, "x.tool.ts")
    assert "a" in found.registry.tools
    assert found.registry.get("b") is None
    assert "script-syntax" in {problem.code for problem in found.problems}
