"""Runs: started, cancelled, listed, and reported from their journals."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

from evaltui.api.event_stream import stream_of
from evaltui.api.faults import Conflict, NotFound
from evaltui.api.held_run import HeldRun
from evaltui.api.run_record import RunRecord, read_record, row_of_point, row_of_started
from evaltui.api.run_wanted import RunWanted
from evaltui.api.scopes import EVERYTHING, Scope
from evaltui.api.served_project import ServedProject
from evaltui.core.agent_name import EMBEDDED
from evaltui.core.config import Config
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.disk.atomic import safe_path
from evaltui.disk.journal.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.own_folder import own_folder
from evaltui.disk.results.results_folder import check_output_dir
from evaltui.files import open_file
from evaltui.formats.naming import is_scenario_file
from evaltui.project import Project
from evaltui.project.evalstudio_runs import evalstudio_runs
from evaltui.reporters.problem_json import problem_json
from evaltui.scenarios.known_conversations import KnownConversations
from evaltui.scenarios.run_ids import the_id

MOST_AT_ONCE = 4
MOST_FOLLOWING = 64
"""Streams of events at once: each holds a file and a connection open."""
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Runs:
    """Starts and cancels runs, and finds those that are on and those that are kept.

    `close` ends those that are on and comes last. All methods raise UserError.
    """

    def __init__(self, project: ServedProject) -> None:
        self._project = project
        self._held: set[HeldRun] = set()
        self._beginning = 0
        """Those whose settings are being read."""
        self._following = 0
        self._ends: set[asyncio.Task[None]] = set()

    async def start(self, wanted: RunWanted) -> dict[str, Json]:
        """A run for each agent, once all of them began."""
        on = len(self._held) + self._beginning
        if on >= MOST_AT_ONCE:
            raise Conflict(f"{on} runs are running.", "Wait for one, or cancel one.")
        self._beginning += 1
        try:
            held = await self._made(wanted)
        finally:
            self._beginning -= 1
        self._held.add(held)
        end = asyncio.create_task(self._forget(held))
        self._ends.add(end)
        end.add_done_callback(self._ends.discard)
        await held.begun()
        body: dict[str, Json] = {"runs": [row_of_started(one) for one in held.started.values()]}
        if held.problems:
            body["problems"] = [problem_json(one) for one in held.problems]
        return body

    async def cancel(self, run_id: str) -> RunRecord:
        held = self.held(run_id)
        if held is None:
            await self.get(run_id)  # or there is no such run
            hint = "Only runs that were started here and are still running can be cancelled."
            raise Conflict(f"The run `{run_id}` is not running here.", hint)
        await held.cancel(run_id)
        return await self.get(run_id)

    async def get(self, run_id: str) -> RunRecord:
        held = self.held(run_id)
        if held is not None:
            held.flush()
        path = self.journal(run_id)
        try:
            return await asyncio.to_thread(read_record, path, is_on=held is not None)
        except UserError:
            if (now := self.journal(run_id)) == path:
                raise
            return await asyncio.to_thread(read_record, now, is_on=False)  # it ended meanwhile

    async def conversation(self, id_: str, scope: Scope = EVERYTHING) -> dict[str, Json]:
        """One scenario of a run, by the id that `evaltui runs list` has, or how it begins.

        Raises NotFound, and UserError where several begin so.
        """
        project = await self._project.read()
        found = await asyncio.to_thread(self._conversation, project, scope, id_)
        return found if found is not None else _no_run(id_)

    def _conversation(self, project: Project, scope: Scope, id_: str) -> dict[str, Json] | None:
        cases = [case for suite in project.suites for case in suite.cases]
        history = self._project.history(project.config)
        try:
            known = KnownConversations(history, cases, is_scenario_file=is_scenario_file)
            ours = {one.id: one for one in known if scope.has(one.key.suite)}
            theirs = {str(one["id"]): one for one in evalstudio_runs(project, scope.has).runs}
            wanted = the_id(theirs | ours, id_)
            found = ours.get(wanted)
            return theirs.get(wanted) if found is None else found.as_json()
        finally:
            history.close()

    @asynccontextmanager
    async def events(self, run_id: str, offset: int) -> AsyncIterator[AsyncIterator[bytes]]:
        """As server-sent events, from a place in its journal on; its file is closed at the end,
        whether or not anything was read. Raises Conflict while as many are followed as can be."""
        if self._following >= MOST_FOLLOWING:
            what = f"{self._following} streams of events are open already."
            hint = "End one, or ask for what is known now: `GET /api/runs/ID`."
            raise Conflict(what, hint)
        self._following += 1
        try:
            with self._opened(run_id) as file:
                async with aclosing(stream_of(file, self.held(run_id), offset)) as events:
                    yield events
        finally:
            self._following -= 1

    async def all(self, agent: str = "") -> list[dict[str, Json]]:
        """Those that are on first, then the kept ones of all agents, newest first."""
        config = self._project.read_settings().config
        on = [one for held in self._held for one in held.started.values() if self.held(one.run_id)]
        kept = await asyncio.to_thread(self._kept, config, {one.run_id for one in on})
        rows = [*map(row_of_started, on), *kept]
        return [row for row in rows if not agent or row["agent"] == agent]

    def held(self, run_id: str) -> HeldRun | None:
        """The request that the run belongs to; `None` once it has finished."""
        for held in self._held:
            if run_id in held.started and run_id not in held.finished:
                return held
        return None

    def journal(self, run_id: str) -> Path:
        """Where it is recorded. Raises NotFound."""
        folder = own_folder(self._project.read_settings().config.root) / "runs"
        if _ID.fullmatch(run_id):
            # The open one first: it is renamed when the run ends.
            for suffix in (OPEN_SUFFIX, SUFFIX):
                path = safe_path(folder, run_id, suffix=suffix)
                if path.is_file():
                    return path
        return _no_run(run_id)

    async def close(self) -> None:
        await asyncio.gather(*(held.close() for held in self._held))

    def _opened(self, run_id: str) -> BinaryIO:
        try:
            return open_file(self.journal(run_id))
        except FileNotFoundError:
            return open_file(self.journal(run_id))  # it ended meanwhile

    async def _made(self, wanted: RunWanted) -> HeldRun:
        overrides = self._project.overrides
        read = await asyncio.to_thread(self._project.trusted_settings)
        if wanted.agents:
            _check_agents(read.config, wanted.agents)
            overrides = {**overrides, "agent": tuple(wanted.agents)}
            read = await asyncio.to_thread(self._project.trusted_settings, overrides)
        check_output_dir(read.config.root / read.config.output_dir)
        return HeldRun(read, overrides, wanted)

    def _kept(self, config: Config, on: Iterable[str]) -> list[dict[str, Json]]:
        history = self._project.history(config)
        try:
            points = [(agent, one) for agent in history.agents() for one in history.runs(agent)]
        finally:
            history.close()
        points.sort(key=lambda pair: pair[1].at, reverse=True)
        return [row_of_point(agent, one) for agent, one in points if one.run_id not in on]

    async def _forget(self, held: HeldRun) -> None:
        await held.ended()
        self._held.discard(held)


def _no_run(run_id: str) -> NoReturn:
    what = f"There is no run `{run_id}`, or it is not kept."
    raise NotFound(what, "`GET /api/runs` lists them.")


def _check_agents(config: Config, names: Iterable[str]) -> None:
    known = {EMBEDDED, *config.profiles, *(one.name for one in config.agents)}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"There are `{'`, `'.join(sorted(known))}`."
            raise NotFound(f"There is no agent `{name}` in the settings.", hint)
