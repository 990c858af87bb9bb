"""Git is asked within a limit, and nothing of it is left."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from evaltui.child.watchdog import WATCHDOG
from evaltui.disk import git_process
from evaltui.disk.git_objects import commit_of
from evaltui.disk.git_process import GIT, GitError, GitRuns, GitSilentError, reads_other_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pipes and /proc")


def with_a_pipe(root: Path, name: str = "HEAD") -> Path:
    """A repository in which git waits for ever."""
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)
    return root


def running_in(root: Path) -> list[int]:
    """Processes with that folder among their words."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                words = (each / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"git") and os.fsencode(root) in words:
                found.append(int(each.name))
    return found


def until(is_so: Callable[[], object], limit_s: float = 30.0) -> None:
    end = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs"])
def test_one_that_waits_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(git_process, "PATIENCE_S", 0.4)
    root, git = with_a_pipe(tmp_path, name), GitRuns()
    asked = ("rev-parse", "--verify", "main")
    with pytest.raises(GitSilentError, match=r"within 0\.4 seconds"):
        git.ask(root, asked)
    assert running_in(root) == []
    monkeypatch.setattr(GitRuns, "_start", None)  # it is not asked again
    with pytest.raises(GitSilentError):
        git.ask(root, asked)


def test_who_waits_for_it_can_be_let_go(tmp_path: Path) -> None:
    root, ended = with_a_pipe(tmp_path), list[str | None]()
    waiting = Thread(target=lambda: ended.append(commit_of(root, "HEAD")))
    waiting.start()
    until(lambda: WATCHDOG.groups)
    assert [*WATCHDOG.groups] == running_in(root)  # were we killed now, it would be too
    GIT.end()
    waiting.join()
    assert ended == [None]
    assert running_in(root) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_it_ends_with_whoever_asks(tmp_path: Path, number: int) -> None:
    root = with_a_pipe(tmp_path)
    (root / "evals").mkdir()
    case = {"id": "rg-x-001", "input": {"message": "x"}, "expect": {"noToolErrors": True}}
    case |= {"createdAt": "2026-01-01", "bugRef": "b"}
    (root / "evals/a.regression.json").write_text(json.dumps({"cases": [case]}))
    check = subprocess.Popen(
        [sys.executable, "-m", "evaltui", "check"],
        cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "EVALTUI_TRUST": "1"},
    )  # fmt: skip
    until(lambda: running_in(root))
    check.send_signal(number)
    check.wait()
    until(lambda: not running_in(root))


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="is it installed"):
        GIT.ask(tmp_path, ("rev-parse",))


@pytest.mark.parametrize(
    "text", ["[include]\npath = /x", "[core]\n\tbare = false\n[Include]path=x", '[includeIf "a"]']
)
def test_settings_that_include_others(tmp_path: Path, text: str) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "below").mkdir()
    assert not reads_other_files(tmp_path / "below")
    (tmp_path / ".git/config").write_text(text)
    assert reads_other_files(tmp_path)
    assert reads_other_files(tmp_path / "below")


def test_settings_that_cannot_be_looked_through(tmp_path: Path) -> None:
    assert reads_other_files(with_a_pipe(tmp_path, "config"))
