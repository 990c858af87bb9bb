"""Hostile text in everything a dashboard shows: a real terminal gets no control of anybody else."""

import json
import re
import sys
from pathlib import Path

import pytest

from evaltui.core.inert_text import ACTING, first_acting, spelled
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
NEVER = re.compile(f"[\n{ACTING}]")
EACH = [
    sign
    for sign in map(chr, range(0x20000))
    if first_acting(sign) and not "\ud800" <= sign <= "\udfff"
]
EACH += "\U000e0000\U000e0001\U000e0020\U000e0041\U000e007f\U000e0100\U000e01ef\U000e0fff"
BLANK = "\x1b\v\f\r\x85\u2028\u2029"
"""Of those, ends of lines, and one that has a short name."""
AT_ONCE = 4
"""Of these characters in one text, so that no row cuts one off."""
NOT_OURS = (b"\x1b]0;PWN", b"[bold]|a|\n")
KEYS = (
    *("1", "2", "3", "4", "5"),  # the panes
    *("j", "j", "\r", "\t", "\t", "l", "l", "l", "l", "l", "l", "l"),  # cases, and their tabs
    *("2", "G", "g", "F", "F", "F", "F", "d", "k", "d", "n", "n", "\r", "V", "\x1b"),
    *("H", "\x1b", "?", "\x1b", ":", "\x1b", "/", "PWN", "\r", "\x1b", "\x1b", "b", "\x1b"),
)


def test_none_of_all_such_characters_reaches_a_terminal(tmp_path: Path) -> None:
    """In ids, messages, names of tools, reasons and what problems say."""
    pieces = ["".join(EACH[at : at + AT_ONCE]) for at in range(0, len(EACH), AT_ONCE)]
    cases = [
        {"id": f"c{at}<{piece}>", "input": {"message": piece}, "expect": {"toolsCalled": [piece]}}
        for at, piece in enumerate(pieces)
    ]
    tools = [{"name": f"t{piece}", "description": f"d{piece}"} for piece in pieces]
    (tmp_path / "evaltui.toml").write_text('registry = "tools.json"\n')
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    suite = tmp_path / "evals/a.golden.json"
    suite.parent.mkdir()
    suite.write_text(json.dumps({"cases": cases}))
    program = Terminal([*EVALTUI], tmp_path, size=(160, 2 * len(cases) + 20))
    try:
        program.until(lambda: "<" in program.text and f"✗{len(cases)}" in program.text)
        for key in ("j", "j", "2", "3", "4", "\r", "j"):
            program.press(key)
            while program.read(0.05):
                pass
        written = bytes(program.written)
    finally:
        program.close()
    left = OURS.sub(b"", written).decode("utf-8", "replace")
    assert sorted({f"{ord(found[0]):x}" for found in NEVER.finditer(left)}) == []
    assert [sign for sign in EACH if spelled(sign) not in left and sign not in BLANK] == []


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
