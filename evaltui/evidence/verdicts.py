"""Verdicts as a pack holds them."""

from collections.abc import Sequence
from typing import Any

from evaltui.core.clusters import GROUP
from evaltui.core.verdict import Verdict
from evaltui.evidence.case_row import Asserted
from evaltui.traces.judge_row import issues_of, row_of


def case_verdicts(
    case_id: str,
    verdicts: Sequence[Verdict],
    group: str = "",
    asserted: Asserted | None = None,
) -> dict[str, Any]:
    """What all judges say of one case: it passed when every judge that was not skipped did.

    `group` is that of the case; it is written only where there is one, as packs were before, and
    what was asserted where that is known.
    """
    results = [row_of(case_id, one) for one in verdicts]
    failed = [one for one in results if not one["passed"]]
    return {
        "case_id": case_id,
        "passed": not failed,
        "hard_failed": any(one["hard_fail"] for one in failed),
        "replay_issues": issues_of(verdicts),
        "judge_results": results,
        **({GROUP: group} if group else {}),
        **({} if asserted is None else {"asserted": asserted}),
    }
