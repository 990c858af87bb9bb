"""Writes the key table of the page about the dashboard: `python scripts/key_table.py`.

With `--check` nothing is written; the exit code is 1 when the page is not up to date.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from evaltui.settings.default_keys import DEFAULT_KEYS
from evaltui.settings.keymap import PRESETS, make_keymap, spelled
from evaltui.tui.command import Command, Group
from evaltui.tui.commands import COMMANDS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guide" / "dashboard.md"
BEGIN, END = "<!-- keys: made by scripts/key_table.py -->\n", "<!-- end of keys -->\n"


def key_table() -> str:
    """One Markdown table for each group, with the id by which a key can be changed."""
    return "\n".join(_table(group) for group in Group)


def preset_table() -> str:
    """What each preset changes."""
    lines = ["| preset | command | key |", "|---|---|---|"]
    for preset in PRESETS:
        keys = make_keymap(preset).keys
        changed = [name for name, given in DEFAULT_KEYS.items() if keys[name] != given]
        lines += [f"| `{preset}` | `{name}` | {_keys(keys[name])} |" for name in changed]
    return "\n".join(lines) + "\n"


def page_with_tables(page: str) -> str:
    """The page with what stands between the two marks replaced."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    presets = f"### What the presets change\n\n{preset_table()}"
    return f"{before}{BEGIN}\n{key_table()}\n{presets}\n{END}{after}"


def _table(group: Group) -> str:
    rows = [_row(command) for command in COMMANDS if command.group is group]
    return "\n".join((f"### {group}\n", "| key | what | id |", "|---|---|---|", *rows)) + "\n"


def _row(command: Command) -> str:
    return f"| {_keys(command.keys)} | {_plain(command.help)} | `{command.id}` |"


def _keys(keys: Sequence[str]) -> str:
    return " ".join(f"`{_plain(spelled(key))}`" for key in keys) or "none"


def _plain(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    made = page_with_tables(page)
    if "--check" in sys.argv[1:]:
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
