"""What empty panes say: what belongs there, and how to get it."""

from collections.abc import Sequence

from rich.segment import Segment

from evaltui.core.errors import NO_RECORDED_RUN, unread_files
from evaltui.core.tool import ToolRegistry
from evaltui.core.watch_state import WatchState
from evaltui.store.board import Board
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.words import count
from evaltui.tui.render.wrapping import breaks
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of
from evaltui.tui.view import View

MOST_FILES = 2
"""That are named, of a save or a registry."""


def still_reading(session: SessionProtocol, *then: str) -> tuple[str, ...]:
    """For any pane while nothing is known: what is being read, or why nothing will come.

    `then`: what will be shown in it.
    """
    if session.state is WatchState.PACK:
        return ("Reading the evidence pack…", *then)
    if session.state is not WatchState.REPLAY:
        return ("Reading the project…", *then)
    if all(problem.code != NO_RECORDED_RUN for problem in session.store.problems.reported):
        return ("Reading the recorded run…", *then)
    return (
        "There is nothing to play: this is not a recorded run.",
        "4 shows what is wrong with the file; q quits.",
        "evaltui --replay FILE  plays a run; they are kept in .evaltui/runs",
        "evaltui  opens the project",
    )


def beginning(session: SessionProtocol, agent: str, nothing: str) -> str:
    """For the side pane: `nothing` once it is known that there is none, else what is being read."""
    is_read = session.store.read_at and not board_of(session, agent).is_cached
    return nothing if is_read or session.why_not_ask(agent) else still_reading(session)[0]


def no_case_shown(session: SessionProtocol, agent: str) -> tuple[str, ...]:
    """For the detail pane."""
    board = board_of(session, agent)
    if not session.store.read_at or board.is_cached:
        if why := session.why_not_ask(agent):
            return (f"Nothing more is known of `{agent}`: {why}.",)
        return still_reading(session, "Then the case under the cursor is shown here.")
    if board.rows:
        return (
            "No case is under the cursor.",
            "`j` and `k` move through the cases: the one under the cursor is shown here.",
            "Expected and actual calls, the conversation, verdicts, history and raw data.",
        )
    return (
        "Nothing to show yet: there are no cases.",
        "Later: expected and actual calls of the case under the cursor, conversation, verdicts.",
    )


def no_cases(session: SessionProtocol, board: Board, view: View, text: str) -> tuple[str, ...]:
    """For the cases pane."""
    if board.rows:
        if text:
            return (
                f"No case matches `{text}`.",
                "Esc clears the filter; / changes it.",
                "status:failed  tool:NAME  tier:golden  suite:x  id:x  !word  any text",
            )
        if view is not View.ALL:
            said = _none_of_save(session, board) if view is View.SAVE else (_NONE[view],)
            return (*said, "F chooses another view; Esc shows all cases.")
        return ("This suite has no cases.", "Esc shows all suites.")
    if not session.store.read_at:
        return still_reading(session)
    if any(suite.cases for suite in session.store.suites):
        return ("Reading the last results…",)
    if session.store.suites:
        return ("The eval files hold no cases.", "4 shows what is wrong with them.")
    problems = len(session.store.problems.reported)
    mistakes = f"{count(problems, 'problem')} in settings or files: 4 says what and where."
    return (
        "No eval files here yet.",
        *_tools_found(session.store.registry),
        *([mistakes] if problems else []),
        "",
        "Looked for *.golden.json, *.labeled.json, *.regression.json and the like.",
        "evaltui demo  opens a working project, to look at and copy from",
        "evaltui init  writes evaltui.toml with what is found in this folder",
        "Files that appear are picked up at once; ? shows every key, q quits.",
    )


def _tools_found(registry: ToolRegistry) -> tuple[str, ...]:
    """Of a project without evals, the tools that these can be about."""
    if not len(registry):
        return ()
    files = [*dict.fromkeys(f"`{tool.file}`" for tool in registry if tool.file)]
    names = ", ".join(files[:MOST_FILES])
    more = f" and {len(files) - MOST_FILES:,} more" if len(files) > MOST_FILES else ""
    place = f" in {names}{more}" if files else ""
    return (f"Found {count(len(registry), 'tool')}{place}: 5 shows them.",)


def _none_of_save(session: SessionProtocol, board: Board) -> tuple[str, ...]:
    """Why no case is of the last save: what was saved, and what became of it."""
    files = board.headline.save.trigger if board.headline.save is not None else ()
    if not files:
        return (_NONE[View.SAVE], "Save a tool or an eval file: the cases it reruns appear here.")
    names = ", ".join(f"`{file.rsplit('/', 1)[-1]}`" for file in files[:MOST_FILES])
    more = f" and {len(files) - MOST_FILES:,} more" if len(files) > MOST_FILES else ""
    saved = f"{names}{more} {'was' if len(files) == 1 else 'were'} saved"
    broken = unread_files(session.store.problems.mistakes)
    if broken.issuperset(files):
        return (f"{saved} and cannot be read, so nothing ran.", "4 says what is wrong.")
    if board.is_save_running:
        return (f"{saved}: affected cases appear here as they finish.",)
    reach = board.headline.reach
    if reach is not None and reach.is_any:
        due = count(reach.affected + reach.possibly, "case")
        return (f"{saved}: {due} affected, none of them run yet.", "R runs what is due.")
    return (f"{saved} and changed no result: every case is as before.",)


def folded(headings: int, what: str = "suite") -> tuple[str, ...]:
    """For the cases pane where only headings are left; `what` they are of."""
    if headings == 1:
        return (f"This {what} is folded: `l` shows its cases.",)
    return (f"Every {what} is folded: `l` shows the cases of the one under the cursor.",)


def empty_line(sentences: Sequence[str], y: int, width: int, look: Look) -> list[Segment]:
    """Line `y` of an empty list, exactly `width` cells: the first sentence is the loudest."""
    lines = [
        sentence[start:end]
        for sentence in (sanitize(text, look.is_ascii) for text in sentences)
        for start, end in breaks(sentence, max(8, width - 4))
    ]
    text = lines[y - 1] if 1 <= y <= len(lines) else ""
    style = look.style("foreground" if y == 1 else "quiet", "background")
    if "`" not in text or not look.has_color:
        return [Segment(fit(f"  {text}", width, look.symbols.cut), style)]
    code = look.style("strong", "background", bold=True)
    before = "".join(lines[: y - 1]).count("`")  # a line may begin between two of them
    pieces = f"  {text}".split("`")
    parts = [
        Segment(piece, code if (before + at) % 2 else style) for at, piece in enumerate(pieces)
    ]
    rest = width - sum(width_of(piece) for piece in pieces)
    return [*parts, Segment(" " * max(0, rest), style)]


_NONE = {
    View.ALL: "No cases.",
    View.DIFFERS: "No case passes with one agent and fails with another.",
    View.PROBLEMS: "No problems: nothing failed, nothing had an error.",
    View.REGRESSIONS: "No regressions: nothing that passed in the baseline fails now.",
    View.DUE: "Nothing is due: every result is for the files as they are.",
    View.OUTDATED: "Nothing is outdated: every suite was written for its tool as it is.",
    View.FLAKY: "No flaky cases. x runs a case several times to find out.",
    View.SAVE: "No save and no key has run anything yet.",
    View.MUTED: "No case is muted. m mutes one, so that its failures do not count.",
}
