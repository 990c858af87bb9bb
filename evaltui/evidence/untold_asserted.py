"""What was asserted in a pack that does not say it, as that of another program: its cases do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.evidence.asserted import asserted_of_trace
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.run_of_agent import MODE
from evaltui.files import RESULTS_LIMIT, is_file, leads_out, read_file
from evaltui.traces.reading import decode_json, read_case


def with_asserted(
    pack: Path, rows: Mapping[str, CaseRow], config: Mapping[str, Any]
) -> Mapping[str, CaseRow]:
    """The rows with what their cases hold; one whose case cannot be read stays as it is."""
    is_told = all(row.asserted is not None for row in rows.values())
    if is_told or config.get("execution_mode") == MODE:
        return rows
    known = dict(rows)
    for file in (pack / "cases").glob("*/trajectory.json"):
        if leads_out(file, pack) or not is_file(file):
            continue
        try:
            case = read_case("", decode_json(read_file(file, RESULTS_LIMIT), str(file)), 0)
        except (OSError, UserError):
            continue
        row = known.get(case.id)
        if row is not None and row.asserted is None:
            judged = ((one.judge_id, one.skipped) for one in row.judge_results)
            found = {name: tuple(one) for name, one in asserted_of_trace(case, judged).items()}
            known[case.id] = replace(row, asserted=found)
    return known
