"""A few edits of `benchmarks/audit_bound.py`, which has the long series."""

import random
from pathlib import Path

import pytest

from benchmarks.audit_bound import project, simulated
from tests.simulated_agent import simulate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
EDITS = 40


async def test_of_the_others_at_most_so_many_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nineteen of twenty are promised of many."""
    world = simulate(monkeypatch, 1)
    project(tmp_path, 80, 10)
    said = await simulated(tmp_path, world, EDITS, random.Random(1))
    assert len(said) >= EDITS * 0.9
    assert sum(said) / len(said) >= 0.9
