"""`evaltui schema`: schemas of the files that people write, and validation of suites of traces."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from evaltui.assets import asset_folder
from evaltui.cli import suite_schema
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError


def add(add_command: AddCommand) -> None:
    parser = add_command("schema", help="print JSON Schemas; validate and migrate suites of traces")
    parser.set_defaults(name=None)
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", help="default: list the schemas"
    )
    show = actions.add_parser("show", help="print a schema; without a name, list them")
    show.add_argument(
        "name", nargs="?", metavar="NAME", help="name of the schema, e.g. settings or evals"
    )
    add_json(show)
    suite_schema.add_actions(actions.add_parser)


def run(flags: Namespace) -> int:
    """Print one schema, or without a name what there is. Raises UserError for another name."""
    if flags.action == "validate":
        return suite_schema.run_validate(flags)
    if flags.action == "migrate":
        return suite_schema.run_migrate(flags)
    files = {path.stem: path for path in sorted(asset_folder("schemas").glob("*.json"))}
    if flags.name is None:
        _list(files, is_json=getattr(flags, "json", False))
        return ExitCode.OK
    if flags.name not in files:
        hint = did_you_mean(flags.name, files) or f"There are {', '.join(files)}."
        raise UserError(f"There is no schema `{flags.name}`.", hint)
    sys.stdout.write(files[flags.name].read_text(encoding="utf-8"))
    return ExitCode.OK


def _list(files: dict[str, Path], *, is_json: bool) -> None:
    titles = {name: json.loads(path.read_bytes())["title"] for name, path in files.items()}
    if is_json:
        sys.stdout.write(json.dumps(titles, ensure_ascii=False, indent=2) + "\n")
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        sys.stdout.write(f"{name:<{width}}  {title}\n")
    sys.stderr.write("`evaltui schema show NAME` prints one.\n")
