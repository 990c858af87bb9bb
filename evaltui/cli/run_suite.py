"""`evaltui run --suite FILE --out DIR`: judges traces that happened, and writes the evidence."""

import asyncio
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.fail_on import gates_of
from evaltui.cli.git_unasked import agreed_or_told
from evaltui.cli.named_suite import misspelt_keys, read_named_suite
from evaltui.cli.pack_trust import judge_grants, remember, require
from evaltui.cli.structured import answer, reading_flags, structured
from evaltui.cli.suite_flags import PINS, refuse_with_suite
from evaltui.core.errors import Problem, UserError
from evaltui.core.key_path import format_key
from evaltui.disk.outputs import write_output
from evaltui.files import read_file
from evaltui.json_text.document import read_json
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import decode_once
from evaltui.traces.wire import pretty

if TYPE_CHECKING:
    from evaltui.evidence.otel.sending import Sender
    from evaltui.evidence.packs.shards import Shard
    from evaltui.evidence.run_config import RunConfig
    from evaltui.evidence.score_suite import Scored
    from evaltui.traces.reading import TraceSuite


@structured
def run(flags: Namespace) -> int:
    """Exit code 0 also when cases failed, unless --fail-on asks for failures."""
    from evaltui.evidence.run_config import RunConfig

    with reading_flags():
        fail_on = {*gates_of(flags.fail_on or ())}
        shard, number, sender = _checked(flags, fail_on)
    configs = agreed_configs(flags)
    suite = read_named_suite(flags.suite)
    warnings = warnings_of(suite, flags, configs)
    if fail_on == {"failures"} and not len(suite):
        what = "it has no case, so that --fail-on failures would prove nothing"
        raise SuiteMistake(str(flags.suite), "cases", what, "Write its cases.")
    config = RunConfig(
        suite.dataset_id,
        (),
        seed=number,
        judge_configs=configs,
        **run_metadata(flags),
        is_agreed=agreed_or_told(flags),
    )
    if flags.cluster:
        from evaltui.cli.own_evaluators import refuse_own
        from evaltui.evidence.cluster import score_on_cluster

        refuse_own(suite)
        asked = (flags.cluster, flags.suite, flags.out, config)
        scored = score_on_cluster(*asked, judges=flags.judge, folder=Path.cwd())
    else:
        scored = asyncio.run(_scored(suite, flags, config, shard))
    remember(flags.out, judge_grants(flags.judge, config.judge_configs))
    tell(scored, flags, warnings)
    if sender is not None:
        with closing(sender):
            sender.send(flags.out)
    has_failed = scored.summary["failed_cases"] > 0 and fail_on == {"failures"}
    return ExitCode.FAILED if has_failed else ExitCode.OK


def _checked(flags: Namespace, fail_on: set[str]) -> "tuple[Shard | None, int, Sender | None]":
    """What the flags say of the part, the seed and whom to send to. Raises UserError."""
    from evaltui.evidence.packs.shards import read_shard

    refuse_with_suite(flags)
    if flags.out is None:
        raise UserError("--suite needs --out.", "Name the folder of the evidence pack.")
    if others := sorted(fail_on - _GATES):
        what = f"--suite is compared with nothing: --fail-on {others[0]} says nothing of it."
        raise UserError(what, "Use --fail-on failures, or `evaltui compare` and `evaltui gate`.")
    if flags.shard and not flags.run_id:
        raise UserError("--shard needs --run-id.", "Give every part the same one.")
    if flags.shard and flags.cluster:
        raise UserError("A cluster divides the suite itself.", "Leave --shard out.")
    shard = read_shard(flags.shard) if flags.shard else None
    return shard, seed(getattr(flags, "seed", "0")), sender_to(flags.otel)


_GATES = frozenset(("failures", "never"))


async def _scored(
    suite: "TraceSuite", flags: Namespace, config: "RunConfig", shard: "Shard | None"
) -> "Scored":
    from evaltui.cli.own_evaluators import of_suite
    from evaltui.evidence.score_suite import score_suite

    async with of_suite(suite, flags) as evaluators:
        return await score_suite(
            suite,
            flags.out,
            config,
            judges=flags.judge,
            folder=Path.cwd(),
            shard=shard,
            evaluators=evaluators,
        )


def tell(scored: "Scored", flags: Namespace, warnings: Sequence[str] = ()) -> None:
    """Print the summary, and write it where that is asked for; sign, where there is a secret."""
    from evaltui.evidence.gates.attestation import attest_by_environment

    attest_by_environment(flags.out)
    if flags.summary_json is not None:
        write_output(flags.summary_json, pretty(scored.summary))
    output = {"run_id": scored.run_id, "summary": scored.summary}
    answer(output, flags, said(scored.run_id, scored.summary, flags.out), warnings)


def sender_to(endpoint: str | None) -> "Sender | None":
    """Raises UserError where that cannot be sent to, before anything is judged."""
    if endpoint is None:
        return None
    from evaltui import __version__
    from evaltui.evidence.otel.sending import Sender

    return Sender(endpoint, __version__)


def agreed_configs(flags: Namespace) -> dict[str, Any]:
    """Settings of judges. Raises UserError where a judge is code that nobody agreed to, or a file
    names a program: that was written into it by whom it came from. Raises FlagError for a judge
    that there is not."""
    from evaltui.traces.judges import refuse_unknown

    with reading_flags():
        refuse_unknown(flags.judge, Path.cwd())
    configs = judge_configs(flags.judge_config)
    is_trusted = getattr(flags, "trust", False)
    grants = judge_grants(flags.judge, configs)
    require(Path.cwd(), grants, is_trusted=is_trusted, who="`--judge`")
    return configs


def warnings_of(
    suite: "TraceSuite", flags: Namespace, configs: Mapping[str, Any]
) -> tuple[str, ...]:
    """What is written in the suite and in the settings of judges, and judges nothing. Raises
    OSError."""
    from evaltui.traces.judges import unused_settings

    return (*misspelt_keys(suite), *unused_settings(flags.judge, configs))


def run_metadata(flags: Namespace) -> dict[str, Any]:
    """What is written down of the run as it was told."""
    names = ("run_id", "agent_version", "model", *(name.replace("-", "_") for name in PINS))
    return {name: getattr(flags, name) for name in names}


def seed(text: str) -> int:
    """Raises UserError."""
    try:
        return int(text)
    except ValueError:
        what = f"`{text}` is not a seed: with --suite it is a whole number."
        raise UserError(what, "E.g. --seed 7.") from None


def judge_configs(path: Path | None) -> dict[str, Any]:
    """The settings of judges in a file, `{judge: {…}}`.

    Raises OSError, and UserError with the place of what no judge knows: a limit by another name
    would hold nothing.
    """
    if path is None:
        return {}
    content = read_file(path)
    found = decode_once(content, str(path))
    if not isinstance(found, dict):
        raise SuiteMistake(str(path), "", "expected an object of judges", "Write `{judge: {…}}`.")
    from evaltui.traces.judges.plugin import is_plugin
    from evaltui.traces.judges.settings import settings_mistakes

    wrong = list(settings_mistakes(found, lambda name: is_plugin(name, Path.cwd())))
    if not wrong:
        return found
    document = read_json(str(path), content)
    problems = [
        Problem(str(path), one.what, one.hint, key=format_key(one.path))
        if isinstance(document, Problem)
        else document.problem(one.path, one.what, one.hint)
        for one in wrong
    ]
    first, *others = problems
    if others:
        what = f"`{path}` has {len(problems)} mistakes in the settings of judges."
        raise UserError(what, "Correct them.", problems)
    place = f"{path}:{first.line}:{first.column}" if first.line else str(path)
    raise SuiteMistake(place, first.key, first.what, first.hint)


def said(run_id: str, summary: Any, out: Path) -> str:
    total, passed = summary["total_cases"], summary["passed_cases"]
    lines = [
        f"{run_id}: {passed} of {total} cases passed, {summary['hard_fail_cases']} failed hard"
    ]
    rates = summary["judge_pass_rates"]
    width = max(map(len, rates), default=0)
    lines += [f"  {name:<{width}}  {rate:.2%}" for name, rate in rates.items()]
    return "\n".join([*lines, f"Evidence: {out}"])
