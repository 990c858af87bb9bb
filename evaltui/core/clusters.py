"""Cases that belong together, so that what happens to one tells of the others."""

from collections.abc import Hashable

from evaltui.core.case import Case
from evaltui.core.suite import Suite

GROUP = "group"
"""Key of a case, or of its suite's `metadata`: the name of what they were written from."""


def cluster_of(case: Case, suite: Suite) -> Hashable:
    """Of the same value for cases that belong together: their own `group`, else their suite's; a
    case without either is alone."""
    raw = suite.metadata.raw if suite.metadata is not None else None
    for told in (case.extra, raw or {}):
        group = told.get(GROUP)
        if isinstance(group, str | int) and group != "":
            return str(group)
    return case.key
