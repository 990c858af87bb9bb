"""Hostile text in everything a dashboard shows: a real terminal gets no control of anybody else."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.test_hostile_text import HOSTILE, write_hostile
from tests.terminal import EVALTUI, Terminal, plain_environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals"),
]
OURS = re.compile(
    rb"\x1b\[[?<>=]?[\d;:]*[\$]?[Hdhlmpu]"  # modes, cursor and colours
    rb"|\x1b\]22;[a-z]*(?:\x07|\x1b\\)|\x1b\]0;evaltui[^\x00-\x1f\x7f]*(?:\x07|\x1b\\)"
    rb"|\x1bP[^\x00-\x1f]*\x1b\\|\x1b_G[^\x00-\x1f]*\x1b\\|\x1b[()][0B]|[\r\n\t]"
)
NEVER = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
NOT_OURS = (b"\x1b]0;PWN", b"[bold]|a|\n")
KEYS = (
    *("1", "2", "3", "4", "5"),  # the panes
    *("j", "j", "\r", "\t", "\t", "l", "l", "l", "l", "l", "l", "l"),  # cases, and their tabs
    *("2", "G", "g", "F", "F", "F", "F", "d", "k", "d", "n", "n", "\r", "V", "\x1b"),
    *("H", "\x1b", "?", "\x1b", ":", "\x1b", "/", "PWN", "\r", "\x1b", "\x1b", "b", "\x1b"),
)


def test_no_pane_tab_or_drawer_lets_it_through(tmp_path: Path) -> None:
    write_hostile(tmp_path)
    known = {**plain_environment(), "EVALTUI_TRUST": "1"}
    program = Terminal([*EVALTUI], tmp_path, size=(200, 60), environment=known)
    try:
        program.until(lambda: "PWN" in program.text and "✗" in program.text)
        for key in KEYS:
            program.press(key)
            while program.read(0.05):
                pass
        written = bytes(program.written)
    finally:
        program.close()
    for one in NOT_OURS:
        assert one not in written
    left = OURS.sub(b"", written).decode("utf-8", "replace")
    found = sorted({left[max(0, at.start() - 20) : at.end() + 20] for at in NEVER.finditer(left)})
    assert found == [], found
    assert HOSTILE not in left
