"""What cases had come to before a run that was interrupted."""

import sqlite3
from collections.abc import Iterator, Mapping

from evaltui.core.case import CaseKey
from evaltui.core.comparison import StoodBefore
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult
from evaltui.disk.history.history_queries import rows_of
from evaltui.disk.history.shared_inputs import answered_row
from evaltui.disk.history.status_letters import STATUSES

_BEFORE = """
WITH counted AS (SELECT past."case" AS id, max(seq) AS newest,
  max(CASE WHEN number<:number THEN seq END) AS last,
  max(CASE WHEN number<:number AND (status='F' OR (status='P' AND coalesce(asserted, 1)>0))
      THEN seq END) AS judged
  FROM past JOIN runs ON runs.id=past.run WHERE past."case"=:case GROUP BY past."case")
SELECT run_id, then_.status, then_.duration_ms, then_.finished_at, then_.error, then_.passes,
  then_.trials, then_.calls, coalesce(then_.asserted, 1), verdict.status, then_.same, now.same
FROM counted JOIN past then_ ON then_."case"=counted.id AND then_.seq=last
  JOIN past now ON now."case"=counted.id AND now.seq=newest
  LEFT JOIN past verdict ON verdict."case"=counted.id AND verdict.seq=judged
  JOIN runs ON runs.id=then_.run
WHERE last<newest
"""


def stood_before(
    connection: sqlite3.Connection,
    agent: str,
    now: Mapping[CaseKey, CaseResult | None],
    number: int,
) -> tuple[StoodBefore, ...]:
    """The last result of each case before the run of that number, of those that have another
    since; `now` is their last one."""
    found = (_of_case(connection, agent, key, result, number) for key, result in now.items())
    return tuple(one for case in found for one in case)


def _of_case(
    connection: sqlite3.Connection, agent: str, key: CaseKey, now: CaseResult | None, number: int
) -> Iterator[StoodBefore]:
    for row in rows_of(connection, agent, (key,)):
        for (
            run_id, status, duration, at, error, passes, trials, calls, asserted, verdict,
            same, same_now,
        ) in connection.execute(_BEFORE, {"case": row, "number": number}):  # fmt: skip
            is_same = answered_row(same) == answered_row(same_now)
            result = CaseResult(
                key, run_id, agent, STATUSES[status], "", duration, assertions_run=asserted,
                error=error, finished_at=at, trials=trials, passes=passes, calls=calls,
                # They matter where one side was tried more often alone.
                inputs=now.inputs if now is not None and is_same and now.trials != trials
                else Inputs(),
            )  # fmt: skip
            yield StoodBefore(result, STATUSES[verdict] if verdict else None)
