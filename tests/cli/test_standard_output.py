"""Standard streams that are closed, full or read by nobody, and an interrupt before the start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui import __main__, process
from evaltui.cli import main, parser
from tests.projects import ORDERS, case, make_project, write_suite, write_tools


def started(root: Path, command: str) -> "subprocess.CompletedProcess[str]":
    line = f"{sys.executable} -m evaltui {command}"
    return subprocess.run(
        ["sh", "-c", line], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "command",
    [
        "run",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("run --json", "check")),
        "tools --json",
        "--version",
        "--help",
    ],
)
@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_it_is_said_in_one_line(tmp_path: Path, command: str, where: str) -> None:
    make_project(tmp_path)
    ended = started(tmp_path, f"{command} {where}")
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith("evaltui: Standard output cannot be written: ")
    if command.startswith("run") and where == ">/dev/full":  # which is not known before it has run
        assert len(list((tmp_path / "evals" / "results").glob("*.json"))) == 2


def test_an_interrupt_while_flags_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parser, "parse", interrupted)
    assert main.run_command(["run"]) == 130


def test_an_interrupt_while_modules_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return 0

    monkeypatch.setattr(process, "look_for_garbage_rarely", lambda: None)
    monkeypatch.setattr(main, "run_command", interrupted)
    monkeypatch.setattr(sys, "argv", ["evaltui", "check"])
    assert __main__.main() == 130


GONE, CLOSED, FULL = "gone", "closed", "full"


def ended_unheard(root: Path, command: str, stream: str, how: str) -> int:
    """The exit code with a standard stream whose reader is gone, that is closed, or full."""
    number, place = {"stdout": 1, "stderr": 2}[stream], {CLOSED: "&-", FULL: "/dev/full"}.get(how)
    end = f" {number}>{place}" if place else ""
    reads, writes = os.pipe()
    os.close(reads)
    try:
        ended = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m evaltui {command}{end}"],
            cwd=root,
            text=True,
            check=False,
            timeout=60,
            stdout=writes if (stream, how) == ("stdout", GONE) else subprocess.PIPE,
            stderr=writes if (stream, how) == ("stderr", GONE) else subprocess.PIPE,
        )
    finally:
        os.close(writes)
    said = (ended.stdout or "") + (ended.stderr or "")
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    return ended.returncode


@pytest.fixture(scope="module")
def red(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a `broken` project, one that has `regressed`, and an agent that is `down`."""
    root = tmp_path_factory.mktemp("red")
    (root / "broken").mkdir()
    make_project(root / "broken")
    (root / "broken" / "evals" / "torn.golden.json").write_text("{")
    (root / "regressed").mkdir()
    write_tools(root / "regressed")
    write_suite(root / "regressed", "find_order", ORDERS)
    settings = '[agents.down]\ntype = "command"\ncommand = ["false"]\nis_free = true\n'
    (root / "regressed" / "evaltui.toml").write_text(settings)
    here = ["-C", str(root / "regressed"), "--agent", "embedded"]
    assert main.run_command(["run", *here]) == 0
    assert main.run_command(["baseline", "pin", *here]) == 0
    worse = case("gs-find-order-001", "Look up order SO-1", "play_music")
    write_suite(root / "regressed", "find_order", [worse, *ORDERS[1:]])
    assert main.run_command(["run", *here]) == 1
    return root


DOWN = "run -C regressed --agent down --trust --fail-on regressions"


STREAMS = [("stdout", GONE), ("stderr", GONE), ("stderr", CLOSED), ("stderr", FULL)]
CODES = [
    ("check -C broken", 2),
    (DOWN, 1),
    ("run -C broken", 2),
    ("run -C broken --json", 2),
    ("baseline diff -C regressed --agent embedded", 1),
    ("compare", 2),
    ("tools -C regressed", 0),
    ("--help", 0),
    ("--version", 0),
]
USUAL = [(CODES[number % 2], stream) for number, stream in enumerate(STREAMS)]
"""Each stream once, with a code of either kind."""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("command", "code", "stream", "how"),
    [
        pytest.param(*one, *stream, marks=[] if (one, stream) in USUAL else [pytest.mark.slow])
        for one in CODES
        for stream in STREAMS
    ],
)
def test_red_stays_red_and_green_green_whoever_reads(
    red: Path, command: str, code: int, stream: str, how: str
) -> None:
    assert ended_unheard(red, command, stream, how) == code
