"""Old result files go, and nothing that somebody may still look for."""

import os
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.disk.history.history import History
from evaltui.disk.results.results_pruning import prune_results


def name(suite: str, number: int, shared: str = "") -> str:
    return f"{suite}-golden-{UUID(int=number)}{shared}.json"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(folder: Path, names: list[str]) -> None:
    for age, one in enumerate(names):
        path = folder / one
        path.write_text("{}")
        os.utime(path, (1_000 + age, 1_000 + age))


def test_the_last_of_each_suite_are_kept(tmp_path: Path) -> None:
    of_a, of_b = [name("a", n) for n in range(5)], [name("b-golden", n) for n in range(3)]
    shared = [name("a", n, ".0a1b2c") for n in range(3)]
    write(tmp_path, [*of_a, *of_b, *shared])
    prune_results(tmp_path, 2, ())
    assert names(tmp_path) == sorted([*of_a[-2:], *of_b[-2:], *shared[-2:]])


def test_what_is_in_use_or_compared_with_stays(tmp_path: Path) -> None:
    files = [name("a", n) for n in range(5)]
    write(tmp_path, files)
    prune_results(tmp_path, 1, {files[0], str(UUID(int=2))})
    assert names(tmp_path) == sorted([files[0], files[2], files[4]])


@pytest.mark.parametrize("baseline", [None, str(UUID(int=1))])
def test_the_run_that_the_settings_compare_with_stays(tmp_path: Path, baseline: str | None) -> None:
    files, results = [name("a", n) for n in range(4)], tmp_path / "results"
    results.mkdir()
    write(results, files)
    history = History.open(tmp_path / ".evaltui", results)
    history.prune_results(1, baseline)
    history.close()
    assert names(results) == ([files[1]] if baseline else []) + [files[3]]


def test_files_of_others_stay(tmp_path: Path) -> None:
    others = ["notes.json", "a-golden-1.json", f"a-{UUID(int=1)}.json", "a.txt"]
    write(tmp_path, others)
    prune_results(tmp_path, 1, ())
    assert names(tmp_path) == sorted(others)


@given(count=st.integers(0, 8), keep=st.integers(1, 9))
def test_so_many_are_left(tmp_path_factory: pytest.TempPathFactory, count: int, keep: int) -> None:
    folder = tmp_path_factory.mktemp("results")
    write(folder, [name("a", n) for n in range(count)])
    prune_results(folder, keep, ())
    assert len(names(folder)) == min(count, keep)
