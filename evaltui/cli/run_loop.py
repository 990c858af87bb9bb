"""`evaltui run-loop`: a program proposes and repairs, judges judge, and the evidence is kept."""

import asyncio
from argparse import Namespace
from math import isfinite
from pathlib import Path

from evaltui.child import command_words
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.pack_trust import command_grant, judge_grants, remember
from evaltui.cli.run_suite import judge_configs, said, seed, told_of_run
from evaltui.cli.structured import answer, structured
from evaltui.cli.suite_flags import add_run_flags
from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.traces.reading import read_suite_file
from evaltui.traces.wire import pretty

MODE = "propose_execute_repair"


def add(add_command: AddCommand) -> None:
    parser = add_command("run-loop", help="have a program propose and repair, and judge it")
    add = parser.add_argument
    add("--suite", required=True, type=Path, metavar="FILE", help="the suite of traces")
    add("--out", required=True, type=Path, metavar="DIR", help="where the evidence is written")
    add("--propose-command", required=True, metavar="COMMAND", help="asked for each attempt")
    add("--repair-command", metavar="COMMAND", help="asked instead after the first attempt")
    add("--max-repairs", type=int, default=2, metavar="N", help="attempts after the first; 2")
    add("--command-timeout-seconds", type=float, default=30, metavar="S", help="of an attempt; 30")
    what = "an attempt fails that calls a tool of which no response is written down"
    add("--strict-side-effects", action="store_true", help=what)
    add("--keep", choices=("last", "best"), default="last", help="of failed attempts; last")
    add("--concurrency", type=int, default=1, metavar="N", help="cases at once; 1")
    add("--seed", default="0", metavar="N", help="told of the run")
    add_run_flags(parser)
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    """Exit code 0 also when cases failed."""
    from evaltui.core.case import Case
    from evaltui.core.check import Stage
    from evaltui.evidence.run_config import RunConfig
    from evaltui.evidence.score_suite import score_suite
    from evaltui.traces.repair_loop import LoopOptions, run_loop

    limit_s = flags.command_timeout_seconds
    if flags.max_repairs < 0 or flags.concurrency < 1 or not (isfinite(limit_s) and limit_s > 0):
        raise UserError("A number of the flags is too small.", "Correct it.")
    options = LoopOptions(
        _words(flags.propose_command),
        _words(flags.repair_command) if flags.repair_command else (),
        max_repairs=flags.max_repairs,
        limit_s=limit_s,
        strict_side_effects=flags.strict_side_effects,
        keeps_best=flags.keep == "best",
    )
    suite = read_suite_file(flags.suite)
    execution = {
        "propose_command": flags.propose_command,
        "repair_command": flags.repair_command,
        "max_repairs": flags.max_repairs,
        "command_timeout_seconds": limit_s,
        "strict_side_effects": flags.strict_side_effects,
        "keep": flags.keep,
    }
    config = RunConfig(
        suite.dataset_id,
        (),
        seed=seed(flags.seed),
        judge_configs=judge_configs(flags.judge_config),
        execution_mode=MODE,
        execution_config=execution,
        **told_of_run(flags),
    )

    async def played(case: Case, stage: Stage) -> Case:
        return await run_loop(case, stage, options, cwd=Path.cwd())

    scored = asyncio.run(
        score_suite(
            suite,
            flags.out,
            config,
            judges=flags.judge,
            folder=Path.cwd(),
            played=played,
            concurrency=flags.concurrency,
        )
    )
    commands = [one for one in (options.propose, options.repair) if one]
    grants = (*(command_grant(one, "run-loop") for one in commands),)
    remember(flags.out, (*grants, *judge_grants(flags.judge, config.judge_configs)))
    if flags.summary_json is not None:
        write_atomic(flags.summary_json, pretty(scored.summary))
    told = {"run_id": scored.run_id, "summary": scored.summary, "execution_mode": MODE}
    answer(told, flags, said(scored.run_id, scored.summary, flags.out))
    return ExitCode.OK


def _words(command: str) -> tuple[str, ...]:
    try:
        words = tuple(command_words(command))
    except ValueError as error:
        raise UserError(f"`{command}` is no command: {error}.", "Close the quote.") from None
    if not words:
        raise UserError("The command is empty.", "Name a program.")
    return words
