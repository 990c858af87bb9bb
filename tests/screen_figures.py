"""What the screen says in figures, read as a person reads it: cell by cell, pane by pane."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.navigation import PaneId
from evaltui.tui.render import glyphs
from tests.driver import Driver

SIGNS = {mark.glyph: mark.word for mark in (*glyphs.ROW_STATUS.values(), *glyphs.ROW_MARK.values())}
STATUSES = {mark.word for mark in glyphs.ROW_STATUS.values()}
_SIGN = "|".join(sorted(map(re.escape, SIGNS), key=len, reverse=True))
_FIGURE = re.compile(rf"(?<![^\s\d·])({_SIGN})([\d,]+)(?=\s|$|{_SIGN})")
_ROW = re.compile(rf"^.[ ▪◌▶]([{''.join(mark.glyph for mark in glyphs.ROW_STATUS.values())}])[ ◷]")
_EFFECT = re.compile(r"([\d,]+) (?:worse|better|in error|calls? differently|as before|new|muted)\b")
_TITLE = re.compile(r"^[─━┌┏]*\s*(\d \w+) ?(.*?)[─━┐┓]*$")


def figures(text: str) -> dict[str, int]:
    """`✓27 ✗3 · ↓2`, or `✓27✗3·↓2` where room is short, by the words of the signs."""
    return {SIGNS[sign]: int(number.replace(",", "")) for sign, number in _FIGURE.findall(text)}


def effects_said(header: str) -> int:
    """`1 worse · 0 better · 14 as before · 1 muted` added up."""
    return sum(int(number.replace(",", "")) for number in _EFFECT.findall(header))


def truth(rows: list[Row]) -> dict[str, int]:
    """How many of these cases are what, counted one by one; without zeroes."""
    found: dict[str, int] = {}
    for row in rows:
        marks = [glyphs.ROW_STATUS[row.status], *(glyphs.ROW_MARK[mark] for mark in row.marks)]
        for mark in marks:
            found[mark.word] = found.get(mark.word, 0) + 1
    return found


@dataclass(frozen=True)
class Picture:
    """One frame, cut into panes that are on the screen."""

    header: str
    footer: str
    panes: Mapping[PaneId, tuple[str, ...]]

    @classmethod
    def of(cls, driver: Driver) -> "Picture":
        layout = driver.app.dashboard.controller.layout
        strips = driver.app.screen._compositor.render_strips()
        panes = {}
        for name, pane in layout.panes.items():
            if name in layout.navigation.visible and pane.display:
                region = pane.region
                panes[name] = tuple(
                    strip.crop(region.x, region.right).text.rstrip()
                    for strip in strips[region.y : region.bottom]
                )
        return cls(strips[0].text, strips[-1].text, panes)

    def title(self, pane: PaneId) -> str:
        """What stands behind the pane's name in its border."""
        found = _TITLE.match(self.panes[pane][0])
        assert found is not None, self.panes[pane][0]
        return found[2].strip()

    @property
    def has_suites(self) -> bool:
        """Whether suites are on the screen; their pane may be turned to the tools."""
        return "1 Suites" in self.panes.get(PaneId.SUITES, ("",))[0]

    def suites(self, board: Board) -> dict[str, str]:
        """Lines of the suites pane by id of the suite, empty for all of them."""
        names = {row.suite.name: row.suite.id for row in board.rows.values()}
        found: dict[str, str] = {}
        if not self.has_suites:
            return found
        for line in self.panes[PaneId.SUITES][1:]:
            words = [word.rstrip("…") for word in line.split() if len(word.strip("│┃›…")) > 2]
            name = words[0].strip("│┃›") if words else ""
            if name in ("All", "Al"):
                found[""] = line
            fits = [suite for short, suite in names.items() if name and short.startswith(name)]
            if len(fits) == 1:
                found[fits[0]] = line
        return found

    def headings(self) -> list[tuple[str, str]]:
        """Headings among the cases, each with the id of its suite; many have two."""
        lines = self.panes.get(PaneId.CASES, ())[1:]
        found = ((re.match(r"^[│┃]?›?[▾▸] (\S+)", line), line) for line in lines)
        return [(match[1], line) for match, line in found if match]

    def save_groups(self) -> dict[str, int]:
        """Headings of what the last save did, with their numbers."""
        lines = (line.lstrip("│┃") for line in self.panes.get(PaneId.CASES, ())[1:])
        found = (re.match(r"^[ ›]([A-Z][A-Z, ]+) ([\d,]+)(?=\s|$)", line) for line in lines)
        return {match[1]: int(match[2].rstrip(",").replace(",", "")) for match in found if match}

    def cases(self, board: Board) -> dict[str, str]:
        """The sign of each case that has a line in sight, by its id."""
        found = {}
        ids = {row.key.case for row in board.rows.values()}
        for line in self.panes.get(PaneId.CASES, ())[1:]:
            text = line.lstrip("│┃") if line[:1] in "│┃" else line
            sign = _ROW.match(text)
            words = text[6:].split()
            if sign and words and (known := next((w for w in words[:2] if w in ids), "")):
                found[known] = SIGNS[sign[1]]
        return found

    def groups(self) -> dict[str, int]:
        """Entries of each group of the problems that is in sight, by its heading."""
        found = {}
        for line in self.panes.get(PaneId.PROBLEMS, ())[1:]:
            match = re.match(r"^[│┃ ]?[▾▸] (.+?) ([\d,]+)(?=\s\s|$)", line)
            if match:
                found[match[1]] = int(match[2])
        return found
