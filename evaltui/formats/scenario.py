"""Scenario files, `*.scenario.json`: one scenario, a list of them, or `{"scenarios": […]}`."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.case import Case, Tier
from evaltui.core.errors import Severity
from evaltui.core.key_path import KeyPath
from evaltui.core.suite import Suite
from evaltui.formats.complaint import Complaint, Complaints, shorten
from evaltui.formats.naming import SCENARIO_ENDING
from evaltui.formats.suite_file import CaseTexts, ReadSuite
from evaltui.json_text.document import JsonDocument
from evaltui.json_text.kind import kind_of

ENDING = SCENARIO_ENDING


def recognizes(document: JsonDocument) -> bool:
    """By its name: what is in it may be anything."""
    return document.file.lower().endswith(ENDING)


def list_at(value: object) -> tuple[str, ...]:
    """Where in a file its list of scenarios, or its only one, stands."""
    return ("scenarios",) if isinstance(value, dict) and "scenarios" in value else ()


def read(
    document: JsonDocument,
    file_hash: str,
    beside: Mapping[str, bytes],  # noqa: ARG001
    before: CaseTexts,  # noqa: ARG001
) -> ReadSuite:
    """Read every scenario; a bad one becomes an invalid case, the others stay."""
    from evaltui.formats.scenario_case import read_scenario  # other eval files are done without

    value: Any = document.value
    complaints = Complaints(document)
    prefix = list_at(value)
    title = value.get("title", "") if prefix else ""
    written = value["scenarios"] if prefix else value
    is_one = isinstance(written, dict)
    items: Any = [written] if is_one else written
    if not isinstance(items, list):
        what = f"{kind_of(items).capitalize()} stands where the scenarios belong"
        hint = 'Write one scenario, `{"name": "…", …}`, or a list of them.'
        complaints.add(Complaint(prefix, what, hint, code="wrong-type"))
        return ReadSuite(None, complaints.problems())
    entries = document.entries(prefix)
    cases: list[Case] = []
    lines: dict[str, int] = {}
    for index, item in enumerate(items):
        path: KeyPath = prefix if is_one else (*prefix, index)
        line = 1 if is_one else entries.lines[index]
        case, wrong = read_scenario(item, document.file, line, path)
        complaints.extend(wrong, path, case.id)
        if case.id in lines:
            what = (
                f"The name `{shorten(case.id)}` is taken by the scenario on line {lines[case.id]}"
            )
            hint = "Give this one a name of its own; it is left out until then."
            taken = Complaint(("id",) if item.get("id") else ("name",), what, hint)
            complaints.add(taken, path, case.id)
            continue
        lines[case.id] = line
        cases.append(case)
    if not items:
        what, hint = "The file has no scenarios", "Add one."
        complaints.add(Complaint(prefix, what, hint, Severity.WARNING))
    if entries.has_duplicate_keys:
        complaints.repeated_keys()
    suite = Suite(
        id=document.file,
        tool_name="",
        tier=Tier.SCENARIO,
        cases=tuple(cases),
        file_hash=file_hash,
        title=title if isinstance(title, str) else "",
    )
    return ReadSuite(suite, complaints.problems())
