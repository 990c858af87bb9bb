"""The agents under test: made of the settings, and exchanged when the settings change."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaltui.agent_line import AgentLine
from evaltui.agents import make_agent
from evaltui.agents.tool_loop import ToolExecutor
from evaltui.config import Config
from evaltui.core.agent import Agent, MadeOfFiles
from evaltui.core.errors import Problem, UserError


@dataclass(frozen=True, slots=True)
class MadeAgents:
    """In the order of the settings; an agent that could not be made is a problem instead."""

    agents: tuple[Agent, ...]
    problems: tuple[Problem, ...]


def make_agents(
    config: Config, *, is_strict: bool = False, execute: ToolExecutor | None = None
) -> MadeAgents:
    """One agent for each chosen profile. Raises UserError for a bad one when strict.

    `execute` runs the calls of models that ask for it with `execute = "mcp"`.
    """
    agents: list[Agent] = []
    problems: list[Problem] = []
    for profile in config.agents:
        try:
            agents.append(
                make_agent(
                    profile.type,
                    profile.name,
                    profile.options,
                    call_at=config.call_at,
                    root=config.root,
                    executor=execute,
                )
            )
        except UserError as error:
            if is_strict:
                raise
            problems.append(Problem(config.file, error.what, error.hint, code="agent"))
    return MadeAgents(tuple(agents), tuple(problems))


async def replace_lines(
    before: Mapping[str, AgentLine],
    agents: Iterable[Agent],
    new_line: Callable[[Agent], AgentLine],
) -> dict[str, AgentLine]:
    """A line for each agent: the one it had, if its settings did not change. Others are closed."""
    lines: dict[str, AgentLine] = {}
    for agent in agents:
        line = before.get(agent.name)
        if line is not None and line.agent.fingerprint == agent.fingerprint:
            await agent.close()
        else:
            line = new_line(agent)
        lines[agent.name] = line
    for name, line in before.items():
        if lines.get(name) is not line:
            await line.close()
    return lines


def files_of(lines: Mapping[str, AgentLine]) -> frozenset[Path]:
    """The files that the agents of these lines are made of."""
    files: set[Path] = set()
    for line in lines.values():
        if isinstance(line.agent, MadeOfFiles):
            files |= line.agent.files
    return frozenset(files)


def differ(agents: Iterable[Agent], lines: Mapping[str, AgentLine]) -> bool:
    """Whether an agent would answer otherwise than the one of its line."""
    return any(
        agent.name not in lines or lines[agent.name].agent.fingerprint != agent.fingerprint
        for agent in agents
    )
