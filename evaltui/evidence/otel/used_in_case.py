"""What a case of a pack used as a whole, which no event of it tells."""

from collections.abc import Sequence
from pathlib import Path

from evaltui.core.json_value import Json
from evaltui.disk.atomic import safe_name
from evaltui.evidence.otel.pack_events import Step
from evaltui.evidence.packs.pack_documents import read_object
from evaltui.files import is_file
from evaltui.traces.measured import used_in_all


def used_in_case(pack: Path, case: Sequence[Step]) -> dict[str, Json]:
    """Tokens and cost, under the names of `gen_ai.usage`; nothing where the pack does not hold the
    case. Raises OSError, SuiteMistake and UserError."""
    path = pack / "cases" / safe_name(case[0].row.case_id) / "trajectory.json"
    metadata = read_object(path).get("metadata") if is_file(path) else None
    return used_in_all(metadata if isinstance(metadata, dict) else {})
