"""What is declared is used, and what is used is declared."""

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {
    "python-dotenv": "dotenv",
    "pyyaml": "yaml",
    "genai-prices": "genai_prices",
    "opentelemetry-sdk": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
}
"""Distributions whose module has another name than theirs with `_`."""


def _distributions(lines: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~; ]", line)[0].lower() for line in lines}


@cache
def imported() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "evaltui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    found |= {name.name.partition(".")[0] for name in names}
                case ast.ImportFrom(module=str(module), level=0):
                    found.add(module.partition(".")[0])
                case _:
                    pass
    return found


REQUIRED = _distributions(SETTINGS["dependencies"])
EXTRAS = SETTINGS["optional-dependencies"]
OPTIONAL = {one for name in EXTRAS if name != "dev" for one in _distributions(EXTRAS[name])}


def module_of(distribution: str) -> str:
    return MODULES.get(distribution, distribution.replace("-", "_"))


@pytest.mark.parametrize("distribution", sorted(REQUIRED | OPTIONAL))
@pytest.mark.slow
def test_what_is_declared_is_imported(distribution: str) -> None:
    assert module_of(distribution) in imported()


@pytest.mark.slow
def test_what_is_imported_is_declared() -> None:
    known = {module_of(one) for one in REQUIRED | OPTIONAL} | sys.stdlib_module_names
    assert imported() - known - {"evaltui"} == COMES_WITH


COMES_WITH = {"rich", "pydantic_core"}
"""What declared distributions bring along: Textual draws with Rich, pydantic has errors there."""
