"""Creates agents, tool readers and snapshots, as far as somebody agreed to them."""

from typing import TYPE_CHECKING

from evaltui.agents import make_agent
from evaltui.agents.untrusted import UntrustedAgent
from evaltui.core.agent import Agent
from evaltui.core.config import AgentProfile, Config
from evaltui.core.json_value import Json
from evaltui.core.workspace_files import CONFIG
from evaltui.disk.last_tools import ToolFiles
from evaltui.disk.own_folder import own_folder
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.net.secret_mask import project_secrets
from evaltui.project.trust import (
    agent_grants,
    asked_grants,
    permit_of,
    places_outside,
    refusal,
    snapshot_grants,
)
from evaltui.registries import RegistryReader

if TYPE_CHECKING:
    from evaltui.agents.tool_loop import ToolExecutor
    from evaltui.evaluators.loading import EvaluatorLoader


def trusted_agent(
    config: Config,
    profile: AgentProfile,
    executor: "ToolExecutor | None" = None,
    *,
    may_lack_secrets: bool = False,
    by: str = "",
) -> Agent:
    """The agent of a profile; while nobody agreed to it one that answers nothing in its place, or,
    where all is replayed, one that has no secrets and is never asked.

    `by`: the setting that names it, where it is not under test. Raises UserError for an unknown
    type or option.
    """
    permit = permit_of(config)
    if permit.missing(agent_grants(config, profile, by)):
        return UntrustedAgent(profile)
    return make_agent(
        profile.type,
        profile.name,
        profile.options,
        root=config.root,
        executor=executor,
        may_lack_secrets=may_lack_secrets,
        is_never_asked=bool(permit.missing(asked_grants(config, profile, by))),
    )


def registry_reader(config: Config) -> RegistryReader:
    """One that knows the project's secrets, and what its sources listed in earlier sessions."""
    reader = RegistryReader(project_secrets, ToolFiles(own_folder(config.root)))
    permit_reader(reader, config)
    return reader


def permit_reader(reader: RegistryReader, config: Config) -> None:
    """From now on it does what was agreed to for these settings."""
    reader.permit, reader.outside = permit_of(config), places_outside(config)


def load_evaluators(config: Config, loader: "EvaluatorLoader") -> LoadedEvaluators:
    """Those that come along, and those of the settings that were agreed to. Runs the latter."""
    from evaltui.evaluators.plugin_entry import entries_of
    from evaltui.evaluators.registry import OF_EVALSTUDIO

    loader.permit = permit_of(config)
    written = (config.root / folder for folder in (config.output_dir, config.recording_dir))
    loader.outputs = frozenset(one for one in written if not config.root.is_relative_to(one))
    # A workspace was written for a program that knows few of those that come along.
    kept = OF_EVALSTUDIO if config.file == CONFIG else None
    return loader.load(entries_of(config), kept)


def evaluator_loader(config: Config) -> "EvaluatorLoader":
    """One that knows the project's secrets, so that no verdict repeats them."""
    from evaltui.agents.command_options import child_environment
    from evaltui.evaluators.loading import EvaluatorLoader

    secrets = project_secrets(config.root)
    child_environment({}, secrets)
    return EvaluatorLoader(secrets.mask)


async def trusted_snapshot(config: Config) -> Json:
    """The live values of the settings; `None` without. Raises UserError."""
    if not (config.snapshot_enabled and config.snapshot):
        return None
    if missing := permit_of(config).missing(snapshot_grants(config)):
        raise refusal(missing)
    from evaltui.runner.snapshot import capture_snapshot

    return await capture_snapshot(config.snapshot, config.root)
