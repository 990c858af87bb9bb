"""`evaltui stability-check`: exit code 1 when a case passes now and then."""

import asyncio
from argparse import Namespace
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.named_suite import read_named_suite
from evaltui.cli.pack_trust import add_trust
from evaltui.cli.run_suite import agreed_configs, warnings_of
from evaltui.cli.structured import answer, reading_flags, structured
from evaltui.core.errors import UserError
from evaltui.disk.outputs import write_output
from evaltui.traces.loop_options import MODE, loop_options, refuse_missing
from evaltui.traces.wire import pretty

SCORE = "trace_score"


def add(add_command: AddCommand) -> None:
    parser = add_command("stability-check", help="find cases that pass only sometimes")
    add = parser.add_argument
    add("--suite", required=True, type=Path, metavar="FILE", help="the suite of traces")
    add("--runs", type=int, default=5, metavar="N", help="number of runs (default: %(default)s)")
    modes = (SCORE, MODE)
    add(
        "--execution-mode",
        choices=modes,
        default=SCORE,
        help="judge the same traces each time, or play each run",
    )
    add("--propose-command", metavar="COMMAND", help="command to run for each attempt")
    add("--repair-command", metavar="COMMAND", help="command to run for attempts after the first")
    add(
        "--max-repairs",
        type=int,
        default=2,
        metavar="N",
        help="attempts after the first (default: %(default)s)",
    )
    add(
        "--command-timeout-seconds",
        type=float,
        default=30,
        metavar="S",
        help="seconds for one attempt (default: %(default)s)",
    )
    what = "fail an attempt that calls a tool without a recorded response"
    add("--strict-side-effects", action="store_true", help=what)
    what = "quarantine a case that passes less often than this (default: %(default)s)"
    add("--quarantine-min-pass-rate", type=float, default=0.98, metavar="R", help=what)
    add("--out", type=Path, metavar="FILE", help="write the report to this file too")
    add("--judge", action="append", default=[], metavar="NAME", help="only this judge; repeatable")
    add("--judge-config", type=Path, metavar="FILE", help="settings of judges: {judge: {…}}")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary to this file too")
    add_trust(parser)
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    from evaltui.cli.own_evaluators import of_suite
    from evaltui.core.case import Case
    from evaltui.core.check import Stage
    from evaltui.evidence.gates.stability import check_stability
    from evaltui.traces.repair_loop import Looped, run_loop

    plays = flags.execution_mode == MODE
    names = ("propose_command", "repair_command", "max_repairs", "command_timeout_seconds")
    execution = {name: getattr(flags, name) for name in (*names, "strict_side_effects")}
    with reading_flags():
        if plays and not flags.propose_command:
            raise UserError(f"{MODE} needs --propose-command.", "Name a program.")
        if not 0 <= flags.quarantine_min_pass_rate <= 1:
            hint = "Correct --quarantine-min-pass-rate."
            raise UserError("A pass rate is between 0 and 1.", hint)
        options = loop_options(execution) if plays else None
    configs = agreed_configs(flags)
    refuse_missing(options.commands if options else ())
    suite = read_named_suite(flags.suite)
    warnings = warnings_of(suite, flags, configs)

    async def checked() -> dict[str, Any]:
        async with of_suite(suite, flags) as own:

            async def played(case: Case, stage: Stage) -> Looped:
                assert options is not None
                return await run_loop(case, stage, options, cwd=Path.cwd(), evaluators=own)

            return await check_stability(
                suite,
                runs=flags.runs,
                judges=flags.judge,
                judge_configs=configs,
                mode=flags.execution_mode,
                played=played if plays else None,
                quarantine_below=flags.quarantine_min_pass_rate,
                evaluators=own,
            )

    report = asyncio.run(checked())
    for place, document in ((flags.out, report), (flags.summary_json, report["summary"])):
        if place is not None:
            write_output(place, pretty(document))
    flaky = report["flaky_case_ids"]
    lines = [f"{flags.runs} runs: {len(flaky)} cases pass only sometimes"]
    lines += [f"  {id_}" for id_ in flaky]
    answer(report, flags, "\n".join(lines), warnings)
    return ExitCode.FAILED if flaky else ExitCode.OK
