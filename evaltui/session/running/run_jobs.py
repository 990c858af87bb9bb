"""The jobs of one run: those of its cases, and those of further trials of them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.json_value import Json
from evaltui.core.judge import Panel
from evaltui.core.result import CaseResult
from evaltui.project import Project
from evaltui.runner.job import Job
from evaltui.session.running.jobs import NO_ATTEMPTS, Attempts, Held, in_force, jobs_of, not_held
from evaltui.session.running.run_request import RunRequest


class RunJobs:
    """Of the project and the settings as they were when the run was made."""

    def __init__(
        self,
        request: RunRequest,
        agent: Agent,
        project: Project,
        config: Config,
        panel: Panel | None,
    ) -> None:
        self._request, self._agent = request, agent
        self._project, self._config, self._panel = project, config, panel
        self._attempts = NO_ATTEMPTS
        self.snapshot: Json = None
        """What all of them are asked with, once that is known."""

    def take_over(self, keys: Iterable[CaseKey]) -> Iterator[CaseResult]:
        """What an interrupted run had made of these cases, which is not made again."""
        self._attempts = in_force(
            self._project,
            self._agent,
            keys,
            self._request.attempts,
            trials=self._request.trials,
        )
        return chain.from_iterable(self._attempts.values())

    def of(self, keys: Iterable[CaseKey], held: Held = not_held) -> Iterator[Job]:
        """In that order. `held`: why a case is not run at the moment."""
        return self._made(keys, self._attempts, held)

    def further(self, wanted: Mapping[CaseKey, int]) -> Iterator[Job]:
        """One more trial of each, by the number that it gets."""
        for job in self._made(wanted):
            yield replace(job, trials=1, first_trial=wanted[job.case.key])

    def _made(
        self, keys: Iterable[CaseKey], attempts: Attempts = NO_ATTEMPTS, held: Held = not_held
    ) -> Iterator[Job]:
        return jobs_of(
            self._project,
            self._agent,
            self._config,
            keys,
            trials=self._request.trials,
            snapshot=self.snapshot,
            attempts=attempts,
            panel=self._panel,
            held=held,
        )
