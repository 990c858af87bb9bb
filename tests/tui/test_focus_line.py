"""The line around a pane that has the focus: another colour, the same shape."""

import re
from pathlib import Path

from evaltui import tui

RULES = re.compile(r"([^{}]+)\{([^}]*)\}")
BORDER = re.compile(r"(border-(?:top|left)): (\w+) (\$[\w-]+)")


def test_focus_changes_the_colour_of_every_line_and_no_shape() -> None:
    text = (Path(tui.__file__).parent / "dashboard.tcss").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    lines = {
        (one.strip(), side): (shape, colour)
        for selectors, body in RULES.findall(text)
        for one in selectors.split(",")
        for side, shape, colour in BORDER.findall(body)
    }
    plain = {
        key: line for key, line in lines.items() if ":focus" not in key[0] and "Toast" not in key[0]
    }
    assert len(plain) >= 6
    for (selector, side), (shape, colour) in plain.items():
        focused = [lines.get((f"{selector}:{kind}", side)) for kind in ("focus", "focus-within")]
        found = [line for line in focused if line is not None]
        assert found, f"{selector} with the focus looks as without"
        assert all(line == (shape, "$line-focused") for line in found)
        assert colour == "$line"
