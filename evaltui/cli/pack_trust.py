"""What judging a pack again would run, and whether this machine's user agreed to it.

Commands that were typed are agreed to; that is remembered for the pack that came of them, outside
of it. A pack from elsewhere runs nothing without `--trust`, nor does a judge that is code.
"""

import shlex
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaltui.child.interpreter import own_python
from evaltui.core.errors import Problem, UserError
from evaltui.core.permit import EVERYTHING, Grant, Permit, grant
from evaltui.core.shown_secret import shown_command
from evaltui.disk.trusted import read_agreement, write_agreement
from evaltui.project.trust import is_agreed_by_environment
from evaltui.traces.judges import plugins_among
from evaltui.traces.judges.lean import LeanJudge, lean_command


def add_trust(parser: ArgumentParser) -> None:
    what = "agree, for this command, to the programs and judges that it would run"
    parser.add_argument("--trust", action="store_true", help=what)


def add_given_again(parser: ArgumentParser) -> None:
    what = "settings of judges, needed if they hold a secret, which is not kept"
    parser.add_argument("--judge-config", type=Path, metavar="FILE", help=what)


def judge_grants(judges: Sequence[str], configs: Mapping[str, Any]) -> tuple[Grant, ...]:
    """The programs that judges would run, and the judges that are code of somebody else's."""
    found = list(plugin_grants(judges))
    if LeanJudge.name in judges and (command := lean_command(configs.get(LeanJudge.name))):
        found.append(command_grant(command, "judge lean"))
    return tuple(found)


def plugin_grants(judges: Sequence[str]) -> tuple[Grant, ...]:
    """Code of this folder and of its packages: whoever names it need not know what it does."""
    root = Path.cwd()
    python = own_python(root)
    exact, where = [str(root), *([python] if python else [])], f" in `{python}`" if python else ""
    return tuple(
        grant("run", ["judge", name, *exact], f"the judge `{name}`{where}", by="judge")
        for name in plugins_among(judges, root)
    )


def command_grant(words: Sequence[str], by: str) -> Grant:
    """It runs in this folder: the same words are another program in another one."""
    return grant("run", [*words, str(Path.cwd())], shown_command(shlex.join(words)), by=by)


def remember(pack: Path, grants: Sequence[Grant]) -> None:
    """That the commands of this pack were typed here. Where it cannot be kept, it is asked for."""
    if not grants:
        return
    try:
        write_agreement(pack, grants)
    except OSError:
        return


def require(pack: Path, grants: Sequence[Grant], *, is_trusted: bool, who: str = "") -> None:
    """Raises UserError, with what `who`, the pack without it, would run, unless somebody agreed."""
    everything = is_trusted or is_agreed_by_environment()
    permit = EVERYTHING if everything else Permit(read_agreement(pack))
    if missing := permit.missing(grants):
        reasons = "; ".join(map(str, missing))
        what = f"{who or f'`{pack}`'} names programs that nobody here agreed to: it {reasons}."
        raise UserError(what, "`--trust` agrees.", [Problem("", str(one)) for one in missing])


def remember_merged(packs: Sequence[Path], out: Path) -> None:
    """Of parts of a run what was agreed to for each of them."""
    from evaltui.evidence.packs.pack_documents import read_config

    config = read_config(out)
    grants = judge_grants(config.get("judges") or (), config.get("judge_configs") or {})
    if not any(Permit(read_agreement(pack)).missing(grants) for pack in packs):
        remember(out, grants)
