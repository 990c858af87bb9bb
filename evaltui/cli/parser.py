"""The command line as argparse sees it, made of the flags that each command adds."""

from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from importlib import import_module
from pathlib import Path

from evaltui.cli.flags import add_dashboard_flags, add_project_flags

COMMANDS = (
    *("run", "tools", "check", "evaluators", "scenario", "runs", "baseline", "judge", "ab"),
    *("import-trace", "import-framework", "adapter-conformance", "contracts-check"),
    *("export-otel", "traces"),
    *("merge", "compare", "gate", "report", "registry", "replay", "run-loop", "replay-exec"),
    *("attest", "verify-attestation", "stability-check"),
    *("serve", "init", "trust", "demo", "schema", "completion"),
)
"""Each is a module of this package with `add`, its flags, and `run`, what it does."""


def module_of(command: str) -> str:
    """The name of the module of a command: `import-trace` is in `import_trace`."""
    return command.replace("-", "_")


def parse(argv: Sequence[str]) -> Namespace:
    """Flags and command of one line. Raises SystemExit after help or a complaint.

    Commands that it does not name are not imported: that takes longer than to parse.
    """
    named = [name for name in COMMANDS if name in argv]
    wants_help = argv[:1] in (["-h"], ["--help"])
    if not named and not {"-h", "--help"} & set(argv):
        alone = make_parser(())
        what = "evidence pack to look at instead of the project"
        alone.add_argument("pack", nargs="?", type=Path, metavar="PACK", help=what)
        flags, unknown = alone.parse_known_args(argv)
        is_path = flags.pack is None or "/" in str(flags.pack) or flags.pack.is_dir()
        if not unknown and is_path:
            return flags
    parser = make_parser(COMMANDS if wants_help or not named else named)
    flags, unknown = parser.parse_known_args(argv)
    if unknown and hasattr(flags, "paths") and not any(one.startswith("-") for one in unknown):
        # argparse takes paths only where they stand beside the name that goes before them.
        flags.paths = [*flags.paths, *unknown]
    elif unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return flags


def make_parser(names: Collection[str] = COMMANDS) -> ArgumentParser:
    """A parser that knows these commands; `command` is `None` for the dashboard."""
    parser = ArgumentParser(
        prog="evaltui",
        description="Runs the evals of an agent's tools, and reruns those a change can affect.",
        epilog="Without a command: opens the dashboard for the project in this folder, or for an "
        "evidence pack whose folder is named.",
    )
    parser.set_defaults(command=None)
    add_dashboard_flags(parser)
    add_project_flags(parser)
    if names:
        commands = parser.add_subparsers(
            dest="command", metavar="COMMAND", title="commands", prog="evaltui"
        )
        for name in names:
            import_module(f"evaltui.cli.{module_of(name)}").add(commands.add_parser)
    return parser
