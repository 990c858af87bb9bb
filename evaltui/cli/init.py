"""`evaltui init`: looks at the folder and writes a commented `evaltui.toml` for it."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_root
from evaltui.cli.settings import start_folder
from evaltui.core.config import Config, RegistrySource
from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.disk.file_edits import unwritable
from evaltui.files import is_folder
from evaltui.project import Project, project_read_once
from evaltui.registries.discovery import discover
from evaltui.registries.reader import read_registry
from evaltui.reporters.ansi import json_text, plain
from evaltui.tui.render.words import count

NAME = "evaltui.toml"


def add(add_command: AddCommand) -> None:
    parser = add_command("init", help="find tools and evals, ask, and write an evaltui.toml")
    parser.add_argument("--force", action="store_true", help="replace an existing evaltui.toml")
    parser.add_argument("--yes", "-y", action="store_true", help="write the file without asking")
    what = "instead write a first suite of traces here, with settings for its judges and gate"
    parser.add_argument("--out", type=Path, metavar="DIR", help=what)
    add_root(parser)
    add_json(parser)


def run(flags: Namespace) -> int:
    """Write the settings file. Raises UserError when there is one already."""
    if flags.out is not None:
        from evaltui.cli import starter

        return starter.run(flags)
    root = start_folder(flags)
    path = root / NAME
    if path.exists() and not flags.force:
        raise UserError(f"`{NAME}` is already there.", "Replace it with --force.")
    sources = tool_sources(root)
    found = tuple(RegistrySource("auto", source) for source in sources)
    with project_read_once(Config(root=root, registries=found)) as project:
        if not flags.json:
            _tell(root, project, sources)
            is_agreed = hasattr(flags, "root") or flags.yes
            if not is_agreed and not _agrees(path):
                would = f"would write {_registry_line(sources)}" if sources else "would write it"
                sys.stdout.write(f"Nothing was written; `evaltui init --yes` {plain(would)}\n")
                return ExitCode.OK
        try:
            write_atomic(path, settings_text(sources).encode())
        except OSError as error:
            raise unwritable(path, error) from error
        written = {
            "file": str(path),
            "suites": [suite.id for suite in project.suites],
            "tools": len(project.registry),
            "registry": list(sources),
            "registryFiles": list(project.registry.files),
        }
        if flags.json:
            sys.stdout.write(json_text(written) + "\n")
        else:
            sys.stdout.write(f"Wrote {plain(str(path))}\n{_next(project)}\n")
        return ExitCode.OK


def tool_sources(root: Path) -> tuple[str, ...]:
    """Every folder and file below `root` that defines tools, those of one name told once.

    A list beside scripts, which reading by itself only mentions, is one when it has tools that
    the scripts do not have: it is not made from them. So are scripts beside a list. Folders come
    first: what a folder means need not be named file by file.
    """
    found = discover(root)
    candidates = [source.location for source in found.sources]
    candidates += [problem.file for problem in found.problems]
    candidates.sort(key=lambda location: not is_folder(root / location))
    sources: list[str] = []
    known: set[str] = set()
    for location in candidates:
        names = {
            tool.name for tool in read_registry(root, (RegistrySource("auto", location),)).registry
        }
        if names - known:
            sources.append(location)
            known |= names
    return tuple(sources)


def _agrees(path: Path) -> bool:
    """Asks whether the folder is the one that was meant.

    An answer may come through a pipe; where none comes, as in CI, nobody is asked.
    """
    if sys.stdin is None:
        return True
    is_person = sys.stdin.isatty()
    if is_person and not sys.stdout.isatty():
        return True  # who would answer does not see the question
    question = f"Write {plain(str(path))}? [Y/n] "
    sys.stdout.write(question if is_person else "")
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        line = "not even text"
    except OSError:
        line = ""  # a stream that cannot be read: nobody is there
    if not is_person:
        sys.stdout.write(f"{question}\n" if line else "")
    elif not line.endswith("\n"):
        sys.stdout.write("\n")
    return line.strip().lower() in _YES if line else not is_person


_YES = frozenset({"", "y", "yes"})


def _tell(root: Path, project: Project, sources: Sequence[str]) -> None:
    cases = sum(len(suite.cases) for suite in project.suites)
    write = sys.stdout.write
    write(f"Found in {plain(str(root))}\n")
    write(f"  evals  {count(len(project.suites), 'file')}, {count(cases, 'case')}\n")
    where = f" in {plain(', '.join(sources))}" if sources else ""
    write(f"  tools  {count(len(project.registry), 'definition')}{where}\n")


def _next(project: Project) -> str:
    if not project.suites:
        return "Next: put eval files into `evals/`, named like `get_weather.golden.json`."
    if not project.registry.configured:
        return "Next: name your tool definitions in `registry`."
    return "Next: `evaltui run`, or `evaltui` for the dashboard."


def _registry_line(sources: Sequence[str]) -> str:
    listed = json.dumps(sources[0] if len(sources) == 1 else sources, ensure_ascii=False)
    return f"registry = {listed}"


def settings_text(sources: Sequence[str]) -> str:
    """The file's text: what was found is set, all else shown with its default or an example."""
    registry = _registry_line(sources) if sources else '# registry = ["tools", "more/tools.json"]'
    return f"""\
# Settings of evaltui for this project. Lines that are commented out show defaults, or examples.

# Eval files: paths or globs. Without it, `evals/` and every *.golden.json, *.labeled.json,
# *.regression.json, *.rubric.json, *.scenario.json and *.trace.json are found.
# evals = ["evals/**/*.json"]

# Tool definitions: a file or folder, or a list of them. TypeScript, JavaScript and JSON are read,
# never executed.
{registry}

# What is tested: "embedded" needs no key and no network; a URL is posted to;
# a name means a table below.
# agent = "embedded"
# agent = "http://localhost:3000/chat"

# seed_manifest_path = "evals/seed-manifest.json"
# output_dir = "evals/results"
# concurrency = 1
# timeout_ms = 60000
# call_at = 0.40          # lowest probability at which the embedded agent calls a tool
# fail_on = ["failures", "regressions"]

# Evaluators of your own, which cases name; `evaltui evaluators new greeting-check` writes this one.
# evaluators = ["./evaluators/greeting_check.py"]

# Live values for {{{{snapshot:…}}}} tokens: a JSON file, a URL or a command.
# snapshot_enabled = true
# snapshot = "node scripts/snapshot.mjs"

# [agents.staging]
# type = "http"
# url = "https://staging.example.com/chat"
# headers = {{ Authorization = "Bearer ${{STAGING_TOKEN}}" }}

# [judge]                 # the model that scores rubrics and criteria of conversations
# type = "openai"
# model = "gpt-4.1-mini"
# votes = 3               # judgements per dimension; the majority decides
# max_cost_usd = 1.00

# [regressions]           # of agents whose answers vary
# confirm = "ask"         # more trials of undecided cases: "off", "ask", "auto"
# alpha = 0.1             # share of proven regressions that may be false

# [watch]
# poll = false            # true on network file systems
# debounce_ms = 50        # saves within this many milliseconds make one run
"""
