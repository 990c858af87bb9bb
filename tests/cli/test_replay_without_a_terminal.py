"""`evaltui --replay` into a pipe or file prints the recorded run: nobody is asked."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.session import Session
from tests.projects import make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


def files(root: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in root.rglob("*")
        if path.is_file()
    }


def refuse(*_: object, **__: object) -> None:
    pytest.fail("a session was made")


@pytest.mark.parametrize("record", ["journal", "jsonl"])
def test_it_prints_what_the_run_printed(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    record: str,
) -> None:
    run_command(["run", "--reporter", "console", "--reporter", "jsonl=run.jsonl"])
    printed = capsys.readouterr().out
    assert printed.count("✓") == 3
    (journal,) = (project / ".evaltui" / "runs").glob("*.jsonl")
    (project / "tools.json").unlink()  # a run of now would print something else
    before = files(project)
    monkeypatch.setattr(Session, "__init__", refuse)
    replay = journal if record == "journal" else Path("run.jsonl")
    assert run_command(["--replay", str(replay)]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (printed, "")
    assert files(project) == before


@pytest.mark.usefixtures("project")
def test_of_a_run_that_was_killed_it_prints_all_that_finished(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_command(["run", "--reporter", "jsonl=run.jsonl"])
    capsys.readouterr()
    lines = Path("run.jsonl").read_bytes().splitlines(keepends=True)
    end, last = b'{"event":"RunFinished"', b"gs-find-order-002"
    kept = (line for line in lines if not line.startswith(end))
    kept = (line for line in kept if not (b'"CaseFinished"' in line and last in line))
    Path("run.jsonl").write_bytes(b"".join(kept))
    assert run_command(["--replay", "run.jsonl"]) == 0
    printed = capsys.readouterr().out
    assert "gs-find-order-001" in printed
    assert "gs-play-music-001" in printed
    assert printed.count("1/1 passed") == 2
    assert printed.endswith("The run was cut off before all cases were run.\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no recorded run `notes.jsonl`. Runs are in `.evaltui/runs`."),
        ("", "notes.jsonl: this is not a recorded run: it holds no event of a run. Play a file of"),
        (
            "notes\n",
            "notes.jsonl:1: this is not a recorded run: the line is not an event of a run. Play",
        ),
    ],
)
def test_what_is_no_recorded_run_is_refused(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
    said: str,
) -> None:
    if content is not None:
        Path("notes.jsonl").write_text(content)
    monkeypatch.setattr(Session, "__init__", refuse)
    assert run_command(["--replay", "notes.jsonl"]) == 2
    streams = capsys.readouterr()
    assert said in streams.err
    assert streams.out == ""
    assert not (project / ".evaltui").exists()
