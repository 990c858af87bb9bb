"""`evaltui replay`: judges the traces of a pack again; exit code 0 when all is as it was."""

import asyncio
from argparse import Namespace
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.pack_trust import add_given_again, add_trust, judge_grants, require
from evaltui.cli.run_suite import judge_configs
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.traces.wire import pretty


def add(add_command: AddCommand) -> None:
    parser = add_command("replay", help="judge the traces of an evidence pack again")
    add = parser.add_argument
    add("--run", required=True, type=Path, metavar="DIR", help="evidence pack")
    add("--out", type=Path, metavar="FILE", help="default: compare/replay_report.json in the pack")
    add_given_again(parser)
    add_trust(parser)
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    from evaltui.cli.own_evaluators import of_pack
    from evaltui.evidence.packs.pack_documents import read_config
    from evaltui.evidence.packs.pack_folder import inside
    from evaltui.evidence.replaying import kept_configs, replay

    config = read_config(flags.run)
    out = flags.out or inside(flags.run, flags.run / "compare" / "replay_report.json")
    given = judge_configs(flags.judge_config) if flags.judge_config else None
    grants = judge_grants(config.get("judges") or (), kept_configs(config, given))
    require(flags.run, grants, is_trusted=flags.trust)

    async def replayed() -> dict[str, Any]:
        async with of_pack(flags.run, flags) as evaluators:
            return await replay(flags.run, judge_configs=given, evaluators=evaluators)

    report = asyncio.run(replayed())
    write_output(out, pretty(report))
    lines = [f"replay of {report['run_id']}: {'passed' if report['replay_passed'] else 'failed'}"]
    if not report["summary_match"]:
        lines.append("  the summary differs")
    lines += [f"  case {one['case_id']}: a different verdict" for one in report["case_mismatches"]]
    lines += [
        f"  case {one['case_id']}: {', '.join(one['judges'])} judged differently"
        for one in report["verdict_mismatches"]
    ]
    lines += [f"  {one['path']}: {one['problem']}" for one in report["file_mismatches"]]
    lines += [
        f"  {one['key']}: {one['pinned']}, now {one['current']}" for one in report["env_mismatches"]
    ]
    answer({**report, "out": str(out)}, flags, "\n".join([*lines, f"Report: {out}"]))
    return ExitCode.OK if report["replay_passed"] else ExitCode.FAILED
