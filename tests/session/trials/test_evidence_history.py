"""A short history of `benchmarks/evidence_history.py`, which measures a long one."""

import re
from pathlib import Path

import pytest

from benchmarks.evidence_history import ROUNDS, SAVED, measure

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


async def test_every_figure_is_measured_over_several_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await measure(tmp_path, SAVED * ROUNDS, 3)
    said = capsys.readouterr().out
    assert "first frame, 3 runs" in said
    assert "all evidence read beside it" in said
    found = re.search(r"a save of 50 cases: ([\d.]+) ms", said)
    assert found is not None
    assert float(found[1]) < 100, "of the processor; 2 are usual, some 5 are promised"
