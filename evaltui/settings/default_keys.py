"""The commands of the dashboard by id, each with its keys; what it does says `tui/commands.py`.

Settings may change the keys, so the ids are known where settings are checked, below the screen.
"""

from collections.abc import Mapping
from types import MappingProxyType

_KEYS = {
    "app.help": "?",
    "move.down": "j down",
    "move.up": "k up",
    "move.top": "g home",
    "move.bottom": "G end",
    "move.page_down": "pagedown ctrl+f",
    "move.page_up": "pageup ctrl+b",
    "move.out": "h left",
    "move.in": "l right",
    "move.open": "enter",
    "move.back": "escape",
    "move.extend_down": "shift+down",
    "move.extend_up": "shift+up",
    "cases.choose": "space v",
    "pane.suites": "1",
    "pane.cases": "2",
    "pane.detail": "3",
    "pane.problems": "4",
    "pane.tools": "5",
    "pane.next": "tab",
    "pane.previous": "shift+tab",
    "pane.zoom": "+",
    "detail.down": "J",
    "detail.up": "K",
    "tab.next": "]",
    "tab.previous": "[",
    "cases.filter": "/",
    "problem.next": "n",
    "problem.previous": "N",
    "cases.view": "F",
    "cases.sort": "S",
    "detail.against": "d",
    "agent.next": "@",
    "timeline.open": "H",
    "timeline.back": "<",
    "timeline.forward": ">",
    "run.selection": "r",
    "run.everywhere": "A",
    "run.due": "R",
    "run.all": "a",
    "run.failed": "f",
    "run.errored": "E",
    "run.again": "x",
    "run.walk": "i",
    "watch.pause": "p",
    "run.cancel": "c",
    "baseline.pin": "b",
    "baseline.menu": "B",
    "accept": "u",
    "capture": "C",
    "evaluators": "V",
    "mute": "m",
    "undo": "z",
    "redo": "Z",
    "edit.case": "o",
    "edit.tool": "O",
    "copy.text": "y",
    "copy.menu": "Y",
    "app.palette": ": ctrl+p",
    "app.theme": "T",
    "app.trust": "ctrl+t",
    "app.log": "L",
    "app.interrupt": "ctrl+c",
    "app.quit": "q",
}
"""Blanks between several; the first is shown."""
DEFAULT_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {command: tuple(keys.split()) for command, keys in _KEYS.items()}
)
"""Keys by command id before presets and the user's own."""
