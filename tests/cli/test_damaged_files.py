"""A damaged file of ours is set aside and said, and the run goes on as if it had never been."""

from errno import EROFS
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.baselines import baselines
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from tests.projects import make_project

GARBAGE = b"\x00<<<<<<< HEAD\n[[[[\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    run_command(["run"])
    run_command(["baseline", "pin"])
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        ".evaltui/history.sqlite3",
        ".evaltui/runs/killed.open.jsonl",
        ".evaltui/mutes.json",
        "evals/baselines/pins.json",
    ],
)
def test_the_run_goes_on(project: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (project / name).write_bytes(GARBAGE)
    capsys.readouterr()
    assert run_command(["run"]) == 0
    said = capsys.readouterr()
    assert said.out.count("✓") == 3
    aside = Path(f"{name}.damaged")
    assert f"set aside as `{aside.name}`" in said.out + said.err
    assert (project / aside).read_bytes() == GARBAGE
    assert run_command(["run"]) == 0
    assert "set aside" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "command",
    [
        *(f"baseline {one}" for one in ("list", "pin", "diff", "unpin")),
        "runs list",
        "run --reporter junit=x",
    ],
)
def test_whichever_command_opens_the_history_says_that_it_is_damaged(
    project: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    history = project / ".evaltui" / "history.sqlite3"
    history.write_bytes(history.read_bytes()[:4096])
    capsys.readouterr()
    assert run_command(command.split()) == 0
    said = capsys.readouterr().err
    assert said.count("set aside as `history.sqlite3.damaged`") == 1
    assert "The history is rebuilt from the result files; what they do not tell" in said
    assert run_command(command.split()) == 0
    assert "damaged" not in capsys.readouterr().err


def test_a_run_that_cannot_be_kept_is_tried_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full disk, for one."""
    journal = next((project / ".evaltui" / "runs").glob("*.jsonl"))
    lost = journal.rename(journal.with_name("killed.open.jsonl"))

    def full(*_: object, **__: object) -> None:
        raise HistoryError("The history cannot be used: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(History, "record", full)
        run_command(["check"])
        assert run_command(["run"]) != 3
    assert "cannot be recovered now" in "".join(capsys.readouterr())
    assert lost.exists()
    assert run_command(["run"]) == 0
    assert not lost.exists()


@pytest.mark.parametrize("name", [".evaltui/mutes.json", "evals/baselines/pins.json"])
def test_a_link_that_leads_round_in_a_circle(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / name).unlink(missing_ok=True)
    (project / name).symlink_to(Path(name).name)
    capsys.readouterr()
    assert run_command(["run"]) == 0
    said = capsys.readouterr()
    assert "set aside as" in said.out + said.err


@pytest.mark.parametrize("action", [["pin", "--filter=001"], ["unpin"], ["list"], ["diff"]])
def test_a_pinned_copy_that_cannot_be_read_is_said_and_left_alone(
    project: Path, action: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A merge conflict, for one: what else it pins is not known, nor that nothing regressed."""
    copy = next((project / "evals" / "baselines").glob("*/*/*.json"))
    copy.write_bytes(GARBAGE + copy.read_bytes())
    before = copy.read_bytes()
    capsys.readouterr()
    assert run_command(["baseline", *action]) == 2
    said = capsys.readouterr().err
    assert "cannot be read" in said and "delete it and pin the suite again" in said
    assert copy.read_bytes() == before


def test_a_copy_that_was_deleted_is_made_by_the_next_pin(project: Path) -> None:
    """As what is said of one that cannot be read advises."""
    copy = next((project / "evals" / "baselines").glob("*/*/*.json"))
    copy.unlink()
    assert run_command(["baseline", "list"]) == 2
    assert run_command(["baseline", "pin"]) == 0
    assert copy.exists()
    assert run_command(["baseline", "list"]) == 0


@pytest.mark.parametrize("action", ["pin", "unpin"])
def test_a_baseline_that_cannot_be_written_is_said(
    project: Path,
    action: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refused(folder: Path) -> None:
        raise OSError(EROFS, "Read-only file system", str(folder))

    monkeypatch.setattr(baselines, "writing_in", refused)
    assert run_command(["baseline", action]) == 2
    said = capsys.readouterr().err
    assert f"`{project / 'evals' / 'baselines'}`: Read-only file system. Make the folder" in said
