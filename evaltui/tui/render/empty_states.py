"""What empty panes teach: what would be here, and what brings it."""

from evaltui.store.board import Board
from evaltui.tui.render.words import count
from evaltui.tui.session_protocol import SessionProtocol
from evaltui.tui.view import View


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
            return (_NONE[view], "F shows the next view; Esc shows all cases.")
        return ("This suite has no cases.", "Esc shows all suites.")
    if not session.store.read_at:
        return ("Reading the project…",)
    if any(suite.cases for suite in session.store.suites):
        return ("Reading the last results…",)
    if session.store.suites:
        return ("The eval files hold no cases.", "4 shows what is wrong with them.")
    problems = len(session.store.problems)
    mistakes = f"{count(problems, 'problem')} in settings or files: 4 says what and where."
    return (
        "No eval files here yet.",
        *([mistakes] if problems else []),
        "",
        "Looked for *.golden.json, *.labeled.json, *.regression.json and the like.",
        "evaltui demo  opens a project that works, to look at and copy from",
        "evaltui init  writes evaltui.toml with what is found in this folder",
        "Files that appear are picked up at once; ? shows every key, q quits.",
    )


_NONE = {
    View.ALL: "No cases.",
    View.DIFFERS: "No case that one agent passes and another fails.",
    View.PROBLEMS: "No problems: nothing failed, nothing had an error.",
    View.REGRESSIONS: "No regressions: nothing that passed in the baseline fails now.",
    View.STALE: "Nothing is stale: every result is about the files as they are.",
    View.FLAKY: "No flaky cases. x runs a case several times to find out.",
}
