"""Flags of `evaltui run --suite`: what is judged, facts about the run, and the judges."""

from argparse import ArgumentParser
from pathlib import Path

PINS = {
    "prompt-hash": "hash of the agent's prompts",
    "policy-hash": "hash of the policies in force",
    "container-image": "image that the agent ran in",
    "git-commit": "commit of the agent; default: this folder's",
    "dependency-lock-hash": "hash of the agent's dependencies; default: this folder's",
}


SUITE_ONLY = ("out", "shard", "cluster")
"""What would silently do nothing without a suite."""


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
    add("--agent-version", default="unknown", metavar="V", help="version of the traced agent")
    add("--model", default="unknown", metavar="NAME", help="model that the agent used")
    for name, what in PINS.items():
        add(f"--{name}", metavar="TEXT", help=what)
    add("--judge", action="append", default=[], metavar="NAME", help="only this judge; repeatable")
    add("--judge-config", type=Path, metavar="FILE", help="settings of judges: {judge: {…}}")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary to this file too")
