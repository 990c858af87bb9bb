"""Lines of an earlier result file for cases that a later run did not run: written again unchanged.

A run writes the complete suites of its cases, and most of a large suite did not run: what a process
does not have in memory goes from file to file without being parsed.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import UNSET, Raw, Struct, UnsetType

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.codec import decode, encode
from evaltui.disk.results.result_file import CASE_START, parse_head
from evaltui.disk.results.result_wire import CaseWire
from evaltui.disk.results.whole_results import UNANSWERED
from evaltui.files import RESULTS_LIMIT, read_file


class _LineWire(Struct, rename="camel", gc=False):
    """What of a line decides whether it can stay as it is."""

    id: str
    response: Raw | UnsetType = UNSET
    verdicts: Raw | UnsetType = UNSET
    stale: bool = False
    carried_from: str = ""


def carried_lines(
    path: Path, result: SuiteResult, light: Collection[CaseKey]
) -> dict[CaseKey, bytes]:
    """Of the light cases of `result`, as far as this file has the answers of these very results.

    Nothing of a file that cannot be read or is not ours: it takes reading as a whole.
    """
    try:
        data = read_file(path, RESULTS_LIMIT)
        head = parse_head(data)
        if head is None or (head.suite, head.agent) != (result.suite, result.agent):
            return {}
        wanted = {case.key.case: case for case in result.cases if case.key in light}
        return dict(_lines(data, wanted, head.run_id, is_outdated=result.stale))
    except (OSError, ValueError):
        return {}


def _lines(
    data: bytes, wanted: dict[str, CaseResult], run_id: str, *, is_outdated: bool
) -> Iterator[tuple[CaseKey, bytes]]:
    for line in data.split(b"\n"):
        if not line.startswith(CASE_START):
            continue
        text = line.strip(b" ,")
        said = decode(_LineWire, text)
        case = wanted.get(said.id)
        made_in = said.carried_from or run_id
        if case is None or made_in != case.run_id:
            continue
        is_light = said.response is UNSET and said.verdicts is UNSET
        if is_light and case.status not in UNANSWERED:
            continue  # its run was killed: only the journal has them
        is_same = said.carried_from == case.carried_from and said.stale is is_outdated
        yield case.key, text if is_same else _changed(text, case, is_outdated=is_outdated)


def _changed(text: bytes, case: CaseResult, *, is_outdated: bool) -> bytes:
    wire = decode(CaseWire, text)
    wire.carried_from, wire.stale = case.carried_from, is_outdated
    if wire.details is not None:
        wire.details.stale = is_outdated
    return encode(wire)
