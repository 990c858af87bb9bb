"""Themes: complete, readable, and the only place where a colour is written."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from evaltui.settings.themes import theme_folders
from evaltui.tui.render import glyphs
from evaltui.tui.themes import COLORS, load_theme, load_theme_named, load_themes

SHIPPED = theme_folders()[0]
NAMES = sorted(path.stem for path in SHIPPED.glob("*.toml"))
PACKAGE = Path(__file__).parents[2] / "evaltui" / "tui"
GROUNDS = ("background", "surface", "panel", "cursor", "cursor-blurred", "chosen")
PAIRS = (("found", "found-on"), ("chip", "chip-on"), ("chip-alert", "chip-alert-on"))
MARKS = ("line-focused", "input-cursor-background")
"""Of the cursor and of the focus: no text."""


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.1."""
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def texts(variables: dict[str, str]) -> list[str]:
    kinds = ("case-", "diff-", "severity-", "code-")
    return [name for name in variables if name.startswith(kinds)] + ["quiet", "strong", "aged"]


def test_the_themes_that_are_promised() -> None:
    assert {"dark", "light", "high-contrast", "colour-blind"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_theme_has_every_variable(name: str) -> None:
    theme, default = load_theme(SHIPPED / f"{name}.toml"), load_theme(SHIPPED / "dark.toml")
    assert set(theme.variables) == set(default.variables)
    assert set(theme.colors) == set(COLORS)
    used = {mark.variable for mark in vars(glyphs).values() if isinstance(mark, glyphs.Mark)}
    used |= {mark.variable for mark in glyphs.SEVERITY.values()}
    assert used <= set(theme.variables)


@pytest.mark.parametrize("name", NAMES)
def test_text_can_be_read_on_every_ground(name: str) -> None:
    theme = load_theme(SHIPPED / f"{name}.toml")
    colors = {**theme.colors, **theme.variables}
    bad = [
        (text, ground, round(contrast(colors[text], colors[ground]), 2))
        for text in (*texts(dict(theme.variables)), "foreground")
        for ground in GROUNDS
        if contrast(colors[text], colors[ground]) < 4.5
    ]
    bad += [
        (mark, ground, round(contrast(colors[mark], colors[ground]), 2))
        for mark in MARKS
        for ground in GROUNDS
        if contrast(colors[mark], colors[ground]) < 3
    ]
    bad += [(*pair, 0.0) for pair in PAIRS if contrast(colors[pair[0]], colors[pair[1]]) < 4.5]
    assert bad == []


def test_no_colour_is_written_anywhere_else() -> None:
    found = [
        f"{path.name}: {match[0]}"
        for path in (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.tcss"))
        for match in re.finditer(r'["\s:]#[0-9a-fA-F]{6}\b|\bansi_\w+', path.read_text("utf-8"))
        if path.name != "themes.py"
    ]
    assert found == []


def test_every_variable_of_the_style_sheets_is_in_the_themes() -> None:
    theme = load_theme(SHIPPED / "dark.toml")
    known = {*theme.variables, *theme.colors}
    sheet = (PACKAGE / "dashboard.tcss").read_text("utf-8")
    assert set(re.findall(r"\$([\w-]+)", sheet)) <= known


def test_a_users_theme_takes_the_rest_from_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evaltui" / "themes"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('title = "Mine"\n[variables]\ncase-passed = "#abcdef"\n')
    (folder / "broken.toml").write_text("[variables]\ncase-passed = 3\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    themes, problems = load_themes()
    assert themes["mine"].variables["case-passed"] == "#abcdef"
    assert themes["mine"].variables["quiet"] == themes["dark"].variables["quiet"]
    assert "broken" not in themes
    assert "must be a colour like `#1e2630`, not `3`" in problems[0].what
    assert load_theme_named("mine").title == "Mine"
    assert load_theme_named("broken").name == "dark"
    assert load_theme_named("../themes/mine").name == "dark"
    assert load_theme_named("no such theme").name == "dark"


ROLES = (
    *("case-passed", "case-failed", "case-error", "case-stale", "severity-warning"),
    *("diff-removed", "diff-actual", "case-running", "quiet"),
)
"""Good, bad, in error, moved, warning, expected, actual, accent, quiet."""
APART = 9.9
"""Of CIE Lab: some four times what two people standing side by side just tell apart."""
BLINDNESS = {
    "protanopia": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.052)),
    "deuteranopia": ((0.3673, 0.8606, -0.228), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "tritanopia": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
"""How linear red, green and blue are seen: Machado, Oliveira and Fernandes 2009, severity 1."""


def lab(color: str, seen: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """CIE Lab of a colour as it is seen."""
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, linear, strict=True))))
        for row in seen
    )
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
            0.2126 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("name", NAMES)
def test_roles_stay_apart_for_who_sees_fewer_colours(name: str, kind: str) -> None:
    colors = load_theme(SHIPPED / f"{name}.toml").variables
    seen = {role: lab(colors[role], BLINDNESS[kind]) for role in ROLES}
    near = [
        (one, other, round(dist(seen[one], seen[other]), 1))
        for one, other in combinations(seen, 2)
        if dist(seen[one], seen[other]) < APART
    ]
    assert near == []
