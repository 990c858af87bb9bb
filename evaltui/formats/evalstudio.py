"""Scenarios of an EvalStudio workspace: `data/scenarios.json`, one case for each persona of one."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from evaltui.core.case import PERSONA_ID, SCENARIO_ID, Case, Tier
from evaltui.core.errors import Problem
from evaltui.core.suite import Suite
from evaltui.core.workspace_files import EVALS, PERSONAS
from evaltui.formats.complaint import Complaint, Complaints, shorten
from evaltui.formats.naming import WORKSPACE_SCENARIOS
from evaltui.formats.suite_file import CaseTexts, ReadSuite
from evaltui.json_text.document import JsonDocument
from evaltui.json_text.kind import kind_of

if TYPE_CHECKING:
    from evaltui.settings.evalstudio.evalstudio_entities import Entities
    from evaltui.settings.evalstudio.evalstudio_model import EvalEntry, Persona

_NOT_OURS = frozenset({"id", "personaIds", "createdAt", "updatedAt", "persona"})
"""What says nothing of the conversation, or is said to it otherwise."""


READ_ALONG = (PERSONAS, EVALS)
"""Names of the files beside it that take part."""


def recognizes(document: JsonDocument) -> bool:
    """By its place, unless cases of another format stand in it."""
    value = document.value
    parts = PurePosixPath(document.file).parts[-2:]
    if parts != WORKSPACE_SCENARIOS or not isinstance(value, list):
        return False
    return not any(isinstance(item, dict) and "input" in item for item in value)


def read(
    document: JsonDocument,
    file_hash: str,
    beside: Mapping[str, bytes],
    before: CaseTexts,  # noqa: ARG001
) -> ReadSuite:
    """Read every scenario; `beside` are the files of READ_ALONG that are there."""
    from evaltui.settings.evalstudio.evalstudio_model import (  # no other file has these
        EvalEntry,
        Persona,
    )

    folder = str(PurePosixPath(document.file).parent)
    personas = _entities(Persona, folder, PERSONAS, "a persona", beside)
    evals = _entities(EvalEntry, folder, EVALS, "an eval", beside)
    if not personas.is_read:
        return ReadSuite(None, personas.problems)  # the last good version stays
    items = document.value
    assert isinstance(items, list)
    complaints, entries = Complaints(document), document.entries(())
    known = {one.value.id: one.value for one in personas.found}
    cases: list[Case] = []
    taken: dict[str, int] = {}
    ids: dict[str, int] = {}
    for index, item in enumerate(items):
        line = entries.lines[index]
        if isinstance(item, dict) and isinstance(item.get("id"), str):
            if (id_ := item["id"]) in ids:
                what = f"The `id` is that of the scenario on line {ids[id_]} too"
                hint = "Give this one an `id` of its own; it is left out until then."
                complaints.add(Complaint(("id",), what, hint), (index,), id_)
                continue
            ids[id_] = line
        for case, wrong in _cases(item, document.file, line, index, known, personas.file):
            complaints.extend(wrong, (index,), case.id)
            if case.id in taken:
                where = taken[case.id]
                what = f"The name `{shorten(case.id)}` is taken by the scenario on line {where}"
                hint = "Give this one a name of its own; it is left out until then."
                complaints.add(Complaint(("name",), what, hint), (index,), case.id)
                continue
            taken[case.id] = line
            cases.append(case)
    if entries.has_duplicate_keys:
        complaints.repeated_keys()
    suite = Suite(document.file, "", Tier.SCENARIO, tuple(cases), file_hash, owner="EvalStudio")
    others = (
        *personas.problems,
        *_unknown_scenarios(evals, ids, document.file),
    )
    return ReadSuite(suite, (*complaints.problems(), *others))


def _entities(
    model: Any, folder: str, name: str, noun: str, beside: Mapping[str, bytes]
) -> "Entities[Any]":
    from evaltui.settings.evalstudio.evalstudio_entities import Entities, entities_of

    file = f"{folder}/{name}"
    return entities_of(model, file, beside[name], noun) if name in beside else Entities(file)


def _cases(
    item: Any, file: str, line: int, index: int, known: "Mapping[str, Persona]", personas: str
) -> Iterator[tuple[Case, list[Complaint]]]:
    """One for each persona of a scenario, one without where it names none."""
    from evaltui.formats.scenario_case import read_scenario

    if not isinstance(item, dict):
        yield read_scenario(item, file, line, (index,))
        return
    raw = {key: value for key, value in item.items() if key not in _NOT_OURS}
    ids, wrong = _persona_ids(item)
    if isinstance(item.get("id"), str):
        raw[SCENARIO_ID] = item["id"]
    for number, id_ in enumerate(ids):
        persona = known.get(id_)
        if persona is None:
            what = f"There is no persona `{shorten(id_)}`"
            hint = f"Personas are in `{personas}`: add it there, or take it out here."
            wrong.append(Complaint(("personaIds", number), what, hint, code="no-persona"))
    found = [known[id_] for id_ in dict.fromkeys(ids) if id_ in known]
    if not found:
        case, said = read_scenario(raw, file, line, (index,))
        if wrong and not case.invalid:
            case = replace(case, invalid=wrong[0].what)
        yield case, [*said, *wrong]
    for number, one in enumerate(found):
        case, said = read_scenario(_played(raw, one), file, line, (index,))
        # What is wrong with the scenario is said once, not for each of its personas.
        yield case, [] if number else [*said, *wrong]


def _persona_ids(item: Mapping[str, Any]) -> tuple[list[str], list[Complaint]]:
    ids = item.get("personaIds")
    if ids is None:
        return [], []
    if isinstance(ids, list) and all(isinstance(one, str) for one in ids):
        return ids, []
    what = f"`personaIds` is {kind_of(ids)}, not a list of text"
    return [], [Complaint(("personaIds",), what, "Write ids of personas.", code="wrong-type")]


def _played(raw: Mapping[str, Any], persona: "Persona") -> dict[str, Any]:
    """With its persona, and a name of its own among those of the other personas."""
    row: dict[str, Any] = {"name": persona.name}
    row |= {"description": persona.description} if persona.description else {}
    row |= {"systemPrompt": persona.system_prompt} if persona.system_prompt else {}
    row |= {"lines": [*persona.lines]} if persona.lines else {}
    played = {**raw, "persona": row, PERSONA_ID: persona.id}
    if isinstance(name := raw.get("name"), str) and name.strip():
        played["id"] = f"{name} ({persona.name})"
    return played


def _unknown_scenarios(
    evals: "Entities[EvalEntry]", ids: Collection[str], file: str
) -> Iterator[Problem]:
    for one in evals.found:
        for number, id_ in enumerate(one.value.scenario_ids):
            if id_ not in ids:
                what = f"There is no scenario `{shorten(id_)}`"
                hint = f"Scenarios are in `{file}`: add it there, or take it out here."
                yield evals.problem((one.index, "scenarioIds", number), what, hint)
