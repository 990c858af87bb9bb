"""What is taken over from runs that were interrupted: what they spent, and what they left."""

from collections.abc import Mapping

from evaltui.core.events import RunFinished
from evaltui.core.spent import Spent
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest


class InterruptedRuns:
    """Goes on with interrupted runs, and with the commands that they belong to."""

    def __init__(self, project: ProjectState, queues: AgentQueues) -> None:
        self._project, self._queues = project, queues

    def take_over(self, interrupted: Mapping[str, Mapping[str, Spent]]) -> Mapping[str, Spent]:
        """Go on with interrupted commands, by id, within the limit of all: what they spent, by
        agent, those included that are not asked now.

        What is given is what their journals tell; it counts of commands of which nothing else is
        known. Raises UserError where another process goes on with one of them.
        """
        command = self._project.record.begin_command()
        known = command.go_on(interrupted)
        of_journals = {one: by_agent for one, by_agent in interrupted.items() if one not in known}
        spent: dict[str, Spent] = {}
        for by_agent in (*known.values(), *of_journals.values()):
            for agent, more in by_agent.items():
                spent[agent] = spent[agent].with_more(more) if agent in spent else more
        command.begin(spent, interrupted)
        for agent, of_agent in spent.items():
            self._queues.take_over(agent, of_agent)
        return spent

    async def go_on(self, rest: Mapping[str, RunRequest]) -> tuple[RunFinished, ...]:
        """Run what interrupted runs left, by agent, and wait for the results.

        Raises UserError where nobody agreed to what would be run and sent.
        """
        queues = self._queues.by_name
        return await self._queues.execute({queues[agent]: asked for agent, asked in rest.items()})
