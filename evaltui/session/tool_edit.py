"""Which cases a change of tools cannot touch, found without working out their inputs."""

from evaltui.core.agent import Agent
from evaltui.core.case import Case
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.core.weighed import read_prints
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
        then, and any that has to do with the message now. Who mentions others makes no difference,
        nor what is said of them in words that the message does not say.
        """
        if result is None or result.inputs.shown is None or asks_persona(case):
            return True
        if self._before.suite(suite.id) is not suite:
            return True  # its file was read again too
        was_weighed = any(text in result.inputs.shown for text in self._shown)
        if not (was_weighed or self._has_to_do(case.message, result)):
            return False
        return not (read_prints(result.inputs.shown) and self._is_read_alike(case.message))

    def _has_to_do(self, message: str, result: CaseResult) -> bool:
        """Whether one of the tools has to do with the message; before too, where one may have been
        weighed and edited since then, in words that the message does not say."""
        is_of_before = result.inputs.all_tools == self._before.tool_prints.whole
        for project in (self._now,) if is_of_before else (self._now, self._before):
            reach = self._agent.reach(message, project.registry)
            if reach is None or not self._tools.isdisjoint(reach):
                return True
        return False

    def _is_read_alike(self, message: str) -> bool:
        """Whether the agent reads the same of all of the tools for the message as before."""
        tools, read = self._tools, self._agent.read_prints
        now = read(message, self._now.registry, tools)
        return len(now) == len(tools) and now == read(message, self._before.registry, tools)
