"""Each formula gives the figures that its source prints: its doctest holds."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from evaltui.core import statistics

MODULES = [f"{statistics.__name__}.{found.name}" for found in iter_modules(statistics.__path__)]
MODULES.append("evaltui.core.proof")
WITHOUT_FORMULA = {"trials"}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_documentation_hold(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert not found.failed
    assert found.attempted or name.rpartition(".")[2] in WITHOUT_FORMULA
