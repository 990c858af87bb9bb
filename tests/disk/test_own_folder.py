"""What came of runs is passed over by version control, unless somebody wants it there."""

import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.events import RunStarted
from evaltui.core.tool import LastGood
from evaltui.disk.journal.journal import Journal
from evaltui.disk.last_screen import LastScreen, write_last_screen
from evaltui.disk.last_tools import ToolFiles
from evaltui.disk.mutes import set_mutes
from evaltui.disk.own_folder import IGNORE, make_folder, make_output_dir, own_folder
from evaltui.disk.runner_lock import RunnerLock
from tests.disk.samples import no_problem
from tests.projects import make_project

OURS = (".evaltui", "evals/results")


def ignored(root: Path) -> str:
    """What git would add."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=make_project(tmp_path), check=True)
    assert run_command(["run", "-C", str(tmp_path)]) == 0
    return tmp_path


def test_git_sees_nothing_of_a_run(project: Path) -> None:
    assert [line for line in ignored(project).splitlines() if any(at in line for at in OURS)] == []
    assert "evals/find_order.golden.json" in ignored(project)


def test_a_pinned_baseline_is_seen(project: Path) -> None:
    assert run_command(["baseline", "pin", "-C", str(project)]) == 0
    assert "evals/baselines/pins.json" in ignored(project)


def test_one_that_was_emptied_stays_empty(project: Path) -> None:
    for folder in OURS:
        (project / folder / ".gitignore").write_text("")
    assert run_command(["run", "-C", str(project)]) == 0
    assert not any((project / folder / ".gitignore").read_text() for folder in OURS)


@pytest.mark.parametrize("room", [0, len(IGNORE) // 2])
@pytest.mark.parametrize(
    ("make", "name"), [(make_folder, ".evaltui"), (make_output_dir, "results")]
)
def test_a_full_disk_leaves_none_and_the_next_run_makes_it(
    make: Callable[[Path], None], name: str, room: int, tmp_path: Path
) -> None:
    folder = tmp_path / name
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        make(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(folder.iterdir()) == []
    make(folder)
    assert (folder / ".gitignore").read_text() == IGNORE


def write_journal(own: Path) -> None:
    journal = Journal(own / "runs")
    journal.handle(RunStarted("run-1", "embedded", 1, (), "asked for"))
    journal.close()


def take_runner_lock(own: Path) -> None:
    runner = RunnerLock(own)
    runner.take()
    runner.release()


WRITERS: dict[str, Callable[[Path], object]] = {
    "a mute": lambda own: set_mutes(own / "mutes.json", {CaseKey("s", "c"): "why"}, no_problem),
    "tools of a source": lambda own: ToolFiles(own).keep("s", {"p": LastGood((), 1.0)}),
    "the look of the screen": lambda own: write_last_screen(own, LastScreen()),
    "a journal": write_journal,
    "who runs here": take_runner_lock,
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("is_there", [False, True])
def test_whoever_writes_first_has_it_ignored(
    write: Callable[[Path], object], is_there: bool, tmp_path: Path
) -> None:
    own = own_folder(tmp_path)
    if is_there:
        own.mkdir()
    write(own)
    assert (own / ".gitignore").read_text() == IGNORE


@pytest.mark.parametrize("before", [[], ["log.txt"], ["junit.xml"]])
def test_a_usual_results_folder_that_is_there_is_ignored_too(
    before: list[str], tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=make_project(tmp_path), check=True)
    folder = tmp_path / "evals" / "results"
    folder.mkdir()
    for name in before:
        (folder / name).touch()
    assert run_command(["run", "-C", str(tmp_path)]) == 0
    assert "evals/results" not in ignored(tmp_path)


@pytest.mark.parametrize(("before", "is_ignored"), [([], True), (["mine.txt"], False)])
def test_another_folder_is_the_users_once_it_holds_something(
    before: list[str], is_ignored: bool, tmp_path: Path
) -> None:
    make_project(tmp_path)
    folder = tmp_path / "out"
    folder.mkdir()
    for name in before:
        (folder / name).touch()
    assert run_command(["run", "-C", str(tmp_path), "--output-dir", str(folder)]) == 0
    assert (folder / ".gitignore").exists() is is_ignored
