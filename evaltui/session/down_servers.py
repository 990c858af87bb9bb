"""Tools' servers that cannot be reached: what a run does about the cases that need them."""

from datetime import datetime
from time import time

from evaltui.core.agent import Agent
from evaltui.core.case import Case
from evaltui.core.config import Config
from evaltui.core.errors import SERVER_DOWN, Problem, Severity
from evaltui.core.outcome import Outcome
from evaltui.core.time_span import span_words
from evaltui.core.tool import ToolRegistry
from evaltui.judging.judge import not_asked
from evaltui.project import Project


class DownServers:
    """Those of one project, as one agent meets them."""

    def __init__(self, project: Project, agent: Agent, config: Config) -> None:
        down = [one for one in project.registry_problems if one.code == SERVER_DOWN]
        unknown = [one for one in down if one.severity is Severity.ERROR]
        traits = agent.traits
        asks = config.recordings != "replay"
        self._for_all = _outcome(unknown) if asks and traits.reads_registry else None
        self._for_executed = _outcome(down) if asks and traits.executes_tools else None

    def outcome(self, case: Case) -> Outcome | None:
        """Why it is no use to ask the agent; `None` when it is.

        One that is shown the registry would choose among fewer tools than there are, and one whose
        calls are executed would be told that they failed.
        """
        return self._for_all or (self._for_executed if case.stubs is None else None)


def age_of_tools(registry: ToolRegistry, now: float | None = None) -> str:
    """How old the tools are whose source cannot be read now, in a sentence; empty without any."""
    as_of = registry.as_of
    if not as_of:
        return ""
    oldest = min(as_of.values())
    age = span_words((time() if now is None else now) - oldest)
    when = f"{datetime.fromtimestamp(oldest).astimezone():%Y-%m-%d %H:%M:%S}"
    which = f"{len(as_of)} of {len(registry)} tools are" if len(registry) > 1 else "The tool is"
    return f"{which} as listed {age} ago ({when}): the source cannot be read now."


def _outcome(down: list[Problem]) -> Outcome | None:
    if not down:
        return None
    problem = down[0]
    return not_asked(f"tools: {problem.what}. {problem.hint}".strip(), "tools_down")
