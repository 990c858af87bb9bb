"""However a file is changed: an answer, soon, with its place and a way out; no exception."""

from pathlib import Path

import pytest

from tests.mutated.files import KINDS, make
from tests.mutated.trying import try_one


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("mutated"))


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[kind.name for kind in KINDS])
def test_a_changed_file_is_answered(kind: int, template: Path, tmp_path: Path) -> None:
    assert try_one(template, tmp_path / "project", kind) is None


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_changed_files_are_answered(template: Path, tmp_path: Path) -> None:
    """More, and with other seeds each time, by `benchmarks/mutated_files.py`."""
    seeds = (*range(len(KINDS), 3 * len(KINDS)), *range(10**6, 10**6 + 400))
    found = [try_one(template, tmp_path / "project", seed) for seed in seeds]
    assert [one for one in found if one is not None] == []
