"""Tools that an eval file speaks of and the registry does not have."""

from collections.abc import Iterator

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Problem, Severity
from evaltui.expectations.mentions import wanted_tools
from evaltui.formats.naming import suite_tools
from evaltui.project.diagnostics.findings import tool_place
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile, WantedTool

CODE = "unknown-tool"


def unknown_tools(project: Project, file: SuiteFile) -> Iterator[Problem]:
    """The tool that the whole file is about, and each that its cases expect or stub.

    The ids of cases may name something else than a tool, so the file's name may name it too.
    Nothing while a definition cannot be read: it may be that of any tool.
    """
    suite = file.suite
    is_unread = any(one.severity is Severity.ERROR for one in project.registry_problems)
    if suite is None or is_unread or not len(project.registry):
        return
    names = suite_tools(suite)
    known = project.tool_prints.names(frozenset((*names, suite.tool_name)))
    is_unknown = bool(names) and not known
    if is_unknown:
        listed = ", ".join(f"`{name}`" for name in names[:3])
        near = did_you_mean(names[0], project.registry.tools)
        hint = (
            near
            or 'Name the tool in `metadata.toolName`, `""` for none, or add it to the registry.'
        )
        what = f"The registry has no tool {listed}, which this file is about"
        key = "metadata.toolName" if suite.metadata and suite.metadata.tool_name else ""
        line, column = tool_place(file, key)
        yield Problem(suite.id, what, hint, line, column, key, Severity.WARNING, CODE)
    for name, wanted in _wanted(file).items():
        if project.tool_prints.names(frozenset({name})) or (is_unknown and name in names):
            continue
        by = (
            "a case expects or stubs"
            if wanted.cases == 1
            else f"{wanted.cases} cases expect or stub"
        )
        what = f"The registry has no tool `{name}`, which {by}"
        hint = did_you_mean(name, project.registry.tools) or "Correct the name, or add the tool."
        yield Problem(
            suite.id,
            what,
            hint,
            wanted.line,
            severity=Severity.WARNING,
            code=CODE,
            case=wanted.case,
        )


def _wanted(file: SuiteFile) -> dict[str, WantedTool]:
    if file.wanted is None:
        file.wanted = {}
        for case in file.suite.cases if file.suite is not None else ():
            for name in sorted(wanted_tools(case)):
                wanted = file.wanted.setdefault(name, WantedTool(case.id, case.line))
                wanted.cases += 1
    return file.wanted
