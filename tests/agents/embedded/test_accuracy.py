"""The router stays as good as it was measured, on cases that nobody here wrote."""

import json
import os
from pathlib import Path

import pytest

from benchmarks.bfcl import GROUPS, Tally, accepts, is_same, measure

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("EVALTUI_SHARED", ROOT.parent / "shared")) / "data/bfcl_dev"


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="needs data/bfcl_dev of EVALTUI_SHARED or ../shared")
def test_accuracy_does_not_fall() -> None:
    cases = [
        json.loads(line)
        for file in sorted(DATA.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    tallies = measure(cases, 0.40)
    floors = {
        "right tool, clean": 0.92,
        "right tool, user-contributed": 0.76,
        "refused": 0.81,
        "tool set right": 0.84,
    }
    for name, floor in floors.items():
        total = Tally()
        for category in GROUPS[name]:
            total.add(tallies[category])
        assert total.right / total.cases >= floor, name


def test_values_are_compared_leniently() -> None:
    assert is_same("New York, NY", "new york ny")
    assert is_same(5, 5.0)
    assert is_same(True, "true")
    assert not is_same(1, True)
    assert not is_same([1, 2], [2, 1])
    assert is_same({"a": 1}, {"a": [1, 2], "b": [""]})
    assert not is_same({"a": 1}, {"a": [1], "b": ["x"]})
    assert accepts(["x", 5], 5)
