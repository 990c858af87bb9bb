"""Everything on disk that a run needs: suites, tool registry, seed, and the Inputs of each case."""

from evaltui.project.diagnostics.agent_problems import (
    JUDGE_TABLE,
    agent_problems,
    agent_table,
    unmade_agents,
    unmade_error,
)
from evaltui.project.gate import permit_reader, registry_reader, trusted_agent, trusted_snapshot
from evaltui.project.problems import (
    Around,
    files_unread_since,
    findings,
    project_problems,
    reading_problems,
    with_few,
    without_files,
)
from evaltui.project.project import Project
from evaltui.project.reach import tool_files
from evaltui.project.reading import project_read_once, read_project
from evaltui.project.trust import (
    agree,
    all_grants,
    left_out,
    missing_grants,
    refusal,
    refuse_untrusted,
)

__all__ = [
    "JUDGE_TABLE",
    "Around",
    "Project",
    "agent_problems",
    "agent_table",
    "agree",
    "all_grants",
    "files_unread_since",
    "findings",
    "left_out",
    "missing_grants",
    "permit_reader",
    "project_problems",
    "project_read_once",
    "read_project",
    "reading_problems",
    "refusal",
    "refuse_untrusted",
    "registry_reader",
    "tool_files",
    "trusted_agent",
    "trusted_snapshot",
    "unmade_agents",
    "unmade_error",
    "with_few",
    "without_files",
]
