"""Starting the dashboard: paint, then open the project; leave a few lines behind on the way out."""

import asyncio
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError, Problem, UserError
from evaltui.core.events import CaseMuted, ProblemFound, ResultsLoaded
from evaltui.core.mutes import in_force
from evaltui.core.watch_state import WatchState
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.own_folder import leading_out, own_folder
from evaltui.files import is_file
from evaltui.process import answer_keys_soon, end_on_signals
from evaltui.settings.keymap import make_keymap
from evaltui.tui.app import DashboardApp
from evaltui.tui.log import EventLog
from evaltui.tui.screens.dashboard import DashboardScreen
from evaltui.tui.sessions.session_protocol import SessionProtocol, first_agent
from evaltui.tui.terminal.terminal_deaf import deafness_watcher
from evaltui.tui.terminal.terminal_hangup import watch_for_hangup
from evaltui.tui.terminal.terminal_modes import terminal_restorer

CRASHED = 3
_MOST_LINES = 100
"""Of a terminal whose size is not known."""
_PLACELESS = ("dumb", "unknown")
LoadSession: TypeAlias = Callable[[], SessionProtocol]
"""Reads the settings and makes the session that takes the place of the first; in a thread.

May raise UserError, which ends the dashboard.
"""


def make_app(
    session: SessionProtocol,
    *,
    load_session: LoadSession | None = None,
    on_painted: Callable[[], None] = lambda: None,
    replay: Path | None = None,
    guide: bool = False,
    is_ascii: bool = False,
    theme: str | None = None,
) -> DashboardApp:
    """The application over any session; before the first frame only the last results are read.

    With `load_session` another one takes its place once that frame has been painted, and what it
    had no time for is there: then `on_painted` is called.
    """
    config = session.config
    if not replay and session.state is not WatchState.PACK:
        show_last_results(session)
    keymap = make_keymap(config.keys_preset, config.keys)
    log = EventLog(session.store)
    session.add_sink(log)

    def opened(app: DashboardApp) -> None:
        app.live = app.run_worker(
            _live(app, load_session, on_painted, replay), name="session", exit_on_error=True
        )
        if guide:
            from evaltui.tui.panes.guide import open_guide

            open_guide(app.dashboard)

    return DashboardApp(
        session,
        lambda: DashboardScreen(session, keymap, log),
        opened,
        theme=theme or config.theme,
        is_ascii=is_ascii,
    )


def run_dashboard(
    session: SessionProtocol,
    *,
    load_session: LoadSession | None = None,
    on_painted: Callable[[], None] = lambda: None,
    replay: Path | None = None,
    guide: bool = False,
    ascii: bool = False,
) -> int:
    """Show the dashboard until it is left. Returns the exit code: 0, 3 after a bug, 128 and its
    number after a signal.

    `replay` plays a recorded run with its own timing; nothing is watched or run then. Raises
    UserError when `load_session` does, and for a terminal in which nothing can be placed.
    """
    if "TEXTUAL_DRIVER" not in os.environ and (kind := os.environ.get("TERM", "")) in _PLACELESS:
        said = f"No dashboard can be drawn here: `TERM` is `{kind}`, which cannot move the cursor."
        raise UserError(
            said, "Set it to what the terminal is, e.g. `TERM=xterm-256color`; or `evaltui run`."
        )
    app = make_app(
        session,
        load_session=load_session,
        on_painted=on_painted,
        replay=replay,
        guide=guide,
        is_ascii=ascii,
    )
    answer_keys_soon()
    try:
        code = asyncio.run(_run(app))
    except Exception:
        if not app.left_by:
            _crashed(app.session, traceback.format_exc())
            return CRASHED
        code = None
    if app.refused is not None:
        raise app.refused
    if app.return_code and not app.left_by:
        _crashed(app.session, "")
        return CRASHED
    if app.is_web:  # the terminal is that of the server, and shows what it prints
        return code or 0
    from evaltui.tui.exit_summary import exit_summary

    with suppress(OSError):  # after a hangup there is nobody to read it
        columns, rows = shutil.get_terminal_size((100, 24))
        for line in exit_summary(app.session, columns, rows - 1):  # one for the prompt
            sys.stderr.write(line + "\n")
    return 128 + app.left_by if app.left_by else code or 0


async def _run(app: DashboardApp) -> int | None:
    restore = terminal_restorer()
    watch_for_hangup(end_on_signals(app.leave_by, restore, deafness_watcher(restore)))
    try:
        return await app.run_async()
    finally:
        await app.close_session()


def show_last_results(session: SessionProtocol) -> None:
    """The board as an earlier process left it: the rows that are in sight, and counts of all."""
    root = session.config.root
    if leading_out(root):
        return
    found = read_first_results(
        own_folder(root),
        first_agent(session),
        shutil.get_terminal_size((100, _MOST_LINES)).lines,
        is_there=lambda suite: is_file(root / suite),
    )
    if found is not None:
        for name, reason in _last_mutes(session).items():
            session.emit(CaseMuted(CaseKey.parse(name), reason))
        session.emit(
            ResultsLoaded(
                found.agent,
                found.results,
                found.strips,
                found.numbered,
                found.counts,
                found.newest_at,
            )
        )


def _last_mutes(session: SessionProtocol) -> Mapping[str, str]:
    """Reasons by `suite::case`; what cannot be read now is told once the project is read."""
    from evaltui.disk.mutes import FILE, reread_mutes

    settings = session.config.mutes
    try:
        return in_force(settings, reread_mutes(own_folder(session.config.root) / FILE))
    except (OSError, ValueError, RecursionError):
        return settings


async def _live(
    app: DashboardApp,
    load_session: LoadSession | None,
    on_painted: Callable[[], None],
    replay: Path | None,
) -> None:
    await app.dashboard.controller.layout.mount_detail_panes()
    on_painted()
    session = app.session
    if load_session is not None:
        try:
            # In a thread, so that keys pressed meanwhile are answered.
            session = await asyncio.to_thread(load_session)
        except UserError as error:
            app.refused = error
            app.exit()
            return
        _use_session(app, session)
    if replay is not None:
        from evaltui.tui.sessions.replay import play

        try:
            await play(replay, session, app.dashboard.controller.show_time)
        except UserError as error:
            for problem in error.problems:
                session.emit(ProblemFound(problem))
            app.dashboard.controller.warn(str(error))
        return
    try:
        await session.open()
        app.dashboard.controller.opened()
        app.dashboard.controller.pump.wake()
        if not session.is_trusted:
            from evaltui.tui.actions.app import trust

            trust(app.dashboard.controller)
        await session.watch()
    except EvaltuiError as error:
        app.dashboard.controller.opened()
        session.emit(ProblemFound(Problem("", str(error), "", code="start")))
        app.dashboard.controller.warn(str(error))
    except asyncio.CancelledError:
        raise
    finally:
        await session.close()


def _use_session(app: DashboardApp, session: SessionProtocol) -> None:
    """From now on show this session, by its settings."""
    before, now = app.session.config, session.config
    if (now.keys_preset, now.keys) != (before.keys_preset, before.keys):
        app.dashboard.use_keymap(make_keymap(now.keys_preset, now.keys))
    if now.theme != before.theme:
        app.use_theme(now.theme)
    app.session = session
    app.dashboard.controller.use_session(session)


def _crashed(session: SessionProtocol, trace: str) -> None:
    from evaltui.disk.journal.journal import newest_journal

    journal = newest_journal(own_folder(session.config.root) / "runs")
    kept = f"What was running is in {journal}." if journal is not None else ""
    sys.stderr.write(f"{trace}\nevaltui stopped because of a bug in it. {kept}\n")
