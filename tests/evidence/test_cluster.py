"""Workers of a cluster judge, and the pack is that of one run."""

import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import made_pack, suite_of
from tests.evidence.packs.test_shards import cases, without_times
from tests.evidence.test_pack import files_of


@pytest.mark.slow
def test_a_local_cluster_writes_the_same_bytes(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    suite = suite_of(tmp_path / "s.json", *cases(40))
    whole = files_of(made_pack(tmp_path / "r", suite))
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )
    with cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "c"), "--run-id", "r"]
        assert run_command([*argv, "--cluster", address]) == 0
    found = files_of(tmp_path / "c")
    assert found.keys() == whole.keys()
    differing = [n for n in whole if without_times(found[n]) != without_times(whole[n])]
    assert differing == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "r", "s.json"]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ray://x:1", "is not a cluster"),
        pytest.param("dask://127.0.0.1:1", "cannot be reached", marks=pytest.mark.slow),
    ],
)
def test_without_a_cluster_nothing_is_written(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, address: str, why: str
) -> None:
    if why == "cannot be reached":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
        monkeypatch.setattr("evaltui.evidence.cluster.CONNECT_S", 0.3)
    suite = suite_of(tmp_path / "s.json", *cases(2))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "c"), "--cluster", address]
    assert run_command(argv) == 1
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_without_dask_it_says_what_to_install(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    suite = suite_of(tmp_path / "s.json", *cases(2))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "c"), "--cluster", "dask://x:1"]
    assert run_command(argv) == 1
    assert "evaltui[cluster]" in capsys.readouterr().err
