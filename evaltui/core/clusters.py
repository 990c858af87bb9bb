"""Cases that belong together, so that what happens to one says something about the others."""

from collections.abc import Hashable

from evaltui.core.case import Case
from evaltui.core.json_value import JsonObject
from evaltui.core.suite import Suite

GROUP = "group"
"""Key of a case, of a trace's `metadata`, or of its suite's: the name of what they were written
from."""


def group_of(case: Case, metadata: JsonObject | None) -> str:
    """The case's own `group`, else that of its suite's `metadata`; empty without either."""
    for source in (case.extra, case.body.annotations, metadata or {}):
        group = source.get(GROUP)
        if isinstance(group, str | int) and group != "":
            return str(group)
    return ""


def group_in(case: Case, suite: Suite) -> str:
    """As `group_of`, of a case of this suite."""
    return group_of(case, suite.metadata.raw if suite.metadata is not None else None)


def cluster_of(case: Case, suite: Suite) -> Hashable:
    """Of the same value for cases of one group; a case without one is alone."""
    return group_in(case, suite) or case.key
