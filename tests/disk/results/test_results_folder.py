"""Where result files go and how a run is found again."""

import threading
from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import (
    files_of_run,
    find_result,
    newest_first,
    write_results,
)
from tests.disk.samples import many, passed, suite_result


def test_names(tmp_path: Path) -> None:
    one, two, three = write_results(
        tmp_path,
        [
            suite_result(passed(), run="r-1", suite="evals/a.json"),
            suite_result(passed(), run="r-1", suite="evals/b.json"),
            suite_result(passed(), run="r-1", suite="evals/c.json", tool="../../get/weather"),
        ],
    )
    assert one.name == "get_weather-golden-r-1.json"
    assert two.name.startswith("get_weather-golden-r-1.")
    assert three.parent == tmp_path
    assert files_of_run(tmp_path, "r-1") == tuple(sorted((one, two, three)))
    for path, suite in ((one, "a"), (two, "b"), (three, "c")):
        assert find_result(tmp_path, "r-1", f"evals/{suite}.json") == path


def test_parts_of_one_run_do_not_overwrite_each_other(tmp_path: Path) -> None:
    suites = [suite_result(passed(), run="r-1", suite=f"evals/{name}.json") for name in "aba"]
    paths = [write_results(tmp_path, [suite])[0] for suite in suites]
    assert paths[0] == paths[2] != paths[1]
    assert [read_suite_result(path).suite for path in paths[:2]] == ["evals/a.json", "evals/b.json"]


def test_unknown_run_names_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no results yet"):
        find_result(tmp_path, "nowhere", "evals/a.json")
    write_results(tmp_path, [suite_result(passed(), run="r-1", suite="evals/a.json")])
    with pytest.raises(UserError, match="`r-1`"):
        find_result(tmp_path, "nowhere", "evals/a.json")
    with pytest.raises(UserError, match=r"evals/a\.json"):
        find_result(tmp_path, "r-1", "evals/b.json")
    with pytest.raises(UserError):
        find_result(tmp_path, "", "evals/b.json")


def test_a_run_id_is_not_the_end_of_another(tmp_path: Path) -> None:
    write_results(tmp_path, [suite_result(passed(), run="11", suite="evals/a.json")])
    assert files_of_run(tmp_path, "1") == ()


def test_link_out_of_the_folder_is_replaced_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes(b"mine")
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "get_weather-golden-r-1.json").symlink_to(outside)
    write_results(folder, [suite_result(passed(), run="r-1")])
    assert outside.read_bytes() == b"mine"
    assert read_suite_result(folder / "get_weather-golden-r-1.json").run_id == "r-1"


def test_several_threads(tmp_path: Path) -> None:
    def write(run: int) -> None:
        write_results(tmp_path, [suite_result(*many(50), run=f"run{run}")])

    threads = [threading.Thread(target=write, args=(run,)) for run in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(newest_first(tmp_path)) == 8
    assert {read_suite_result(path).run_id for path in newest_first(tmp_path)} == {
        f"run{run}" for run in range(8)
    }
