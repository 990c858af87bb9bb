"""Everything on disk that a run needs: suites, tool registry, seed, and the Inputs of each case."""

from evaltui.project.agent_problems import agent_problems, unmade_agents, unmade_error
from evaltui.project.problems import findings, in_order, project_problems, reading_problems
from evaltui.project.project import Project
from evaltui.project.reading import read_project, registry_reader

__all__ = [
    "Project",
    "agent_problems",
    "findings",
    "in_order",
    "project_problems",
    "read_project",
    "reading_problems",
    "registry_reader",
    "unmade_agents",
    "unmade_error",
]
