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
from evaltui.disk.git_process import GIT, Git, GitEndedError, GitError, GitRuns, GitSilentError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pipes and /proc")


def with_a_pipe(root: Path, name: str = "packed-refs") -> Path:
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


@pytest.mark.parametrize("name", ["config", "packed-refs"])
def test_one_that_waits_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(git_process, "PATIENCE_S", 0.4)
    root, git = with_a_pipe(tmp_path, name), GitRuns()
    asked = ("rev-parse", "--verify", "main")
    with pytest.raises(GitSilentError, match=r"within 0\.4 seconds"):
        git.ask(root, asked, is_agreed=True)
    assert running_in(root) == []
    monkeypatch.setattr(GitRuns, "_start", None)  # it is not asked again
    with pytest.raises(GitSilentError):
        git.ask(root, asked, is_agreed=True)


def waiting_for(root: Path, runs: GitRuns, said: list[object]) -> Thread:
    """Somebody who asks for a commit and adds the answer, or why there is none."""

    def asks() -> None:
        try:
            said.append(commit_of(root, "HEAD", Git(runs)))
        except GitError as error:
            said.append(type(error))

    thread = Thread(target=asks)
    thread.start()
    return thread


def test_who_waits_for_it_can_be_let_go_and_nobody_else_is(tmp_path: Path) -> None:
    mine, others = GitRuns(), GitRuns()
    root, other = with_a_pipe(tmp_path / "a"), with_a_pipe(tmp_path / "b")
    ended, kept = list[object](), list[object]()
    waiting, beside = waiting_for(root, mine, ended), waiting_for(other, others, kept)
    until(lambda: len(WATCHDOG.groups) == 2)  # were we killed now, they would be too
    assert {*WATCHDOG.groups} == {*running_in(root), *running_in(other)}
    mine.end()
    waiting.join()
    assert ended == [GitEndedError], "which is not that git refuses"
    assert running_in(root) == []
    assert (len(running_in(other)), kept) == (1, [])
    others.end()
    beside.join()
    assert kept == [GitEndedError]


def test_who_has_ended_asks_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = GitRuns()
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert runs.ask(tmp_path, ("rev-parse", "--git-dir"))
    runs.end()
    assert GIT.ask(tmp_path, ("rev-parse", "--git-dir"))
    monkeypatch.setenv("PATH", str(tmp_path))  # where none could be started
    with pytest.raises(GitEndedError):
        runs.ask(tmp_path, ("rev-parse", "--git-dir"))


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
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="is it installed"):
        GIT.ask(tmp_path, ("rev-parse",))
