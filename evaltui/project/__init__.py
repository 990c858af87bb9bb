"""Everything on disk that a run needs: suites, tool registry, seed, and the Inputs of each case."""

from evaltui.project.problems import project_problems
from evaltui.project.project import Project
from evaltui.project.reading import read_project, registry_reader

__all__ = ["Project", "project_problems", "read_project", "registry_reader"]
