"""`evaltui init`: looks at the folder and writes a commented `evaltui.toml` for it."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_root
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.project import Project, read_project

NAME = "evaltui.toml"


def add(add_command: AddCommand) -> None:
    parser = add_command("init", help="write a commented evaltui.toml for this folder")
    parser.add_argument("--force", action="store_true", help="replace an evaltui.toml")
    add_root(parser)
    add_json(parser)


def run(flags: Namespace) -> int:
    """Write the settings file. Raises UserError when there is one already."""
    root = getattr(flags, "root", Path()).resolve()
    if not root.is_dir():
        raise UserError(f"There is no folder `{root}`.", "Give an existing one with --root.")
    path = root / NAME
    if path.exists() and not flags.force:
        raise UserError(f"`{NAME}` is already there.", "Replace it with --force.")
    project = read_project(Config(root=root), None, None)
    write_atomic(path, settings_text(project).encode())
    found = {
        "file": str(path),
        "suites": [suite.id for suite in project.suites],
        "tools": len(project.registry),
        "registryFiles": list(project.registry.files),
    }
    if flags.json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    else:
        _tell(path, project)
    return ExitCode.OK


def _tell(path: Path, project: Project) -> None:
    cases = sum(len(suite.cases) for suite in project.suites)
    write = sys.stdout.write
    write(f"Wrote {path}\n")
    write(f"  evals  {len(project.suites)} files, {cases} cases\n")
    write(f"  tools  {len(project.registry)} definitions\n")
    if not project.suites:
        write("Next: put eval files into `evals/`, named like `get_weather.golden.json`.\n")
    elif not project.registry.configured:
        write("Next: name your tool definitions in `registry`.\n")
    else:
        write("Next: `evaltui run`, or `evaltui` for the dashboard.\n")


def settings_text(project: Project) -> str:
    """The file's text: what was found is set, everything else is shown with its default."""
    files = project.registry.files
    registry = f'registry = "{files[0]}"' if files else '# registry = "tools/tools.exports.ts"'
    return f"""\
# Settings of evaltui for this project. Every line that is commented out shows a default.

# Eval files: paths or globs. Without it, `evals/` and every *.golden.json, *.labeled.json,
# *.regression.json and *.rubric.json are found.
# evals = ["evals/**/*.json"]

# Tool definitions: TypeScript, JavaScript or JSON. They are read, never executed.
{registry}

# What is under test: "embedded" needs no key and no network; a URL is posted to;
# a name means a table below.
# agent = "embedded"
# agent = "http://localhost:3000/chat"

# seed_manifest_path = "evals/seed-manifest.json"
# output_dir = "evals/results"
# concurrency = 1
# timeout_ms = 60000
# call_at = 0.40          # the embedded agent calls a tool from this probability on
# fail_on = ["failures", "regressions"]

# Live values for {{{{snapshot:…}}}} tokens: a JSON file, a URL or a command.
# snapshot_enabled = true
# snapshot = "node scripts/snapshot.mjs"

# [agents.staging]
# type = "http"
# url = "https://staging.example.com/chat"
# headers = {{ Authorization = "Bearer ${{STAGING_TOKEN}}" }}

# [watch]
# poll = false            # true on network file systems
# debounce_ms = 100
"""
