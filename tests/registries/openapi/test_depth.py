"""Nesting without end is refused before a parser runs out of its stack."""

from pathlib import Path

import pytest

from tests.registries.projects import read, write

OPEN = ("[", "{a: ", "- ", "? ", '{"a":', "[[")


@pytest.mark.parametrize("token", OPEN)
@pytest.mark.parametrize("before", ["", "openapi: 3.0.0\npaths: "])
def test_it_is_said_and_nothing_dies(before: str, token: str, tmp_path: Path) -> None:
    write(tmp_path, {"openapi.yaml": before + token * 100_000})
    (problem,) = read(tmp_path, "openapi.yaml").problems
    assert problem.file == "openapi.yaml"
    assert problem.code in {"too-deep", "yaml-syntax", "json-syntax"}
    assert problem.hint


def test_as_many_levels_as_an_api_may_have_are_read(tmp_path: Path) -> None:
    deep = "{x: " * 190 + "1" + "}" * 190
    path = "{get: {operationId: a, summary: A}}"
    write(tmp_path, {"openapi.yaml": f"openapi: 3.0.0\npaths: {{/a: {path}}}\nx-deep: {deep}\n"})
    found = read(tmp_path, "openapi.yaml")
    assert (list(found.registry.tools), found.problems) == (["a"], ())
