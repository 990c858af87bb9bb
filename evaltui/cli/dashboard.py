"""`evaltui`: the dashboard; without a terminal the same evals, plain."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.settings import read_settings
from evaltui.core.errors import UserError

if TYPE_CHECKING:
    from evaltui.session import Session
    from evaltui.store.store import Store


def run(flags: Namespace) -> int:
    """Open the dashboard. Raises UserError when a replay file is missing."""
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        return _plain(flags)
    replay = Path(flags.replay) if flags.replay else None
    if replay is not None and not replay.is_file():
        raise UserError(f"There is no recorded run `{replay}`.", "Runs are in `.evaltui/runs`.")
    read = read_settings(flags, lenient=True)
    from evaltui.tui.offline_session import OfflineSession
    from evaltui.tui.start import run_dashboard

    def load_session(store: "Store") -> "Session":
        from threading import Thread

        from evaltui.session import Session
        from evaltui.watch import load_watchfiles

        # Beside the reading of the project, so that the first save does not wait for it.
        if not read.config.watch.poll:
            Thread(target=load_watchfiles, name="evaltui-load", daemon=True).start()
        return Session(read.config, overrides=read.overrides, problems=read.problems, store=store)

    return ExitCode(
        run_dashboard(
            OfflineSession(read.config),
            load_session=load_session,
            replay=replay,
            guide=getattr(flags, "guide", False),
            ascii=flags.ascii,
            theme=flags.theme,
        )
    )


def _plain(flags: Namespace) -> int:
    from evaltui.cli.parser import parse
    from evaltui.cli.run import run as run_cases

    options = parse(["run"])
    for name, value in vars(flags).items():
        if name not in ("command", "version"):
            setattr(options, name, value)
    return run_cases(options)
