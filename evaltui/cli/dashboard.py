"""`evaltui`: the dashboard; without a terminal the same evals, plain."""

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.settings import given, read_settings, start_folder
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import UserError
from evaltui.disk.last_screen import LastScreen, read_last_screen
from evaltui.disk.own_folder import leading_out, own_folder
from evaltui.files import is_file
from evaltui.process import look_for_no_garbage
from evaltui.settings.flags import seen_from
from evaltui.settings.folders import folders_upward
from evaltui.settings.profiles import choose

if TYPE_CHECKING:
    from evaltui.tui.sessions.session_protocol import SessionProtocol


def run(flags: Namespace) -> int:
    """Open the dashboard: its first frame with what the last session left, then the settings.

    Raises UserError when the folder or a replay file is missing, or that is no recorded run.
    """
    replay = Path(flags.replay) if flags.replay else None
    if replay is not None and not is_file(replay):
        raise UserError(f"There is no recorded run `{replay}`.", "Runs are in `.evaltui/runs`.")
    if pack := getattr(flags, "pack", None):
        from evaltui.cli.pack_dashboard import show_pack

        return show_pack(flags, pack)
    if not is_shown():
        return _run_plain(flags) if replay is None else _play_plain(replay)
    last = last_config(flags)
    look_for_garbage = look_for_no_garbage()
    try:
        from evaltui.tui.sessions.offline_session import OfflineSession
        from evaltui.tui.start import run_dashboard

        session = OfflineSession(last, is_replay=replay is not None)
        return ExitCode(
            run_dashboard(
                session,
                load_session=lambda: _load_session(flags, session, is_replay=replay is not None),
                on_painted=look_for_garbage,
                replay=replay,
                guide=getattr(flags, "guide", False),
                ascii=flags.ascii,
            )
        )
    finally:
        look_for_garbage()


def is_shown() -> bool:
    """Whether there is a terminal, or a browser in its place: who serves it names the driver."""
    return "TEXTUAL_DRIVER" in os.environ or (sys.stdout.isatty() and sys.stdin.isatty())


def last_config(flags: Namespace) -> Config:
    """What the last session left, under the flags. Raises UserError when there is no folder."""
    start = start_folder(flags)
    flag = given(flags)
    if "config" in flag:
        root = seen_from(str(flag["config"]), start).parent
    else:
        has_record = (folder for folder in folders_upward(start) if own_folder(folder).is_dir())
        root = next(has_record, start)
    # Nobody agreed to anything yet: what a link out of the project leads to is not read.
    kept = LastScreen() if leading_out(root) else read_last_screen(own_folder(root))
    config = kept.config(root)
    if flags.theme:
        config = replace(config, theme=flags.theme)
    if "agent" in flag:
        wanted = flags.agent[0]
        found = choose(wanted, {})
        agent = AgentProfile(wanted) if isinstance(found, str) else found
        config = replace(config, agents=(agent,))
    return config


def _load_session(
    flags: Namespace, before: "SessionProtocol", *, is_replay: bool
) -> "SessionProtocol":
    """Read the settings and make what takes the place of the session before. In a thread."""
    read = read_settings(flags, lenient=True)
    if is_replay:
        from evaltui.tui.sessions.offline_session import OfflineSession

        return OfflineSession(read.config, before.store, is_replay=True)
    from threading import Thread

    from evaltui.session import Session
    from evaltui.tui.screen_keeper import ScreenKeeper
    from evaltui.tui.start import show_last_results
    from evaltui.watch import load_watchfiles

    # Beside the reading of the project, so that the first save does not wait for it.
    if not read.config.watch.poll:
        Thread(target=load_watchfiles, name="evaltui-load", daemon=True).start()
    is_same = _board(read.config) == _board(before.config)
    session = Session(
        read.config,
        overrides=read.overrides,
        problems=read.problems,
        store=before.store if is_same else None,
    )
    if not is_same:
        show_last_results(session)
    session.add_sink(ScreenKeeper(session, read.overrides))
    return session


def _board(config: Config) -> tuple[Path, str]:
    """Whose last results are shown until the project is read."""
    return config.root, LastScreen.of(config).agent


def _play_plain(replay: Path) -> int:
    """Print what a recorded run would have printed; nothing is asked, and nothing is written."""
    from evaltui.disk.journal.journal_reading import read_events
    from evaltui.reporters import make_reporter

    reporter = make_reporter("console", sys.stdout)
    try:
        for event in read_events(replay):
            reporter.handle(event)
    finally:
        reporter.close()
    return ExitCode.OK


def _run_plain(flags: Namespace) -> int:
    from evaltui.cli.parser import parse
    from evaltui.cli.run import run as run_cases

    options = parse(["run"])
    for name, value in vars(flags).items():
        if name not in ("command", "version"):
            setattr(options, name, value)
    return run_cases(options)
