"""Flags of `evaltui run --suite`: what is judged, facts about the run, and the judges."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from evaltui.core.errors import UserError

UNKNOWN = "unknown"
PINS = {
    "prompt-hash": "hash of the agent's prompts",
    "policy-hash": "hash of the policies in force",
    "container-image": "image that the agent ran in",
    "git-commit": "commit of the agent; default: this folder's",
    "dependency-lock-hash": "hash of the agent's dependencies; default: this folder's",
}

OF_SUITES = frozenset(
    {
        *("suite", "out", "shard", "cluster", "run_id", "agent_version", "model"),
        *(name.replace("-", "_") for name in PINS),
        *("judge", "judge_config", "summary_json"),
    }
)
"""Flags of `run` that say nothing of eval files."""
_AS_EVAL_FILE = "Leave it out, or run the suite without --suite, as one of your eval files."
_NO_AGENT = "Leave it out: no agent is asked."
OF_EVAL_FILES = {
    "paths": "Leave one out.",
    **dict.fromkeys(("filter", "tier", "failed", "reporter"), _AS_EVAL_FILE),
    **dict.fromkeys(("confirm", "explain", "call_at", "timeout_ms", "cassettes"), _NO_AGENT),
    **dict.fromkeys(("agent", "registry", "snapshot"), _NO_AGENT),
    "resume": "Leave it out: `run-loop` and eval files can be continued.",
    "output_dir": "Leave it out: --out names the folder of the evidence.",
    "baseline": "Leave it out: `evaltui compare --baseline` compares packs.",
    "concurrency": "Leave it out: `--shard` and `--cluster` judge parts at the same time.",
    "trials": "Leave it out: `evaltui stability-check --runs` judges a suite several times.",
}
"""Those that say nothing of a suite of traces, and what to do instead."""


def refuse_without_suite(flags: Namespace) -> None:
    """Raises UserError where a flag would silently do nothing of what was asked."""
    for name in sorted(OF_SUITES):
        if _is_given(flags, name):
            raise UserError(f"`{_flag(name)}` needs --suite.", "Eval files are run as a whole.")


def refuse_with_suite(flags: Namespace) -> None:
    """Raises UserError likewise."""
    for name, hint in OF_EVAL_FILES.items():
        if _is_given(flags, name):
            said = "eval files stand" if name == "paths" else f"{_flag(name)} stands"
            raise UserError(f"--suite names one suite; {said} without it.", hint)


def _is_given(flags: Namespace, name: str) -> bool:
    """Whether it says anything else than where it is left out."""
    value = getattr(flags, name, None)
    return value is not None and value is not False and value not in ([], "", UNKNOWN)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def add_suite_flags(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("traces")
    add = group.add_argument
    add("--suite", type=Path, metavar="FILE", help="judge this suite of traces; no agent is asked")
    add(
        "--out", type=Path, metavar="DIR", help="with --suite: folder to write the evidence pack to"
    )
    what = "with --suite: judge only part I of N; `merge` joins the packs"
    add("--shard", metavar="I/N", help=what)
    what = "with --suite: judge on the workers of a Dask cluster"
    add("--cluster", metavar="dask://HOST:PORT", help=what)
    add_run_flags(parser)


def add_run_flags(parser: ArgumentParser) -> None:
    """What is told of a run, and who judges it."""
    group = parser.add_argument_group("what a pack records about its run")
    add = group.add_argument
    add("--run-id", default="", metavar="ID", help="name of the run; default: a generated one")
    add("--agent-version", default=UNKNOWN, metavar="V", help="version of the traced agent")
    add("--model", default=UNKNOWN, metavar="NAME", help="model that the agent used")
    for name, what in PINS.items():
        add(f"--{name}", metavar="TEXT", help=what)
    add("--judge", action="append", default=[], metavar="NAME", help="only this judge; repeatable")
    add("--judge-config", type=Path, metavar="FILE", help="settings of judges: {judge: {…}}")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary to this file too")
