"""The page about the dashboard: its keys come from the commands, its signs from the marks."""

import re
import subprocess
import sys
from pathlib import Path

from evaltui.settings.keymap import spelled
from evaltui.tui.commands import COMMANDS
from evaltui.tui.filter_terms import FIELDS, STATES
from evaltui.tui.render import glyphs

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guide" / "dashboard.md").read_text(encoding="utf-8")


def test_the_key_table_is_up_to_date() -> None:
    script = ROOT / "scripts" / "key_table.py"
    done = subprocess.run([sys.executable, str(script), "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `python scripts/key_table.py`"


def test_every_command_is_there_with_its_keys() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| .+ \| `([\w.]+)` \|$", PAGE, re.MULTILINE))
    by_id = {command: keys for keys, command in rows.items()}
    for command in COMMANDS:
        assert f"`{spelled(command.keys[0])}`" in by_id[command.id].split()


def test_the_signs_are_those_of_the_screen() -> None:
    rows = re.findall(r"^\| `(..?)` \| `(..?)` \| (.+) \|$", PAGE, re.MULTILINE)
    assert [(glyph, plain, said) for glyph, plain, said in rows] == [
        (mark.glyph, mark.plain, f"{mark.word}: {mark.meaning}" if mark.meaning else mark.word)
        for mark in glyphs.OF_A_CASE
    ]


def test_the_filter_is_described_in_full() -> None:
    for state in STATES:
        assert re.search(rf"[`:]{state}`", PAGE), state
    for field in FIELDS:
        assert f"`{field}:" in PAGE, field
