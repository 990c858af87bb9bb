"""`evaltui tools`: every tool definition as it was read, and what could not be."""

import sys
from argparse import Namespace
from collections.abc import Mapping
from datetime import datetime

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.core.cells import cells, fit_cells
from evaltui.core.errors import Severity
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition
from evaltui.project import registry_reader
from evaltui.registries.discovery import HOW_TO_NAME, NONE_FOUND
from evaltui.reporters.ansi import json_text, plain
from evaltui.tui.render.words import count


def add(add_command: AddCommand) -> None:
    parser = add_command("tools", help="list the tool definitions as evaltui reads them")
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """List the registry; exit code 2 when a source could not be read."""
    config = read_settings(flags).config
    reader = registry_reader(config)
    try:
        read = reader.read(config.root, config.registries)
    finally:
        reader.close()
    as_of = {
        name: datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds")
        for name, at in read.registry.as_of.items()
    }
    if flags.json:
        document = {
            "registrySize": read.registry.size,
            "files": list(read.registry.files),
            "tools": [
                _described(tool) | ({"asOf": as_of[tool.name]} if tool.name in as_of else {})
                for tool in read.registry
            ],
            "problems": [str(problem) for problem in read.problems],
        }
        sys.stdout.write(json_text(document, indent=2) + "\n")
    else:
        _print(list(read.registry), read.registry.size, as_of)
        for problem in read.problems:
            sys.stderr.write(f"{plain(str(problem))}\n")
    has_errors = any(problem.severity is Severity.ERROR for problem in read.problems)
    return ExitCode.USAGE if has_errors else ExitCode.OK


def _print(tools: list[ToolDefinition], size: int, as_of: Mapping[str, str]) -> None:
    if not tools:
        sys.stdout.write(f"{NONE_FOUND}. {HOW_TO_NAME}\n")
        return
    name_width = max(cells(plain(tool.name)) for tool in tools)
    place_width = max(cells(plain(f"{tool.file}:{tool.line}")) for tool in tools)
    for tool in tools:
        name = fit_cells(plain(tool.name), name_width)
        place = fit_cells(plain(f"{tool.file}:{tool.line}"), place_width)
        sys.stdout.write(
            f"{name}  {tool.description_hash or 'not checked':12}  "
            f"{plain(tool.version or '-'):8}  {tool.status:10}  {place}  "
            f"{plain(tool.description or '')}\n"
        )
        if tool.name in as_of:
            sys.stdout.write(
                f"{'':{name_width}}  ! its source cannot be read; as listed {as_of[tool.name]}\n"
            )
        for gap in tool.unresolved:
            sys.stdout.write(
                f"{'':{name_width}}  ? {gap.field} not read: {plain(gap.expression)} "
                f"({plain(gap.file)}:{gap.line})\n"
            )
    sys.stdout.write(f"{count(size, 'tool')}\n")


def _described(tool: ToolDefinition) -> dict[str, Json]:
    return {
        "name": tool.name,
        "description": tool.description,
        "descriptionHash": tool.description_hash,
        "version": tool.version,
        "status": tool.status.value,
        "category": tool.category,
        "parameters": tool.parameters,
        "file": tool.file,
        "line": tool.line,
        "dependsOn": list(tool.depends_on),
        "unresolved": [
            {"field": gap.field, "expression": gap.expression, "file": gap.file, "line": gap.line}
            for gap in tool.unresolved
        ],
    }
