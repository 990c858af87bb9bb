"""`evaltui PACK`: the dashboard over an evidence pack; without a terminal what it says, plain."""

import sys
from argparse import Namespace
from pathlib import Path

from evaltui.cli.dashboard import is_shown, last_config
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.settings import read_settings
from evaltui.core.errors import UserError
from evaltui.core.result import CaseStatus
from evaltui.evidence.packs.pack_reading import ReadPack, is_pack, read_pack
from evaltui.reporters.ansi import plain_lines


def show_pack(flags: Namespace, path: Path) -> int:
    """Open it, to be read only. Raises UserError for what is no pack."""
    if flags.replay:
        raise UserError("`--replay` plays a recorded run.", "Name either that or a pack.")
    if not is_pack(path):
        hint = "A pack has `manifest.json`; `evaltui -C DIR` opens the project in a folder."
        raise UserError(f"`{path}` is not an evidence pack.", hint)
    if not is_shown():
        pack = read_pack(path)
        sys.stdout.write("\n".join(plain_lines(_said(pack))) + "\n")
        return ExitCode.FAILED if pack.problems else ExitCode.OK
    from evaltui.tui.sessions.pack_session import PackSession
    from evaltui.tui.sessions.session_protocol import SessionProtocol
    from evaltui.tui.start import run_dashboard

    session = PackSession(last_config(flags), path)

    def load() -> SessionProtocol:
        return PackSession(read_settings(flags, lenient=True).config, path, session.store)

    return ExitCode(run_dashboard(session, load_session=load, ascii=flags.ascii))


def _said(pack: ReadPack) -> str:
    failed = [one for one in pack.results if one.status is not CaseStatus.PASSED]
    lines = [f"{pack.run_id}: {len(pack.results) - len(failed)} of {len(pack.results)} passed"]
    if pack.problems:
        lines.append("It is not as it was written, so that nothing of this can be relied on:")
        lines += [f"  {one}" for one in pack.problems]
    lines += [f"  {one.key.case}: {one.error}" for one in failed]
    if (gate := pack.gate) is not None:
        word = "passed" if gate.passed else "failed"
        lines.append(f"gate {'not decided' if gate.is_outdated else word}")
        lines += [f"  {one}" for one in gate.failures]
    return "\n".join(lines)
