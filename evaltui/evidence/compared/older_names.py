"""What early packs of eval files call the evaluators of a trace: by their types alone."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from evaltui.core.verdict import EVALUATOR
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.side import Side
from evaltui.evidence.packs.pack_shapes import AGENT_RUN


def by_names_of_now(side: Side) -> Side:
    """The side with these evaluators named as today. One that has the name of a judge of the same
    case stays as it is: there the two make one verdict."""
    if side.config.get("execution_mode") != AGENT_RUN or side.cases is None:
        return side
    names: dict[str, str] = {}
    rows = {id_: _row(row, names) for id_, row in side.cases.items()}
    if not names:
        return side
    others = {one.judge_id for row in rows.values() for one in row.judge_results}
    renamed = {old: new for old, new in names.items() if old not in others}
    judges = None if side.judges is None else _renamed(side.judges, renamed)
    rates: Mapping[str, float] = side.summary.get("judge_pass_rates") or {}
    return replace(
        side,
        cases=rows,
        config={**side.config, "judges": judges},
        summary={
            **side.summary,
            "judge_pass_rates": {renamed.get(name, name): rate for name, rate in rates.items()},
        },
    )


def _row(row: CaseRow, names: dict[str, str]) -> CaseRow:
    """What is asserted tells which of its judges are evaluators; `names` takes in what it found."""
    asserted = row.asserted or {}
    old = {
        one.judge_id: f"{EVALUATOR}{one.judge_id}"
        for one in row.judge_results
        if one.judge_id not in asserted and f"{EVALUATOR}{one.judge_id}" in asserted
    }
    if not old:
        return row
    names |= old
    judged = (
        replace(one, judge_id=old.get(one.judge_id, one.judge_id)) for one in row.judge_results
    )
    return replace(row, judge_results=tuple(judged))


def _renamed(judges: Iterable[str], names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names.get(one, one) for one in judges))
