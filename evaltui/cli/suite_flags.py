"""Flags of `evaltui run --suite`: what is judged, facts about the run, and the judges."""

from argparse import ArgumentParser
from pathlib import Path

PINS = {
    "prompt-hash": "of the prompts that the agent had",
    "policy-hash": "of the policies that were in force",
    "container-image": "the agent ran in",
    "git-commit": "of the agent; that of this folder without it",
    "dependency-lock-hash": "of the agent's dependencies; of this folder's without it",
}


SUITE_ONLY = ("out", "shard", "cluster")
"""What would silently do nothing without a suite."""


def add_suite_flags(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("traces")
    add = group.add_argument
    add("--suite", type=Path, metavar="FILE", help="judge this suite of traces; no agent is asked")
    add("--out", type=Path, metavar="DIR", help="with --suite: where the evidence pack is written")
    what = "with --suite: judge only the i-th of n parts; `merge` makes one pack of all"
    add("--shard", metavar="I/N", help=what)
    what = "with --suite: have the workers of a Dask cluster judge"
    add("--cluster", metavar="dask://HOST:PORT", help=what)
    add_run_flags(parser)


def add_run_flags(parser: ArgumentParser) -> None:
    """What is told of a run, and who judges it."""
    group = parser.add_argument_group("what a pack tells of its run")
    add = group.add_argument
    add("--run-id", default="", metavar="ID", help="name of the run; made up without it")
    add("--agent-version", default="unknown", metavar="V", help="of the agent that was traced")
    add("--model", default="unknown", metavar="NAME", help="that the agent asked")
    for name, what in PINS.items():
        add(f"--{name}", metavar="TEXT", help=what)
    add("--judge", action="append", default=[], metavar="NAME", help="only these; repeatable")
    add("--judge-config", type=Path, metavar="FILE", help="settings of judges: {judge: {…}}")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary there too")
