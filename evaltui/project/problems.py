"""Everything wrong with a project that can be known without running it: one list for all."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.permit import Grant, not_trusted
from evaltui.core.workspace_files import CONFIG
from evaltui.disk.git_process import GIT, GitRuns
from evaltui.project.diagnostics.edited import edited_regressions
from evaltui.project.diagnostics.findings import lint_findings
from evaltui.project.diagnostics.outdated_problems import doubtful_metadata, outdated_problems
from evaltui.project.diagnostics.unknown_evaluators import unknown_evaluators
from evaltui.project.diagnostics.unknown_mutes import unknown_mutes
from evaltui.project.diagnostics.unknown_tools import unknown_tools
from evaltui.project.diagnostics.unplayed_scenarios import unplayed_scenarios
from evaltui.project.left_behind import LeftBehind, left_behind_problems
from evaltui.project.project import Project
from evaltui.registries.text_file import PASSED_OVER


class Around(Struct, frozen=True):
    """What may be wrong around the files that are read as the project."""

    settings: tuple[Problem, ...] = ()
    agents: tuple[Problem, ...] = ()
    """Mistakes in profiles, and why agents cannot be made."""
    untrusted: tuple[Grant, ...] = ()
    """What the settings want done and nobody agreed to."""
    unloaded: tuple[Problem, ...] = ()
    """Why what is kept of the project, as its baselines, is not known."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*self.settings, *self.agents, *map(not_trusted, self.untrusted), *self.unloaded)


NOTHING_AROUND = Around()


def project_problems(
    project: Project,
    around: Around = NOTHING_AROUND,
    left_behind: Iterable[LeftBehind] = (),
) -> tuple[Problem, ...]:
    """All of them, errors first, then by file and line; the order in which they are shown. Settings
    that cannot be read come before all else, which may be as it is because of them.

    `left_behind`: of the baseline in force. Opens eval files that changed to place what lint found;
    asks git. The board has the same in parts: `reading_problems`, `findings`, and a mark at each
    case whose expectations are outdated.
    """
    found = findings(project, left_behind)
    ordered = in_order((*reading_problems(project, around), *found, *outdated_problems(project)))
    if not project.config.is_unread:
        return ordered
    return tuple(
        sorted(
            ordered,
            key=lambda one: one not in around.settings or one.severity is not Severity.ERROR,
        )
    )


def reading_problems(project: Project, around: Around = NOTHING_AROUND) -> tuple[Problem, ...]:
    """Those of them that are known as soon as the project is read: mistakes in files."""
    found = [*around.problems, *project.problems]
    if project.config.is_unread:  # nobody knows which tools it names
        found = [one for one in found if one.code != PASSED_OVER]
    elif project.suites and not project.registry.configured:
        what = "No tool registry was found; nothing tells which suites are outdated"
        hint = 'Name it: `registry = "tools/tools.exports.ts"` in evaltui.toml.'
        if project.config.file == CONFIG:  # beside which an evaltui.toml would count instead
            hint = "Name it with `--registry tools/tools.exports.ts`."
        found.append(Problem("", what, hint, severity=Severity.WARNING, code="no-registry"))
    return in_order(found)


def findings(
    project: Project, left_behind: Iterable[LeftBehind] = (), runs: GitRuns = GIT
) -> tuple[Problem, ...]:
    """Those that take a closer look: lint, unknown tools, edited regression cases, and mutes and
    baselines of cases that are not there. `runs`: of whoever asks git.

    A file that is broken now is not looked into: its last good version is not what it says.
    """
    found = [*edited_regressions(project, runs), *unknown_mutes(project)]
    found += left_behind_problems(project, left_behind)
    for file in project.files.values():
        if file.suite is not None and file.is_current:
            found += lint_findings(file)
            # Settings that cannot be read may name other tools.
            found += () if project.config.is_unread else unknown_tools(project, file)
            found += unknown_evaluators(project, file)
            # Settings that cannot be read may name a model.
            found += () if project.config.is_unread else unplayed_scenarios(project, file)
            found += doubtful_metadata(project, file)
    return in_order(found)


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each once, errors first, then by file, line and column."""
    return tuple(sorted(dict.fromkeys(problems), key=_place))


def with_few(few: Sequence[Problem], ordered: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those `few`, and many that are in order already: all in order. What lint says of a large
    project is not put in order again at each save."""
    problems = [*ordered]
    for problem in reversed(few):
        first = bisect_left(problems, _place(problem), key=_place)
        if problem not in problems[first : bisect_right(problems, _place(problem), key=_place)]:
            problems.insert(first, problem)
    return tuple(problems)


def without_files(ordered: tuple[Problem, ...], files: Iterable[str]) -> tuple[Problem, ...]:
    """Those of many in order that are about none of these files."""
    for severity in _SEVERITIES.values():
        for file in files:
            first = bisect_left(ordered, (severity, file), key=_file_place)
            after = bisect_right(ordered, (severity, file), lo=first, key=_file_place)
            if first < after:
                ordered = ordered[:first] + ordered[after:]
    return ordered


def files_unread_since(before: Project, now: Project) -> set[str]:
    """Eval files of the reading before that are gone or broken now: what a closer look found in
    them then does not hold any more."""
    files = ((file.id, now.files.get(path)) for path, file in before.files.items())
    return {name for name, file in files if file is None or not file.is_current}


def _file_place(problem: Problem) -> tuple[int, str]:
    return _SEVERITIES[problem.severity], problem.file


def _place(problem: Problem) -> tuple[int, str, int, int]:
    return _SEVERITIES[problem.severity], problem.file, problem.line, problem.column


_SEVERITIES = {severity: number for number, severity in enumerate(Severity)}
