"""The dashboard from the command line: what its session is made of, and when it is loaded."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import evaltui.tui.start
import evaltui.watch
from evaltui.cli.main import run_command
from evaltui.store.store import Store
from tests.projects import make_project

LIMIT_S = 10.0


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def load_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Starts the dashboard with these settings; returns what loads its session."""
    monkeypatch.chdir(make_project(tmp_path))
    given: dict[str, Any] = {}

    def run_dashboard(*_: object, **options: Any) -> int:
        given.update(options)
        return 0

    monkeypatch.setattr(evaltui.tui.start, "run_dashboard", run_dashboard)

    def start(settings: str) -> Any:
        (tmp_path / "evaltui.toml").write_text(settings)
        # Not before the test itself: the runner exchanges both when it begins.
        monkeypatch.setattr(sys, "stdin", _Screen())
        monkeypatch.setattr(sys, "stdout", _Screen())
        assert run_command([]) == 0
        return given["load_session"]

    return start


@pytest.mark.parametrize("is_polling", [False, True], ids=["system", "polling"])
def test_watchfiles_is_loaded_beside_the_session_and_not_before(
    load_session: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, *, is_polling: bool
) -> None:
    loaded = Event()
    monkeypatch.setattr(evaltui.watch, "load_watchfiles", loaded.set)
    load = load_session("[watch]\npoll = true\n" if is_polling else "")
    assert not loaded.is_set()
    store = Store()
    assert load(store).store is store
    assert loaded.wait(0 if is_polling else LIMIT_S) is not is_polling
