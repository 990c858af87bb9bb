"""`z.any()` may be left out with zod 3 and must be given with zod 4, as their JSON Schema says."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaltui.registries import RegistryReader
from evaltui.registries.source import FoundSource
from evaltui.registries.text_file import SCRIPT_LIMIT
from evaltui.registries.typescript import resolution
from evaltui.registries.typescript.package_version import version_in_package
from tests.registries.projects import read, write

FREE = ("anything", "unknown", "described", "null too", "checked", "either", "lazy")
TOOL = """
export const t = {{ name: 't', schema: {zod}.object({{
  text: {zod}.string(),
  list: {zod}.array({zod}.any()),
  anything: {zod}.any(),
  unknown: {zod}.unknown(),
  described: {zod}.any().describe('D.'),
  'null too': {zod}.any().nullable(),
  checked: {zod}.unknown().refine((v) => v),
  either: {zod}.union([{zod}.string(), {zod}.any()]),
  lazy: {zod}.lazy(() => {zod}.any()),
}}) }};
"""


def tool(statement: str = "import { z } from 'zod';", zod: str = "z") -> str:
    return f"{statement}\n{TOOL.format(zod=zod)}"


def package(range_: str, kind: str = "dependencies") -> str:
    return json.dumps({"name": "shop", kind: {"zod": range_}})


def may_be_left_out(root: Path, place: str = "x.tool.ts") -> bool:
    """Whether values of any kind are optional; those that say a type never are."""
    (found,) = read(root, place).registry
    assert found.parameters is not None
    required = found.parameters["required"]
    assert isinstance(required, list)
    assert required in (["text", "list"], ["text", "list", *FREE])
    return len(required) == 2


@pytest.mark.parametrize(
    ("range_", "is_old"),
    [
        ("^3.22.4", True), ("3", True), ("3.x", True), ("npm:zod@3.25.76", True),
        (">=3 <4", True), ("^4.1.0", False), ("~4", False), ("^3.25 || ^4.0", False),
        (">=3.25", False), ("*", False), ("catalog:", False), ("4.0.0-beta.3", False),
    ],
)  # fmt: skip
def test_the_projects_range_says_which(range_: str, is_old: bool, tmp_path: Path) -> None:
    write(tmp_path, {"package.json": package(range_), "x.tool.ts": tool()})
    assert may_be_left_out(tmp_path) is is_old


@pytest.mark.parametrize("kind", ["devDependencies", "peerDependencies", "optionalDependencies"])
def test_every_kind_of_dependency_counts(kind: str, tmp_path: Path) -> None:
    write(tmp_path, {"package.json": package("^3.0.0", kind), "x.tool.ts": tool()})
    assert may_be_left_out(tmp_path)


def test_without_a_word_it_is_the_newest(tmp_path: Path) -> None:
    write(tmp_path, {"x.tool.ts": tool()})
    assert not may_be_left_out(tmp_path)


@pytest.mark.parametrize(
    ("statement", "zod", "range_", "is_old"),
    [
        ("import { z } from 'zod/v3';", "z", "^4.0.0", True),
        ("import * as z from 'zod/v3';", "z", "^4.0.0", True),
        ("import { z } from 'zod/v4';", "z", "^3.25.0", False),
        ("import * as z from 'zod/v4-mini';", "z", "^3.25.0", False),
        ("import * as z from 'zod/mini';", "z", "^3.25.0", False),
        ("import zod from 'zod';", "zod", "^3.25.0", True),
        ("import { zod } from 'some-kit';", "zod", "^3.25.0", True),
        ("const { z } = require('zod');", "z", "^3.25.0", True),
        ("const { z } = require('zod/v4');", "z", "^3.25.0", False),
        ("", "z", "^3.25.0", True),
    ],
)
def test_an_import_that_names_a_version_has_the_last_word(
    statement: str, zod: str, range_: str, is_old: bool, tmp_path: Path
) -> None:
    write(tmp_path, {"package.json": package(range_), "x.tool.js": tool(statement, zod)})
    assert may_be_left_out(tmp_path, "x.tool.js") is is_old


def test_of_several_packages_the_nearest_that_lists_zod_counts(tmp_path: Path) -> None:
    files = {
        "package.json": package("^4.0.0"),
        "packages/old/package.json": package("^3.0.0"),
        "packages/old/src/package.json": '{"type": "module"}',
        "packages/old/src/x.tool.ts": tool(),
        "packages/new/package.json": "{ not json",
        "packages/new/x.tool.ts": tool(),
    }
    write(tmp_path, files)
    assert may_be_left_out(tmp_path, "packages/old/src/x.tool.ts")
    assert not may_be_left_out(tmp_path, "packages/new/x.tool.ts")


def test_the_packages_of_a_folder_are_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(package: Mapping[str, object], name: str) -> int:
        asked.append(name)
        return version_in_package(package, name)

    monkeypatch.setattr(resolution, "version_in_package", counted)
    files = {"package.json": package("^3.0.0")} | {f"{n}.tool.ts": tool() for n in range(5)}
    write(tmp_path, files)
    assert read(tmp_path, "*.tool.ts").registry.size
    assert asked == ["zod", "zod"]  # while they are read, and for what is to be followed


def test_a_range_without_a_number_means_what_is_installed(tmp_path: Path) -> None:
    installed = '{"name": "zod", "version": "3.25.76"}'
    files = {"package.json": package("catalog:"), "node_modules/zod/package.json": installed}
    write(tmp_path, {**files, "src/x.tool.ts": tool()})
    assert may_be_left_out(tmp_path, "src/x.tool.ts")


def test_a_reader_that_remembers_follows_the_package(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": package("^3.0.0"), "x.tool.ts": tool()})
    reader, sources = RegistryReader(), [FoundSource("auto", "x.tool.ts")]
    first = reader.read(tmp_path, sources).registry
    assert "package.json" in first.files
    write(tmp_path, {"package.json": package("^4.0.0")})
    second = reader.read(tmp_path, sources).registry
    assert second.tools == read(tmp_path, "x.tool.ts").registry.tools != first.tools
    assert reader.read(tmp_path, sources).registry.tools["t"] is second.tools["t"]


@pytest.mark.parametrize("name", ["z", "zod"])
def test_a_bundle_that_is_too_large_hands_zod_on(name: str, tmp_path: Path) -> None:
    files = {
        "package.json": package("^3.0.0"),
        "bundle.js": "//" + "x" * SCRIPT_LIMIT,
        "x.tool.js": tool(f"import {{ {name} }} from './bundle.js';", name),
    }
    assert may_be_left_out(write(tmp_path, files), "x.tool.js")
    other = f"import {{ {name} }} from './other.js';\nexport const t = {{ name: 't', "
    other += f"schema: {{ a: {name}.string() }} }};"
    write(tmp_path, {"x.tool.js": other, "other.js": "export const y = 5;"})
    (found,) = read(tmp_path, "x.tool.js").registry
    assert [item.field for item in found.unresolved] == ["parameters"]
