"""What was tried since a pin counts for it as before where the history is made anew."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import simulate, simulated_project


def delete(history: Path) -> None:
    history.unlink()


def damage(history: Path) -> None:
    content = history.read_bytes()
    history.write_bytes(content[: len(content) // 2])


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    simulate(monkeypatch)
    root = simulated_project(tmp_path, 1)
    monkeypatch.chdir(root)
    assert run_command(["run"]) == 0
    return root


@pytest.mark.parametrize("lose", [delete, damage])
@pytest.mark.parametrize(
    ("pin", "evidence"),
    [(["baseline", "pin"], "8/8"), (["baseline", "pin", "--trials", "3", "--yes"], "11/11")],
)
def test_a_proven_regression_stays_one(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lose: Callable[[Path], None],
    pin: list[str],
    evidence: str,
) -> None:
    for command in pin, ["run", "--trials", "8"]:
        assert run_command(command) == 0
    edit(root)
    simulate(monkeypatch).rate = failing("gs-000")
    for trials in "0/4", "0/8":
        capsys.readouterr()
        assert run_command(["run", "--trials", "4", "--fail-on", "proven"]) == 1
        assert f"{evidence} → {trials}" in capsys.readouterr().out
        lose(root / ".evaltui" / "history.sqlite3")


def test_so_it_does_where_it_is_pinned_again_then(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in ["baseline", "pin"], ["run", "--trials", "8"]:
        assert run_command(command) == 0
    delete(root / ".evaltui" / "history.sqlite3")
    assert run_command(["baseline", "pin"]) == 0
    edit(root)
    simulate(monkeypatch).rate = failing("gs-000")
    assert run_command(["run", "--trials", "4", "--fail-on", "proven"]) == 1
    assert "8/8 → 0/4" in capsys.readouterr().out


@pytest.mark.parametrize("is_rebuilt", [False, True])
def test_what_cannot_be_rebuilt_is_said_where_nothing_is_proven_for_want_of_it(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_rebuilt: bool,
) -> None:
    for command in ["baseline", "pin"], ["run"]:
        assert run_command(command) == 0
    if is_rebuilt:
        for path in (root / "evals" / "results").iterdir():
            path.unlink()
        run_command(["run"])
        delete(root / ".evaltui" / "history.sqlite3")
    edit(root)
    simulate(monkeypatch).rate = failing("gs-000")
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "proven"]) == 0
    said = "1 case fell without proof, and the history was rebuilt from the result files since"
    assert (said in capsys.readouterr().err) == is_rebuilt
