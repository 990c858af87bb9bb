"""Workers of a cluster judge, and the pack is that of one run."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.gates.attestation import SECRET, verify
from tests.evidence.made_packs import made_pack, says, suite_of
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


class Client:
    """Workers that are in this process, and have none of its environment."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def scheduler_info(self) -> Any:
        return {"workers": {"one": {}}}

    def map(self, work: Any, parts: Any, **_: Any) -> list[Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv(SECRET, raising=False)
            with ThreadPoolExecutor(1) as pool:
                return [*pool.map(work, parts)]

    def gather(self, made: list[Any]) -> list[Any]:
        return made

    def close(self) -> None:
        pass


@pytest.fixture
def on_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    return ["run", "--out", str(tmp_path / "c"), "--cluster", "dask://x:1", "--suite"]


def test_what_a_cluster_judged_is_signed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_cluster: list[str]
) -> None:
    monkeypatch.setenv(SECRET, "s")
    assert run_command([*on_cluster, str(suite_of(tmp_path / "s.json", *cases(5)))]) == 0
    assert verify(tmp_path / "c", secret="s")["passed"]


def test_evaluators_of_ones_own_are_refused_before_the_work(
    tmp_path: Path, capsys: Any, on_cluster: list[str]
) -> None:
    own = says("a", "yes", evaluators=[{"type": "tone"}])
    assert run_command([*on_cluster, str(suite_of(tmp_path / "s.json", own, *cases(5)))]) == 1
    assert "`tone` is your own" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_without_dask_it_says_what_to_install(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    suite = suite_of(tmp_path / "s.json", *cases(2))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "c"), "--cluster", "dask://x:1"]
    assert run_command(argv) == 1
    said = json.loads(capsys.readouterr().err)["error"]
    assert said["message"] == (
        "--cluster needs dask, which is not installed. Install it: pip install 'evaltui[cluster]'."
    )
