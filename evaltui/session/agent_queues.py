"""The agents under test: made of the settings, each with its queue."""

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING, EMBEDDED
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import MissingSecretError, Problem, UserError
from evaltui.core.events import RunFinished
from evaltui.core.key_path import KeyPath
from evaltui.core.spent import Spent
from evaltui.disk.history.history_file import HistoryError
from evaltui.net.secret_sources import ENV_FILE
from evaltui.project import (
    JUDGE_TABLE,
    agent_problems,
    agent_table,
    refusal,
    trusted_agent,
    unmade_error,
)
from evaltui.runner import run_problems
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.baselines import Baselines
from evaltui.session.configured_agent import ConfiguredAgent
from evaltui.session.judges import Judges
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest

if TYPE_CHECKING:
    from evaltui.agents.recordings.recorder import Recorder
    from evaltui.disk.damage import Report


class AgentQueues:
    """Exchanges agents when the settings or the files they are made of change."""

    def __init__(
        self, state: ProjectState, spending: Spending, baselines: Baselines, judges: Judges
    ) -> None:
        self.by_name: Mapping[str, AgentQueue] = {}
        """In the order of the settings; another mapping once they changed."""
        self._is_made = False
        self._state = state
        self._spending = spending
        self._baselines = baselines
        self._judges = judges

    @property
    def is_busy(self) -> bool:
        """Whether something is run from here, or waits for its turn: the one owner of that."""
        return any(queue.is_busy for queue in self.by_name.values())

    @property
    def is_rejudging(self) -> bool:
        """Whether kept answers are judged again, or wait for that."""
        return any(queue.is_rejudging for queue in self.by_name.values())

    @property
    def has_run_saved(self) -> bool:
        """Whether what was saved made something due, and all of that has run."""
        made = [queue.due for queue in self.by_name.values() if queue.due.of_save.cases]
        return bool(made) and not any(due.saved for due in made)

    @property
    def files(self) -> frozenset[Path]:
        """The files that the agents are made of."""
        return frozenset(file for queue in self.by_name.values() for file in queue.agent.files)

    @property
    def watched(self) -> frozenset[Path]:
        """Whatever of the project can make one of them answer otherwise."""
        return self._making | self._state.project.sources.watched

    @property
    def _making(self) -> frozenset[Path]:
        """Their files, where others may appear, and what variables in their settings are filled in
        from."""
        config = self._state.config
        has_variables = any("${" in str(one.options) for one in config.agents)
        variables = {config.root / ENV_FILE} if has_variables else frozenset[Path]()
        return self.files | self._awaited | variables

    @property
    def _awaited(self) -> frozenset[Path]:
        return frozenset(path for queue in self.by_name.values() for path in queue.agent.awaited)

    def concerned_by(self, paths: Collection[Path]) -> set[Path]:
        """Those of the paths whose change can make an agent another one."""
        watched, folders = self._making, self._awaited
        return {path for path in paths if path in watched or path.parent in folders}

    def chosen(self, agents: Collection[str] | None) -> list[AgentQueue]:
        """The queues of these agents; of all for `None`."""
        return [queue for name, queue in self.by_name.items() if agents is None or name in agents]

    def to_ask(self, agents: Collection[str] | None) -> list[AgentQueue]:
        """Of these agents those that can be asked. Raises UserError where none can."""
        chosen = self.chosen(agents)
        found = [queue for queue in chosen if not queue.configured.lacks]
        if chosen and not found:
            raise UserError(f"Nothing was run: {chosen[0].configured.lacks}.")
        return found

    def why_not_ask(self, agent: str) -> str:
        """Why an agent cannot be asked, without a full stop; empty: it can, or nobody tried yet."""
        if agent in self.by_name:
            return self.by_name[agent].configured.lacks
        return "its settings cannot be used: 4 says why" if self._is_made else ""

    async def update(self, *, is_strict: bool = False, may_lack_secrets: bool = False) -> bool:
        """Make the agents of the settings in force. Returns whether one would answer otherwise.

        An agent that is the same as before keeps its queue. One that cannot be made is a problem;
        with `is_strict` it raises UserError. One whose secrets are not set is such a problem too:
        its results can be looked at, and it is not asked. `may_lack_secrets`: it is none, and its
        requests are errors.
        """
        before, queues = self.by_name, dict[str, AgentQueue]()
        for made in self._make(is_strict=is_strict, may_lack_secrets=may_lack_secrets):
            name = made.agent.name
            queue = before.get(name)
            if queue is not None and queue.configured.is_same(made):
                queue.agent.awaited = made.agent.awaited
                await made.agent.close()
            else:
                successor = AgentQueue(
                    made, self._state, self._spending, self._baselines, self._judges
                )
                if queue is not None:
                    successor.due.succeed(queue.due)
                else:
                    successor.due.is_opened = self._is_made  # else it was there before any save
                queue = successor
            queues[name] = queue
        self.by_name, self._is_made = queues, True
        knowing = all(queue.agent.knows_files for queue in queues.values())
        if not (knowing and self._state.project.evaluators.know_files):
            await asyncio.to_thread(lambda: self._state.project.sources.print)  # as of now
        gone = [queue for name, queue in before.items() if queues.get(name) is not queue]
        for queue in gone:
            await queue.close()
        return bool(gone) or len(queues) != len(before)

    async def execute(self, asked: Mapping[AgentQueue, RunRequest]) -> tuple[RunFinished, ...]:
        """Run these and wait for the results. Raises UserError where nothing may run."""
        if place := self._state.unusable:
            what = f"Nothing was run: the settings cannot be used ({place})."
            raise UserError(what, "Correct them first.")
        if self._state.untrusted and not all(one.is_rejudging for one in asked.values()):
            raise refusal(self._state.untrusted)
        runs = [asyncio.ensure_future(queue.execute(one)) for queue, one in asked.items()]
        try:
            finished = await asyncio.gather(*runs)
        finally:  # one that breaks off leaves no other behind, whose files are closed next
            for run in runs:
                run.cancel()
            await asyncio.gather(*runs, return_exceptions=True)
        try:
            await self.load_history()
        except HistoryError as error:  # no reason to keep silent about what ran
            self._state.events.report(run_problems.not_recorded(error))
        return tuple(finished)

    def take_over(self, agent: str, spent: Spent) -> None:
        """Interrupted runs of this agent spent so much."""
        is_known = agent in self.by_name or agent == ALL_JUDGING
        self._spending.budgets.take_over(spent, agent if is_known else None)

    async def load_history(self) -> None:
        """Have all boards know earlier results and baselines. Raises UserError, HistoryError."""
        for queue in tuple(self.by_name.values()):
            await queue.load_history()

    async def follow_history(self) -> None:
        """Like `load_history`; what cannot be read is a problem as long as it cannot."""
        found: dict[Problem, None] = {}
        for name, queue in tuple(self.by_name.items()):
            try:
                await queue.load_history()
            except UserError as error:
                found[_baseline_problem(self._state.config, error)] = None
            except HistoryError as error:
                found[run_problems.not_loaded(name, error)] = None
        self._state.emit_unloaded("results", found)

    async def close(self) -> None:
        await asyncio.gather(*(queue.close() for queue in self.by_name.values()))
        await self._judges.close()

    def _make(self, *, is_strict: bool, may_lack_secrets: bool) -> list[ConfiguredAgent]:
        config = self._state.config
        recorder = _recorder(config, self._state.damage.report)
        made: list[ConfiguredAgent] = []
        unmade: dict[KeyPath, UserError] = {}
        for profile in config.agents:
            may_lack, lacks = may_lack_secrets or recorder is not None, ""
            try:
                try:
                    agent = self._agent(profile, may_lack_secrets=may_lack)
                except MissingSecretError as error:
                    if is_strict:
                        raise
                    agent = self._agent(profile, may_lack_secrets=True)
                    lacks, unmade[agent_table(profile.name)] = error.what.rstrip("."), error
            except UserError as error:
                table = agent_table(profile.name)
                if is_strict:
                    raise unmade_error(config, table, error) from None
                unmade[table] = error
                continue
            if profile.type != EMBEDDED:
                agent = self._counted(agent, recorder)
            made.append(
                ConfiguredAgent(agent, profile, config.recordings, config.recording_dir, lacks)
            )
        self._spending.budgets.follow_settings({one.agent.name: one.profile for one in made})
        unmade |= self._judges.update(
            recorder, is_strict=is_strict, may_lack_secrets=may_lack_secrets
        )
        self._state.agent_problems = agent_problems(config, unmade)
        self._state.unmade_judge = _place_of_judge(config, unmade)
        self._state.agents = tuple(one.agent.name for one in made)
        self._state.sampled_agents = tuple(
            one.agent.name for one in made if not one.agent.traits.is_deterministic
        )
        return made

    def _agent(self, profile: AgentProfile, *, may_lack_secrets: bool) -> Agent:
        """Raises UserError."""
        execute = self._state.execute
        return trusted_agent(
            self._state.config, profile, execute, may_lack_secrets=may_lack_secrets
        )

    def _counted(self, agent: Agent, recorder: "Recorder | None") -> Agent:
        """With all its requests counted, but for those that are answered from a recording."""
        from evaltui.agents.metered import metered

        meter = self._spending.budgets.meter(agent.name, agent.traits)
        agent = metered(agent, meter)
        if recorder is None:
            return agent
        from evaltui.agents.recordings.recorded_agents import recorded

        return recorded(agent, recorder)


def _place_of_judge(config: Config, unmade: Mapping[KeyPath, UserError]) -> str:
    """Where the judge stands that cannot be made, and not only since its secrets are missing here;
    empty where it can."""
    error = unmade.get(JUDGE_TABLE)
    if error is None or isinstance(error, MissingSecretError):
        return ""
    *_, problem = agent_problems(config, {JUDGE_TABLE: error})
    return problem.place or "settings"


def _baseline_problem(config: Config, error: UserError) -> Problem:
    """That what the settings name cannot be compared with, at its place where the file has one."""
    from evaltui.settings.source import read_source

    source = read_source(config.root / config.file) if config.file else None
    for key in ("baseline_run_id", "baselineRunId"):
        if source is not None and key in source.table:
            place = source.locate((key,))
            return Problem(config.file, error.what, error.hint, *place, key, code="baseline")
    return Problem("", error.what, error.hint, code="baseline")


def _recorder(config: Config, report: "Report") -> "Recorder | None":
    """What records and replays all agents but the embedded one, which is as quickly asked."""
    if config.recordings == "off":
        return None
    from evaltui.agents.recordings.recorder import Recorder, RecordingMode
    from evaltui.disk.recordings import RecordingFolder

    folder = RecordingFolder(config.root / config.recording_dir, config.root, report)
    return Recorder(folder, RecordingMode(config.recordings))
