"""Why agents under test cannot be made, with the place in their profiles."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.agent_name import JUDGE
from evaltui.core.config import Config
from evaltui.core.errors import MissingSecretError, Problem, Severity, UserError
from evaltui.core.key_path import KeyPath

if TYPE_CHECKING:
    from evaltui.settings.source import Place

JUDGE_TABLE: KeyPath = (JUDGE,)


def agent_table(name: str) -> KeyPath:
    """Where the settings would say what an agent under test is made of."""
    return ("agents", name)


def unmade_agents(config: Config) -> dict[KeyPath, UserError]:
    """By table, why an agent, or who judges, cannot be made.

    Makes each and lets go of it, starts and asks none: there is nothing to close before that.
    """
    from evaltui.project.gate import trusted_agent

    errors: dict[KeyPath, UserError] = {}
    for profile in config.agents:
        try:
            trusted_agent(config, profile)
        except UserError as error:
            errors[agent_table(profile.name)] = error
    for profile in () if config.judge is None else config.judge.profiles:
        try:
            trusted_agent(config, profile, by=JUDGE)
        except UserError as error:
            errors.setdefault(JUDGE_TABLE, error)
    return errors


def agent_problems(config: Config, unmade: Mapping[KeyPath, UserError]) -> tuple[Problem, ...]:
    """All mistakes in profiles, and what else is in the way of an agent that cannot be made."""
    placed = profile_problems(config)
    left = [table for table in unmade if not _is_reported(config, table, placed)]
    return (*placed, *(_in_the_way(config, table, unmade[table]) for table in left))


def unmade_error(config: Config, table: KeyPath, error: UserError) -> UserError:
    """The same with all that is wrong with that profile, each in its place, where it has one.

    A secret that is missing is wrong in no file.
    """
    if not _is_there(config, table) or isinstance(error, MissingSecretError):
        return error
    at = _place(config, table)
    problems = [each for each in agent_problems(config, {table: error}) if _is_about(at, each)]
    what = "The judge" if table == JUDGE_TABLE else f"The agent `{table[-1]}`"
    return UserError(f"{what} cannot be made.", "Correct its profile and try again.", problems)


def profile_problems(config: Config) -> tuple[Problem, ...]:
    """All that is wrong with the profiles of the agents under test; of the others their type.

    Options of agents that nobody asks may wait for the day when somebody does.
    """
    if not config.file or not config.profiles:
        return ()
    from evaltui.agents.profiles.reading import UNKNOWN_TYPE, profile_mistakes
    from evaltui.settings.source import read_source

    source = read_source(config.root / config.file)
    chosen = {agent.name for agent in config.agents}
    found: list[Problem] = []
    for name, profile in config.profiles.items():
        for mistake in profile_mistakes(profile.type, profile.options):
            if name not in chosen and mistake.code != UNKNOWN_TYPE:
                continue
            path = ("agents", name, *mistake.path)
            found.append(_placed(source.place(path), mistake.what, mistake.hint, "config"))
    return tuple(found)


def _is_reported(config: Config, table: KeyPath, placed: tuple[Problem, ...]) -> bool:
    if not placed:
        return False
    at = _place(config, table)
    return any(_is_about(at, problem) for problem in placed)


def _is_about(at: "Place", problem: Problem) -> bool:
    return problem.file == at.file and f"{problem.key}.".startswith(f"{at.key}.")


def _place(config: Config, table: KeyPath) -> "Place":
    from evaltui.settings.source import read_source

    return read_source(config.root / config.file).place(table)


def _placed(at: "Place", what: str, hint: str, code: str) -> Problem:
    return Problem(at.file, what, hint, at.line, at.column, at.key, code=code)


def _is_there(config: Config, table: KeyPath) -> bool:
    """Whether the settings have it; an agent may be typed instead."""
    if table == JUDGE_TABLE:
        return config.judge is not None
    return table[-1] in config.profiles


def _in_the_way(config: Config, table: KeyPath, error: UserError) -> Problem:
    # Nothing is wrong with the file, and who only checks it need not have the secrets.
    severity = Severity.WARNING if isinstance(error, MissingSecretError) else Severity.ERROR
    if not config.file or not _is_there(config, table):
        return Problem("", error.what, error.hint, severity=severity, code="agent")
    problem = _placed(_place(config, table), error.what, error.hint, "agent")
    return replace(problem, severity=severity)
