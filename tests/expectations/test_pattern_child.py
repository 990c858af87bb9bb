"""The program that tries patterns, spoken to as `pattern_process.py` does."""

import marshal
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import regress

from evaltui.expectations import pattern_child

LIBRARY = str(Path(regress.__file__).parent.parent)
LIMIT_S = 10.0


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """One that has started."""
    command = [sys.executable, pattern_child.__file__, LIBRARY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as made:
        assert _reply(made) is None
        yield made
        made.kill()


def _reply(child: "subprocess.Popen[bytes]") -> Any:
    assert child.stdout is not None
    return marshal.load(child.stdout)


def _ask(child: "subprocess.Popen[bytes]", pattern: str, text: str) -> Any:
    assert child.stdin is not None
    marshal.dump((pattern, text, LIMIT_S, False), child.stdin)
    child.stdin.flush()
    return _reply(child)


def test_it_answers_until_nobody_asks_any_more(child: "subprocess.Popen[bytes]") -> None:
    assert [_ask(child, "x+", text) for text in ("xx", "y")] == [True, False]
    assert "group" in _ask(child, "(?i)x", "x")
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(LIMIT_S) == 0


def test_ctrl_c_is_for_whoever_started_it(child: "subprocess.Popen[bytes]") -> None:
    os.kill(child.pid, signal.SIGINT)
    assert _ask(child, "x+", "xx") is True
