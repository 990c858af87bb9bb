"""Large projects: what is read of them, in what time, and what is said of the rest."""

from pathlib import Path

import pytest

from evaltui.core.errors import Severity
from evaltui.registries.text_file import SCRIPT_LIMIT
from evaltui.registries.typescript import budget, program
from tests.registries.projects import read, script, write

POT = "{ name: '%s', description: 'P.', handler }"


def test_functions_that_say_nothing_of_tools_share_their_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = f"""
    const pot = {POT % "pot"}; const lid = {POT % "lid"}; const cup = {POT % "cup"};
    export const first = {POT % "first"};
    export const one = () => pot;
    export const two = () => lid;
    export const cupTool = () => cup;
    """
    write(tmp_path, {"src/pots.ts": text})
    assert list(read(tmp_path, "src").registry.tools) == ["first", "pot", "lid", "cup"]
    monkeypatch.setattr(budget, "MAX_GUESSED", 1)
    assert list(read(tmp_path, "src").registry.tools) == ["first", "pot", "cup"]


def test_every_file_that_a_server_imports_counts(tmp_path: Path) -> None:
    count = 510
    files = {
        f"src/t{index}.ts": f"server.tool('t{index}', 'T.', {{}}, run);" for index in range(count)
    }
    files["src/index.ts"] = "".join(f"import './t{index}';\n" for index in range(count))
    assert len(read(write(tmp_path, files), "src/index.ts").registry) == count


@pytest.mark.parametrize("place", ["src", "src/*.ts"])
def test_files_too_many_are_said(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tmp_path, {f"src/{name}.ts": script(name) for name in "abcd"})
    assert read(tmp_path, place).problems == ()
    monkeypatch.setattr(program, "MAX_MODULES", 3)
    found = read(tmp_path, place)
    assert list(found.registry.tools) == ["a", "b", "c"]
    (problem,) = found.problems
    assert (problem.file, problem.code) == (place, "too-many-files")


def test_a_bundle_beside_tools_is_no_error(tmp_path: Path) -> None:
    bundle = "//" + "x" * SCRIPT_LIMIT
    write(tmp_path, {"src/bundle.js": bundle, "src/a.js": script("a")})
    (problem,) = read(tmp_path, "src").problems
    assert (problem.file, problem.severity) == ("src/bundle.js", Severity.WARNING)
    for place in ("src/bundle.js", "src"):
        (problem,) = read(tmp_path, place).problems
        assert (problem.file, problem.severity) == ("src/bundle.js", Severity.ERROR)
        (tmp_path / "src/a.js").unlink(missing_ok=True)
