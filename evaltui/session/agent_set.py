"""The agents under test: made of the settings, and exchanged when the settings change."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.agents import make_agent
from evaltui.agents.tool_loop import ToolExecutor
from evaltui.core.agent import Agent
from evaltui.core.config import Config
from evaltui.core.errors import Problem, UserError
from evaltui.disk.baseline_reading import is_embedded
from evaltui.session.agent_queue import AgentQueue


class ConfiguredAgent(Struct, frozen=True):
    """An agent and all the settings that made it, those too that shape no answer."""

    agent: Agent
    made_of: object


class ConfiguredAgents(Struct, frozen=True):
    """In the order of the settings; an agent that could not be made is a problem instead."""

    agents: tuple[ConfiguredAgent, ...]
    problems: tuple[Problem, ...]


def make_agents(
    config: Config, *, is_strict: bool = False, execute: ToolExecutor | None = None
) -> ConfiguredAgents:
    """One agent for each chosen profile. Raises UserError for a bad one when strict.

    `execute` runs the calls of models that ask for it with `execute = "mcp"`.
    """
    with_recordings = _with_recordings(config)
    agents: list[ConfiguredAgent] = []
    problems: list[Problem] = []
    for profile in config.agents:
        try:
            agent = make_agent(
                profile.type,
                profile.name,
                profile.options,
                call_at=config.call_at,
                root=config.root,
                executor=execute,
            )
        except UserError as error:
            if is_strict:
                raise
            problems.append(Problem(config.file, error.what, error.hint, code="agent"))
            continue
        made_of = (profile, config.call_at, config.cassettes, config.cassette_dir)
        agents.append(ConfiguredAgent(with_recordings(agent), made_of))
    return ConfiguredAgents(tuple(agents), tuple(problems))


def _with_recordings(config: Config) -> Callable[[Agent], Agent]:
    """Records and replays as the settings say; the embedded agent costs nothing to ask again."""
    if config.cassettes == "off":
        return lambda agent: agent
    from evaltui.agents.recordings.recorded_agents import recorded
    from evaltui.agents.recordings.recorder import Recorder, RecordingMode
    from evaltui.disk.recordings import RecordingFolder

    folder = RecordingFolder(config.root / config.cassette_dir, config.root)
    recorder = Recorder(folder, RecordingMode(config.cassettes))
    return lambda agent: agent if is_embedded(agent.name) else recorded(agent, recorder)


async def replace_lines(
    before: Mapping[str, AgentQueue],
    agents: Iterable[ConfiguredAgent],
    new_line: Callable[[ConfiguredAgent], AgentQueue],
) -> dict[str, AgentQueue]:
    """A line for each agent: the one it had, if its settings did not change. Others are closed."""
    lines: dict[str, AgentQueue] = {}
    for made in agents:
        line = before.get(made.agent.name)
        if line is not None and _is_same(line, made):
            await made.agent.close()
        else:
            line = new_line(made)
        lines[made.agent.name] = line
    for name, line in before.items():
        if lines.get(name) is not line:
            await line.close()
    return lines


def _is_same(line: AgentQueue, made: ConfiguredAgent) -> bool:
    return line.made_of == made.made_of and line.agent.fingerprint == made.agent.fingerprint


def files_of(lines: Mapping[str, AgentQueue]) -> frozenset[Path]:
    """The files that the agents of these lines are made of."""
    files: set[Path] = set()
    for line in lines.values():
        files |= line.agent.files
    return frozenset(files)


def differ(agents: Iterable[ConfiguredAgent], lines: Mapping[str, AgentQueue]) -> bool:
    """Whether an agent would answer otherwise than the one of its line."""
    return any(
        (line := lines.get(made.agent.name)) is None or not _is_same(line, made) for made in agents
    )
