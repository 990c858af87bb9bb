"""All that can be said about a project without running it."""

from collections.abc import Iterable

from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath, format_key, parse_key
from evaltui.core.suite import Suite
from evaltui.files import read_file
from evaltui.json_text.document import JsonDocument, read_json
from evaltui.project.edited import edited_regressions
from evaltui.project.project import Project, suite_tools


def project_problems(project: Project) -> tuple[Problem, ...]:
    """Mistakes in files and in profiles of the agents under test, lint findings in their place,
    unknown tools, edited regression cases.

    Reads eval files again to place findings; sorted by file and line.
    """
    from evaltui.expectations.lint import lint_suite

    found = [*project.problems, *_registry(project), *profile_problems(project.config)]
    found += edited_regressions(project)
    for suite in project.suites:
        found += _placed(project, suite, [*lint_suite(suite), *_unknown_tools(project, suite)])
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.file, each.line, each.column)))


def profile_problems(config: Config) -> tuple[Problem, ...]:
    """All that is wrong with the profiles of the agents under test; of the others their type.

    Options of agents that nobody asks may wait for the day when somebody does.
    """
    if not config.file or not config.profiles:
        return ()
    from evaltui.agents.profiles import UNKNOWN_TYPE, profile_mistakes
    from evaltui.settings.source import read_source

    source = read_source(config.root / config.file)
    chosen = {agent.name for agent in config.agents}
    found: list[Problem] = []
    for name, profile in config.profiles.items():
        for mistake in profile_mistakes(profile.type, profile.options):
            if name not in chosen and mistake.code != UNKNOWN_TYPE:
                continue
            path = ("agents", name, *mistake.path)
            line, column = source.locate(path)
            key = format_key(path)
            found.append(
                Problem(config.file, mistake.what, mistake.hint, line, column, key, code="config")
            )
    return tuple(found)


def _registry(project: Project) -> Iterable[Problem]:
    if project.suites and not project.registry.configured:
        what = "No tool registry was found; staleness is not checked"
        hint = 'Name it: `registry = "tools/tools.exports.ts"` in evaltui.toml.'
        yield Problem("", what, hint, severity=Severity.WARNING, code="no-registry")


def _unknown_tools(project: Project, suite: Suite) -> Iterable[Problem]:
    names = suite_tools(suite)
    if not len(project.registry) or project.tool_prints.names(frozenset(names)):
        return
    from evaltui.core.did_you_mean import did_you_mean

    listed = ", ".join(f"`{name}`" for name in names[:3])
    near = did_you_mean(names[0], project.registry.tools)
    hint = near or "Name the tool in `metadata.toolName`, or add it to the registry."
    what = f"The registry has no tool {listed}, which this file is about"
    key = "metadata.toolName" if suite.metadata and suite.metadata.tool_name else ""
    yield Problem(suite.id, what, hint, 1, 1, key, Severity.WARNING, "unknown-tool")


def _placed(project: Project, suite: Suite, problems: list[Problem]) -> list[Problem]:
    """The same problems with line and column of their keys, where the file can still be read."""
    if not problems:
        return []
    path = next((path for path, file in project.files.items() if file.id == suite.id), None)
    try:
        document = read_json(suite.id, read_file(path)) if path else None
    except OSError:
        document = None
    if not isinstance(document, JsonDocument):
        return problems
    items = document.value if isinstance(document.value, list) else None
    if isinstance(document.value, dict) and isinstance(document.value.get("cases"), list):
        items = document.value["cases"]
    if items is not None:
        document.entries(() if items is document.value else ("cases",))
    indices: dict[object, int] = {}
    for index, item in enumerate(items or ()):
        if isinstance(item, dict) and isinstance(item.get("id"), str):
            indices.setdefault(item["id"], index)
    placed: list[Problem] = []
    for problem in problems:
        path_ = _in_file(problem, document, indices)
        line, column = document.locate(path_)
        placed.append(replace(problem, line=line, column=column, key=format_key(path_)))
    return placed


def _in_file(problem: Problem, document: JsonDocument, indices: dict[object, int]) -> KeyPath:
    # Findings number the cases that were kept; the file may hold more, or be a bare list.
    path = parse_key(problem.key)
    if path[:1] != ("cases",) or len(path) < 2:
        return path
    index = indices.get(problem.case, path[1])
    prefix: KeyPath = () if isinstance(document.value, list) else ("cases",)
    return (*prefix, index, *path[2:])
