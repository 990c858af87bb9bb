"""Which cases a change of tools cannot touch, found without working out their inputs."""

from evaltui.core.agent import Agent
from evaltui.core.case import Case
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.kinds import asks_persona
from evaltui.project import Project


class ToolEdit:
    """Between two readings of a project of which nothing else that all cases share differs.

    Of a large board most cases have nothing to do with the tool that was edited, and comparing
    all inputs of a case takes ten times as long as finding that out.
    """

    def __init__(self, before: Project, now: Project, agent: Agent) -> None:
        self._before, self._now, self._agent = before, now, agent
        prints = before.tool_prints
        self._tools = now.tool_prints.differing(prints)
        shown = (prints.shown((tool,)) for tool in self._tools)
        self._shown = tuple(text for text in shown if text)

    def can_touch(self, case: Case, suite: Suite, result: CaseResult | None) -> bool:
        """Whether a result that was in force before may not be now.

        Of an agent that says which tools it weighed those count only: the ones that it weighed
        then, and any that has to do with the message now. Who mentions others makes no difference.
        """
        if result is None or result.inputs.shown is None or asks_persona(case):
            return True
        if self._before.suite(suite.id) is not suite:
            return True  # its file was read again too
        if any(text in result.inputs.shown for text in self._shown):
            return True
        reach = self._agent.reach(case.message, self._now.registry)
        return reach is None or not self._tools.isdisjoint(reach)
