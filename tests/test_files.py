"""A file in a usual place that is none, or has no end, hangs nothing and fills no memory."""

import ast
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import evaltui
from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.disk.baselines.baselines import Baselines
from evaltui.disk.damage import ignore
from evaltui.disk.history.history import History
from evaltui.disk.journal.journal_reading import find_finished, read_events, recover
from evaltui.disk.last_tools import ToolFiles
from evaltui.disk.mutes import load_mutes
from evaltui.disk.recordings import RecordingFolder
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import newest_first, suite_of
from evaltui.disk.runner_lock import RunnerLock
from evaltui.evidence.packs.pack_hashes import file_hash
from evaltui.evidence.packs.pack_writer import link_or_copy, pieces
from evaltui.files import (
    TEXT_LIMIT,
    open_file,
    open_to_change,
    read_file,
    read_small,
    read_text,
)
from tests.projects import make_project

pytestmark = [
    pytest.mark.timeout(30),
    pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders"),
]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)


def folder(path: Path) -> None:
    path.mkdir()


ODD = pytest.mark.parametrize("odd", [pipe, endless, terminal, large, folder])
Odd = Callable[[Path], None]


@ODD
def test_it_is_refused(tmp_path: Path, odd: Odd) -> None:
    path = tmp_path / "file"
    odd(path)
    for read in (open_file, read_file, read_text):
        with pytest.raises(OSError) as caught:
            read(path)
        assert caught.value.strerror and caught.value.filename == str(path)


def test_what_has_nothing_to_read_yet_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `/proc/kmsg`, which calls itself a regular file."""
    path = tmp_path / "file"
    path.write_text("")

    class Waiting(io.BytesIO):
        def fileno(self) -> int:
            return there.fileno()

        def read(self, _: object = None) -> None:  # type: ignore[override]
            return None

    with path.open("rb") as there:
        monkeypatch.setattr("evaltui.files.open_file", lambda *_: Waiting())
        with pytest.raises(OSError, match="nothing in it can be read") as caught:
            read_file(path)
    assert caught.value.filename == str(path)


def test_links_and_what_grows_are_read(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"\xef\xbb\xbfh\xc3\xa9llo")
    link.symlink_to(path)
    assert read_text(link) == "héllo"
    assert read_file(path, 9) == path.read_bytes()
    with pytest.raises(OSError, match="larger than"):
        read_file(path, 8)
    if Path("/proc/self/status").exists():
        assert b"Name:" in read_file(Path("/proc/self/status")), "whose size is said to be 0"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    return tmp_path


@ODD
@pytest.mark.parametrize(
    "name",
    [
        "evals/x.golden.json",
        "evals/seed-manifest.json",
        "evals/baselines/pins.json",
        ".evaltui/runs/x.open.jsonl",
        ".evaltui/runs/x.jsonl",
        "evals/results/x-golden-r.json",
        "x.py",
        ".env",
    ],
)
def test_a_run_goes_on(
    project: Path, name: str, odd: Odd, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    odd(path)
    code = run_command(["run"])
    said = capsys.readouterr()
    assert said.out.count("✓") == 3, said
    assert code in (0, 2)


@ODD
@pytest.mark.parametrize("name", ["tools.json", "tools/x.tool.ts"])
def test_a_run_without_tools_ends(
    project: Path, name: str, odd: Odd, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "tools.json").unlink()
    (project / name).parent.mkdir(exist_ok=True)
    odd(project / name)
    assert run_command(["run"]) != 0
    assert "✓" not in capsys.readouterr().out


@ODD
def test_settings(project: Path, odd: Odd, capsys: pytest.CaptureFixture[str]) -> None:
    odd(project / "evaltui.toml")
    code = run_command(["run"])
    said = capsys.readouterr()
    assert (code, said.out.count("✓")) == (2, 0), "nothing runs by settings that are not known"
    assert "evaltui.toml" in said.err
    assert ("1 MB" if odd is large else "regular file") in said.err


@ODD
def test_our_own_files(tmp_path: Path, odd: Odd) -> None:
    path = tmp_path / "file.json"
    odd(path)
    with pytest.raises(UserError):
        read_suite_result(path)
    with pytest.raises(UserError):
        list(read_events(path))
    with pytest.raises(OSError):
        suite_of(path)
    assert newest_first(tmp_path) == [path]
    assert find_finished(path, CaseKey("s", "c")) is None
    path.rename(tmp_path / "x.open.jsonl")
    assert recover(tmp_path) == []


@ODD
def test_pins_mutes_recordings_and_last_tools(tmp_path: Path, odd: Odd) -> None:
    odd(tmp_path / "pins.json")
    assert Baselines.load(tmp_path).listed.names("mine") == ()
    odd(tmp_path / "mutes.json")
    assert load_mutes(tmp_path / "mutes.json", ignore) == {}
    recordings = RecordingFolder(tmp_path)
    key = CaseKey("suite", "case")
    recordings.path(key).parent.mkdir()
    odd(recordings.path(key))
    assert recordings.read(key) == ()
    (tmp_path / "last_tools").mkdir()
    odd(tmp_path / "last_tools" / "a.json")
    assert ToolFiles(tmp_path).load("a") == {}


@ODD
def test_the_history(tmp_path: Path, odd: Odd) -> None:
    odd(tmp_path / "history.sqlite3")
    history = History.open(tmp_path, tmp_path / "results")
    assert history.next_number() == 1
    history.close()


def test_the_usual_limit_is_more_than_anyone_writes() -> None:
    assert TEXT_LIMIT >= 64 << 20


@ODD
def test_a_pack_takes_over_and_hashes_no_such_file(tmp_path: Path, odd: Odd) -> None:
    path, place = tmp_path / "odd", tmp_path / "place"
    odd(path)
    for read in (file_hash, lambda path: link_or_copy(path, place), open_to_change):
        with pytest.raises(OSError, match=r"pipe|folder|directory|larger|No such device"):
            read(path)
    with pytest.raises(OSError, match=r"pipe|folder|larger|No such device"):
        next(pieces(path, 0, 1))
    assert read_small(str(path), 1 << 16) is None
    assert not place.exists()


def test_who_runs_here_is_not_asked_of_a_pipe(tmp_path: Path) -> None:
    pipe(tmp_path / "runner.json")
    lock = RunnerLock(tmp_path)
    assert lock.take() and lock.holder() is None, "it is everybody's"


OWN = {
    "agents/embedded/background.py": "a file of the package",
    "cli/schema.py": "files of the package",
    "cli/demo.py": "a folder of the package",
    "evidence/packs/kept_files.py": "looks into none: a link stays one, and a pipe is refused",
    "child/fresh_modules.py": "runs in the child, without the package",
    "child/watchdog_child.py": "runs in the child, without the package",
    "files.py": "the one that looks what it opens",
}
"""Modules that read files otherwise than through `files.py`, and why they may."""
READS = {"read_text", "read_bytes"}


def reads(tree: ast.AST) -> Iterator[int]:
    """Lines that read a file by other means: `path.open()`, `path.open("rb")`, `open(path)`,
    `path.read_text()`, `shutil.copyfile()`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            yield node.lineno
        elif isinstance(node.func, ast.Attribute):
            name, of = node.func.attr, ast.unparse(node.func.value)
            modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
            is_opened = name == "open" and any(str(mode).startswith("r") for mode in modes)
            is_read = name in READS or (
                name != "copyfileobj" and name.startswith("copy") and of == "shutil"
            )
            if is_opened or is_read:
                yield node.lineno


@pytest.mark.slow
def test_every_other_module_reads_files_through_it() -> None:
    package = Path(evaltui.__file__).parent
    found = {
        path.relative_to(package).as_posix(): lines
        for path in package.rglob("*.py")
        if (lines := [*reads(ast.parse(path.read_bytes()))])
    }
    assert found.keys() <= OWN.keys(), found
