"""`evaltui run-loop`: a program proposes and repairs, judges judge, and the evidence is kept."""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.git_unasked import agreed_or_told
from evaltui.cli.named_suite import read_named_suite
from evaltui.cli.pack_trust import add_trust, command_grant, judge_grants, remember
from evaltui.cli.run_suite import agreed_configs, run_metadata, said, seed, warnings_of
from evaltui.cli.structured import answer, reading_flags, structured
from evaltui.cli.suite_flags import add_run_flags
from evaltui.core.errors import UserError
from evaltui.disk.outputs import write_output
from evaltui.traces.loop_options import MODE, kept_commands, loop_options, refuse_missing
from evaltui.traces.typed_secrets import without_secrets
from evaltui.traces.wire import pretty


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "run-loop", help="have a program propose and repair answers, and judge them"
    )
    add = parser.add_argument
    add("--suite", required=True, type=Path, metavar="FILE", help="the suite of traces")
    add(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder to write the evidence pack to",
    )
    add(
        "--propose-command",
        required=True,
        metavar="COMMAND",
        help="command to run for each attempt",
    )
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
    add(
        "--keep",
        choices=("last", "best"),
        default="last",
        help="which failed attempt to keep (default: %(default)s)",
    )
    add(
        "--concurrency",
        type=int,
        default=1,
        metavar="N",
        help="cases to run at the same time (default: %(default)s)",
    )
    what = "continue an interrupted run to the same --out"
    add("--resume", action="store_true", help=what)
    add("--seed", default="0", metavar="N", help="seed to record in the evidence")
    add_run_flags(parser)
    add_trust(parser)
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    """Exit code 0 also when cases failed."""
    from evaltui.agents.own_files import content_of, scripts_of
    from evaltui.cli.own_evaluators import of_suite
    from evaltui.core.case import Case
    from evaltui.core.check import Stage
    from evaltui.evidence.gates.attestation import attest_by_environment
    from evaltui.evidence.judge_code import code_of_judges
    from evaltui.evidence.kept_loops import KeptLoops, refuse_finished
    from evaltui.evidence.run_config import RunConfig
    from evaltui.evidence.score_suite import Scored, score_suite
    from evaltui.traces.judges import stage_of
    from evaltui.traces.repair_loop import Looped, judged_again, run_loop

    execution = {
        "propose_command": flags.propose_command,
        "repair_command": flags.repair_command,
        "max_repairs": flags.max_repairs,
        "command_timeout_seconds": flags.command_timeout_seconds,
        "strict_side_effects": flags.strict_side_effects,
        "keep": flags.keep,
    }
    with reading_flags():
        if flags.concurrency < 1:
            raise UserError("`--concurrency` is at least 1.", "Correct it.")
        options, number = loop_options(execution), seed(flags.seed)
        if flags.resume:
            refuse_finished(flags.out, flags.run_id)
    configs = agreed_configs(flags)
    refuse_missing(options.commands)
    suite = read_named_suite(flags.suite)
    warnings = warnings_of(suite, flags, configs)
    config = RunConfig(
        suite.dataset_id,
        (),
        seed=number,
        judge_configs=configs,
        execution_mode=MODE,
        execution_config={**execution, **kept_commands(execution)},
        **run_metadata(flags),
        is_agreed=agreed_or_told(flags),
    )

    asked = {**execution, **kept_commands(execution), "judges": flags.judge}
    asked["judge_configs"] = without_secrets(configs)
    here = Path.cwd()
    files = [file for one in options.commands for file in scripts_of(one, here, here)]
    asked["programs"] = content_of(files, here)
    progress = Progress(len(suite), is_shown=sys.stderr.isatty() and not flags.json)

    async def scoring() -> Scored:
        async with of_suite(suite, flags) as evaluators:
            code = code_of_judges(stage_of(flags.judge, configs, here), evaluators)
            kept = KeptLoops(flags.out, {**asked, "judge_code": code}, resumes=flags.resume)

            async def played(case: Case, stage: Stage) -> Looped:
                before = kept.get(case)
                known = None if before is None else await judged_again(before, stage, evaluators)
                if known is None:
                    known = await run_loop(
                        case, stage, options, cwd=Path.cwd(), evaluators=evaluators
                    )
                    kept.add(case, known.case)
                progress.step()
                return known

            scored = None
            try:
                scored = await score_suite(
                    suite,
                    flags.out,
                    config,
                    judges=flags.judge,
                    folder=Path.cwd(),
                    played=played,
                    concurrency=flags.concurrency,
                    evaluators=evaluators,
                )
            finally:
                kept.close(is_whole=scored is not None)
            return scored

    try:
        scored = asyncio.run(scoring())
    finally:
        progress.end()
    grants = (*(command_grant(one, "run-loop") for one in options.commands),)
    remember(flags.out, (*grants, *judge_grants(flags.judge, config.judge_configs)))
    attest_by_environment(flags.out)
    if flags.summary_json is not None:
        write_output(flags.summary_json, pretty(scored.summary))
    output = {"run_id": scored.run_id, "summary": scored.summary, "execution_mode": MODE}
    answer(output, flags, said(scored.run_id, scored.summary, flags.out), warnings)
    return ExitCode.OK


class Progress:
    """How many cases are done, on one line of a terminal."""

    def __init__(self, total: int, *, is_shown: bool) -> None:
        self._total, self._done, self._is_shown = total, 0, is_shown

    def step(self) -> None:
        self._done += 1
        if self._is_shown:
            sys.stderr.write(f"\r{self._done}/{self._total} cases")
            sys.stderr.flush()

    def end(self) -> None:
        if self._is_shown and self._done:
            sys.stderr.write("\n")
