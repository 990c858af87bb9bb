"""`evaltui gate`: what ends it without a decision lets nothing pass, no older decision either."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.test_gating import REPORT

WEAK = ("gate", "--compare", "delta.json", "--min-pass-rate", "0")
DECISION = Path("gate_decision.json")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that passes by a weak flag, as an older decision says."""
    monkeypatch.chdir(tmp_path)
    Path("delta.json").write_text(json.dumps(REPORT))
    assert run_command(WEAK) == 0
    assert decision()["passed"]


def decision() -> Any:
    return json.loads(DECISION.read_bytes())


def in_config(make: Callable[[Path], object]) -> Callable[[], object]:
    def made() -> None:
        Path("config").mkdir()
        make(Path("config/gate.json"))

    return made


def pipe(file: Path) -> None:
    os.mkfifo(file)


UNREADABLE = {
    "dangling": in_config(lambda file: file.symlink_to("nowhere.json")),
    "loop": in_config(lambda file: file.symlink_to("gate.json")),
    "folder": in_config(lambda file: file.mkdir()),
    "pipe": in_config(pipe),
    "device": in_config(lambda file: file.symlink_to("/dev/null")),
    "config dangling": lambda: Path("config").symlink_to("nowhere"),
    "config loop": lambda: Path("config").symlink_to("config"),
}


@pytest.mark.timeout(30)
@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders")
@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_thresholds_that_cannot_be_read_are_not_none(make: Callable[[], object]) -> None:
    make()
    assert run_command(WEAK) == 1
    assert not decision()["passed"]
    assert "config/gate.json" in decision()["failures"][0]


@pytest.mark.parametrize(
    "make", [lambda: None, lambda: Path("config").mkdir(), Path("config").touch]
)
def test_where_there_are_none_flags_are_enough(make: Callable[[], object]) -> None:
    make()
    assert run_command(WEAK) == 0
