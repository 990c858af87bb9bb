"""Every action, one row each: keys, footer, palette, help and the documented key table read it.

Only the screen and the start of the dashboard import the table; who else needs rows gets them from
the controller.
"""

from collections.abc import Mapping

from evaltui.tui.actions import app, baselines, copying, editing, moving, run, views
from evaltui.tui.command import Command, Group
from evaltui.tui.keymap import Keymap

M, L, R, B, E, C, A = Group
COMMANDS: tuple[Command, ...] = (
    Command("app.help", "?", "help", "All keys and commands: search, run", A, app.help, footer=100),
    Command("move.down", "j down", "down", "Next line", M, moving.down),
    Command("move.up", "k up", "up", "Previous line", M, moving.up),
    Command("move.top", "g home", "top", "First line", M, moving.top),
    Command("move.bottom", "G end", "bottom", "Last line", M, moving.bottom),
    Command("move.page_down", "pagedown ctrl+f", "page down", "A page on", M, moving.page_down),
    Command("move.page_up", "pageup ctrl+b", "page up", "A page back", M, moving.page_up),
    Command("move.out", "h left", "fold", "Fold, or go to the pane on the left", M, moving.out),
    Command("move.in", "l right", "unfold", "Unfold, or go to the pane on the right", M,
            moving.into),
    Command("move.open", "enter", "open", "Drill down: the detail of the case", M, moving.open_line,
            footer=95),
    Command("move.back", "escape", "back", "Back: leave zoom, drawer, filter; never quits", M,
            moving.back, footer=90, panes="detail problems tools suites",
            ahead="detail problems tools suites"),
    Command("move.extend_down", "shift+down", "choose on", "Choose lines downwards", M,
            moving.extend_down),
    Command("move.extend_up", "shift+up", "choose back", "Choose lines upwards", M,
            moving.extend_up),
    Command("cases.choose", "space v", "choose", "Choose cases; r, x, b mean all of them", M,
            moving.choose, run.no_cases, footer=30, panes="cases"),
    Command("pane.suites", "1", "suites", "Go to the suites", M, moving.to_suites),
    Command("pane.cases", "2", "cases", "Go to the cases", M, moving.to_cases),
    Command("pane.detail", "3", "detail", "Go to the detail", M, moving.to_detail),
    Command("pane.problems", "4", "problems", "Mistakes in files, stale cases, regressions", M,
            moving.to_problems),
    Command("pane.tools", "5", "tools", "The tool registry and which cases cover it", M,
            moving.to_tools),
    Command("pane.next", "tab", "next pane", "Go to the next pane", M, moving.next_pane),
    Command("pane.previous", "shift+tab", "previous pane", "Go to the previous pane", M,
            moving.previous_pane),
    Command("pane.zoom", "+", "zoom", "The pane alone and without borders: clean to copy from", L,
            views.zoom),
    Command("detail.down", "J", "scroll on", "Scroll the detail, the list keeps the focus", M,
            moving.detail_down),
    Command("detail.up", "K", "scroll back", "Scroll the detail back", M, moving.detail_up),
    Command("tab.next", "]", "next tab",
            "Diff, Agents, Calls, Conversation, Verdicts, History, Raw", M, moving.next_tab,
            run.no_cases, footer=88, panes="detail", ahead="detail"),
    Command("tab.previous", "[", "previous tab", "The tab before", M, moving.previous_tab),
    Command("cases.filter", "/", "filter", "Filter the cases, or search the text you stand in", L,
            views.edit_filter, views.no_text_or_cases, footer=75),
    Command("problem.next", "n", "next problem", "Next case that failed", L, views.next_problem,
            views.no_problem, footer=80, panes="cases detail"),
    Command("problem.previous", "N", "previous problem", "Case before that failed", L,
            views.previous_problem, views.no_problem),
    Command("cases.view", "F", "view",
            "All, where agents differ, problems, regressions, stale, flaky", L, views.next_view,
            run.no_cases, footer=25, panes="cases"),
    Command("cases.sort", "S", "sort", "Put the rows in order again", L, views.sort),
    Command("detail.against", "d", "vs baseline",
            "Diff against expected, baseline, previous run, other agents", L, views.against,
            views.no_case, footer=86, panes="detail", ahead="detail"),
    Command("agent.next", "@", "agent", "Show the next agent: keys act on the one that is shown", L,
            views.next_agent, views.no_other_agent),
    Command("run.selection", "r", "rerun", "Rerun the chosen cases, or the one under the cursor", R,
            run.selection, run.no_selection, footer=90),
    Command("run.everywhere", "A", "rerun with all", "Rerun the selection with every agent", R,
            run.everywhere, run.no_everywhere),
    Command("run.due", "R", "rerun stale", "Rerun what watching would run: every stale case", R,
            run.due, run.nothing_due, footer=35, panes="cases suites"),
    Command("run.all", "a", "run all", "Run every case", R, run.all_cases, run.no_cases,
            footer=50, panes="cases suites"),
    Command("run.failed", "f", "rerun failed", "Rerun the cases that failed", R, run.failed,
            run.none_failed, footer=45, panes="cases suites"),
    Command("run.errored", "E", "rerun errors", "Rerun the cases that had an error", R,
            run.errored, run.none_errored),
    Command("run.again", "x", "repeat", "Run the selection several times: flaky or broken?", R,
            run.again, run.no_selection),
    Command("run.walk", "i", "walk failures", "Walk through the failures one by one", R,
            views.walk, run.none_to_walk),
    Command("watch.pause", "p", "pause", "Pause or resume watching; changes are kept for later", R,
            run.pause, run.not_watching, footer=20),
    Command("run.cancel", "c", "cancel", "Cancel the run; what finished counts", R,
            run.cancel, run.not_running),
    Command("baseline.pin", "b", "pin", "Pin the selection's results as baseline", B,
            baselines.pin, baselines.no_results, footer=85, panes="cases suites detail",
            ahead="detail"),
    Command("baseline.menu", "B", "baselines", "Pin suite or all, named baselines, unpin", B,
            baselines.menu, run.no_cases),
    Command("accept", "u", "accept", "Make what was called the expectation; shows the change first",
            E, editing.accept, editing.no_case, footer=58, panes="cases detail"),
    Command("capture", "C", "capture", "Write the failing case down as a regression case", E,
            editing.capture, editing.not_failed),
    Command("mute", "m", "mute", "Mute a flaky case with a reason, or unmute it", E, editing.mute,
            editing.no_case),
    Command("undo", "z", "undo", "Undo the last pin, accept, mute or capture", E, editing.undo),
    Command("redo", "Z", "redo", "Do again what was undone", E, editing.redo),
    Command("edit.case", "o", "open case", "Open the case at its line in $VISUAL or $EDITOR", E,
            editing.open_case, editing.no_case, footer=70, panes="cases detail"),
    Command("edit.tool", "O", "open tool", "Open the tool that the case is about at its line", E,
            editing.open_tool, editing.no_tool),
    Command("copy.text", "y", "copy", "Copy the line of the detail, or id and message of the case",
            C, copying.text, editing.no_case),
    Command("copy.menu", "Y", "copy menu", "Copy id, message, actual parameters, diff, command", C,
            copying.menu, editing.no_case),
    Command("app.palette", ": ctrl+p", "commands", "Find and run any command", A, app.palette),
    Command("app.theme", "T", "theme", "Choose a theme, seen at once", A, app.theme),
    Command("app.log", "L", "log", "What happened, in words", A, app.log),
    Command("app.interrupt", "ctrl+c", "interrupt", "Copy selected text, else cancel; twice quits",
            A, app.interrupt),
    Command("app.quit", "q", "quit", "Leave", A, app.quit_app, footer=10),
)  # fmt: skip
BY_ID: Mapping[str, Command] = {command.id: command for command in COMMANDS}


def default_keys() -> dict[str, tuple[str, ...]]:
    """Keys by command id before presets and the user's own."""
    return {command.id: tuple(command.keys.split()) for command in COMMANDS}


def remapped(keymap: Keymap) -> dict[str, str]:
    """The key in force by the first default key of its command, where it is another one."""
    pairs = {keys[0]: keymap.shown(name) for name, keys in default_keys().items()}
    return {key: shown for key, shown in pairs.items() if shown and shown != key and len(key) == 1}
