"""`evaltui replay-exec`: runs the programs of a repair loop again; 0 when all is as it was."""

import asyncio
from argparse import Namespace
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.pack_trust import add_given_again, add_trust, command_grant, judge_grants, require
from evaltui.cli.run_suite import judge_configs
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.traces.loop_options import refuse_missing
from evaltui.traces.wire import pretty


def add(add_command: AddCommand) -> None:
    parser = add_command("replay-exec", help="run the programs of a repair loop again")
    add = parser.add_argument
    add(
        "--run", required=True, type=Path, metavar="DIR", help="evidence pack that `run-loop` wrote"
    )
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="default: compare/replay_exec_report.json in the pack",
    )
    for name in ("propose-command", "repair-command"):
        add(
            f"--{name}",
            metavar="COMMAND",
            help="the same command, needed if it holds a secret, which is not kept",
        )
    add_given_again(parser)
    add_trust(parser)
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    from evaltui.cli.own_evaluators import of_pack
    from evaltui.evidence.packs.pack_documents import read_config
    from evaltui.evidence.packs.pack_folder import inside
    from evaltui.evidence.replaying import kept_configs
    from evaltui.evidence.replaying_exec import loop_commands, replay_exec

    config = read_config(flags.run)
    out = flags.out or inside(flags.run, flags.run / "compare" / "replay_exec_report.json")
    given = {
        "propose_command": flags.propose_command,
        "repair_command": flags.repair_command,
        "judge_configs": judge_configs(flags.judge_config) if flags.judge_config else None,
    }
    commands = loop_commands(config, given)
    grants = (
        *(command_grant(one, "run-loop") for one in commands),
        *judge_grants(config.get("judges") or (), kept_configs(config, given["judge_configs"])),
    )
    require(flags.run, grants, is_trusted=flags.trust)
    refuse_missing(commands)

    async def replayed() -> dict[str, Any]:
        async with of_pack(flags.run, flags) as own:
            return await replay_exec(flags.run, cwd=Path.cwd(), given=given, evaluators=own)

    report = asyncio.run(replayed())
    write_output(out, pretty(report))
    passed = report["execution_replay_passed"]
    lines = [f"execution replay of {report['run_id']}: {'passed' if passed else 'failed'}"]
    lines += [f"  case {one['case_id']}: a different verdict" for one in report["case_mismatches"]]
    lines += [f"  case {one['case_id']}: a different trace" for one in report["trace_mismatches"]]
    lines += [
        f"  {one['key']}: {one['pinned']}, now {one['current']}" for one in report["env_mismatches"]
    ]
    answer({**report, "out": str(out)}, flags, "\n".join([*lines, f"Report: {out}"]))
    return ExitCode.OK if passed else ExitCode.FAILED
