"""What was asserted in a pack that does not list it, such as another program's: from its cases."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.packs.held_files import HeldFiles
from evaltui.evidence.packs.pack_shapes import AGENT_RUN
from evaltui.files import leads_out
from evaltui.traces.reading import decode_json, read_case


def with_asserted(
    files: HeldFiles, rows: Mapping[str, CaseRow], config: Mapping[str, Any]
) -> Mapping[str, CaseRow]:
    """The rows with what their cases hold; one whose case cannot be read stays as it is.

    Raises OSError, and UserError for a case that is not as it was written.
    """
    is_told = all(row.asserted is not None for row in rows.values())
    if is_told or config.get("execution_mode") == AGENT_RUN:
        return rows
    from evaltui.evidence.asserted import asserted_of_trace  # all judges there are

    known = dict(rows)
    for file in (files.pack / "cases").glob("*/trajectory.json"):
        if not files.recorded and leads_out(file, files.pack):
            continue
        data = files.read(file.relative_to(files.pack).as_posix())
        try:
            case = read_case("", decode_json(data or b"", str(file)), 0)
        except UserError:
            continue
        row = known.get(case.id)
        if row is not None and row.asserted is None:
            judged = ((one.judge_id, one.skipped) for one in row.judge_results)
            found = {name: tuple(one) for name, one in asserted_of_trace(case, judged).items()}
            known[case.id] = replace(row, asserted=found)
    return known
