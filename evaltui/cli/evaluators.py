"""`evaltui evaluators list|check|new`: lists, validates and creates evaluators."""

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from keyword import iskeyword
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags, add_root
from evaltui.cli.settings import read_settings, start_folder
from evaltui.core.cells import cells, fit_cells
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.file_edit import file_edit
from evaltui.disk.file_edits import apply_edit
from evaltui.disk.file_lock import writing_in
from evaltui.evaluators.available import Available, available
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.registry import EvaluatorRegistry, Registered, create_registry
from evaltui.files import read_file
from evaltui.project import project_read_once
from evaltui.project.diagnostics.unknown_evaluators import (
    unchecked_evaluators,
    unknown_evaluators,
    why_unchecked,
)
from evaltui.reporters.ansi import json_text, plain
from evaltui.reporters.problem_json import problem_json
from evaltui.settings.named_evaluator import (
    as_table,
    has_tables,
    with_evaluator,
    with_evaluator_in_json,
)
from evaltui.settings.source import ConfigSource, find_config

FOLDER = "evaluators"


def add(add_command: AddCommand) -> None:
    parser = add_command("evaluators", help="list and check evaluators, or start one of your own")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser(
        "list", help="list every evaluator that cases may name, with its schema"
    )
    listed.add_argument(
        "--all", action="store_true", help="list also entries that installed packages offer"
    )
    _add_read(listed)
    _add_read(
        actions.add_parser(
            "check", help="load every evaluator, and check the settings that cases give it"
        )
    )
    new = actions.add_parser("new", help="write the file of a new evaluator to start from")
    new.add_argument("name", metavar="TYPE", help="type of the evaluator, e.g. greeting-check")
    new.add_argument(
        "--kind",
        choices=("assertion", "metric"),
        default="assertion",
        help="whether it decides or only measures",
    )
    add_root(new)
    add_json(new)


def _add_read(parser: ArgumentParser) -> None:
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Exit code 2 when something cannot be loaded, or a case says something wrong."""
    if flags.action == "new":
        return _new(flags)
    read = read_settings(flags, lenient=True)
    with project_read_once(read.config) as project:
        problems = [*read.problems, *why_unchecked(project)]
        if flags.action == "list":
            named = {source.name for source in read.config.evaluators}
            offered = available(read.config.root, named) if flags.all else []
            _list(project.evaluator_registry, offered, problems, is_json=flags.json)
        else:
            for file in project.files.values():
                problems += unknown_evaluators(project, file)
            problems += unchecked_evaluators(project, project.files.values())
            _check(project.evaluator_registry, problems, is_json=flags.json)
        has_errors = any(one.severity is Severity.ERROR for one in problems)
        # What was left out was not checked.
        is_unchecked = flags.action == "check" and project.evaluators.is_left_out
        return ExitCode.USAGE if has_errors or is_unchecked else ExitCode.OK


def _list(
    registry: EvaluatorRegistry,
    offered: Sequence[Available],
    problems: Sequence[Problem],
    *,
    is_json: bool,
) -> None:
    if is_json:
        entries = [
            {"entry": one.name, "package": one.package, "available": True} for one in offered
        ]
        sys.stdout.write(json_text([*registry.list(), *entries], indent=2) + "\n")
    else:
        rows = [*map(_row, registry)]
        rows += [(one.name, "available", one.package, _NAME_IT) for one in offered]
        widths = [max(cells(plain(row[column])) for row in rows) for column in range(3)]
        for *row, description in rows:
            named = "  ".join(
                fit_cells(plain(text), width) for text, width in zip(row, widths, strict=True)
            )
            sys.stdout.write(f"{named}  {plain(description)}\n")
    for problem in problems:
        sys.stderr.write(f"{plain(str(problem))}\n")


_NAME_IT = "Name it in `evaluators` of the settings."


def _row(one: Registered) -> tuple[str, str, str, str]:
    definition = one.definition
    description = (definition.description or definition.label).splitlines()[0]
    description += " (judges every scenario)" if definition.auto else ""
    return definition.type, definition.kind, one.origin or "built in", description


def _check(registry: EvaluatorRegistry, found: Sequence[Problem], *, is_json: bool) -> None:
    if is_json:
        rows = [*map(problem_json, found)]
        sys.stdout.write(json_text({"problems": rows}, indent=2) + "\n")
        return
    for problem in found:
        sys.stdout.write(f"{problem.severity:7}  {plain(str(problem))}\n")
    own = sum(not one.is_built_in for one in registry)
    sys.stdout.write(f"{own} of your own, {len(registry) - own} built in: ")
    sys.stdout.write(f"{len(found)} problem(s)\n" if found else "nothing is wrong\n")


def _new(flags: Namespace) -> int:
    """Raises UserError for a name that is none or taken, and for a file that is there."""
    _check_type(flags.name)
    source = find_config(start_folder(flags))
    root = start_folder(flags) if source is None else source.path.parent
    settings = "evaltui.toml" if source is None else source.path.name
    name = flags.name.replace("-", "_")
    path = root / FOLDER / f"{name}.py"
    entry = f"./{FOLDER}/{name}.py"
    create_registry().register(EvaluatorDefinition(flags.name, name, "metric", repr), origin=entry)
    if path.exists():
        raise UserError(f"`{entry}` is already there.", "Choose another type.")
    label = flags.name.replace("-", " ").title()
    result = _RESULTS[flags.kind]
    text = _TEMPLATE.format(type=flags.name, label=label, kind=flags.kind, name=name, **result)
    apply_edit(file_edit(path, None, text.encode(), "Begin an evaluator"))
    is_readable = source is not None and source.problem is None
    is_named = is_readable and settings != "pyproject.toml" and _is_named(root / settings, entry)
    if flags.json:
        output = {"file": str(path), "entry": entry, "type": flags.name, "isNamed": is_named}
        sys.stdout.write(json_text(output) + "\n")
    else:
        named = f"Named it in {settings}" if is_named else _where_to_name(settings, source, entry)
        sys.stdout.write(
            f"Wrote {plain(str(path))}\n"
            f"{named}\n"
            f"{'Name it' if is_named else 'and'} in a case:"
            f' "evaluators": [{{"type": "{flags.name}"}}]\n'
        )
    return ExitCode.OK


def _check_type(name: str) -> None:
    """Raises UserError for what is no type, or cannot be the name of a function."""
    what = f"`{name}` is not a type for an evaluator."
    if not re.fullmatch(r"[a-z0-9-]*", name):
        raise UserError(what, "Use small letters, digits and `-`: greeting-check.")
    if not name[:1].isalpha():
        raise UserError(what, "Begin with a letter: greeting-check.")
    if iskeyword(name):
        what = f"`{name}` is a Python keyword, which cannot name a function."
        raise UserError(what, f"Choose another type: {name}-check.")


def _where_to_name(settings: str, source: ConfigSource | None, entry: str) -> str:
    """In the file that counts: another one beside it would count in its place, or not at all; in
    the form in which that file names others."""
    is_within = settings == "pyproject.toml"
    if source is not None and not source.is_json and has_tables(source.text):
        return f"Name it in {settings}:\n\n{as_table(entry, 'tool.evaltui.' * is_within)}\n"
    where = f"{settings}, table [tool.evaltui]" if is_within else settings
    if source is not None and "evaluators" in source.table:
        return f'Add it to `evaluators` in {where}: "{entry}"'
    key = '"evaluators": ' if settings.endswith(".json") else "evaluators = "
    return f'Name it in {where}: {key}["{entry}"]'


def _is_named(settings: Path, entry: str) -> bool:
    """Whether settings that are there name it now; where they cannot be read or written, a person
    is to name it."""
    try:
        with writing_in(settings.resolve().parent):  # what others add meanwhile stays
            before = read_file(settings)
            if settings.suffix == ".json":
                named = with_evaluator_in_json(before, entry)
            else:
                text = with_evaluator(before.decode(), entry)
                named = None if text is None else text.encode()
            if named is not None and named != before:
                apply_edit(file_edit(settings, before, named, "Name an evaluator"))
    except (OSError, UnicodeDecodeError, UserError):
        return False
    return named is not None


_RESULTS = {
    "assertion": {
        "imports": "define_evaluator, failed, passed",
        "body": """    if not ctx.last_response.strip():
        return failed("The agent said nothing")
    return passed("The agent said something")""",
    },
    "metric": {
        "imports": "define_evaluator, measured",
        "body": """    words = len(ctx.last_response.split())
    return measured(words, f"{words} word(s)")""",
    },
}
_TEMPLATE = '''from evaltui import EvaluatorContext, {imports}


@define_evaluator("{type}", label="{label}", kind="{kind}")
def {name}(ctx: EvaluatorContext):
    """What it looks at, in one sentence."""
{body}
'''
