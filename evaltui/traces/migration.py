"""`schema migrate`: from a suite of any known version to another version's names and ids."""

from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from typing import Any

from evaltui.traces.aliases import CASE_ALIASES, CONTRACT_ALIASES, without_aliases
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import UNKNOWN_DATASET, VERSION, alias_mistakes, refuse_unknown_version


def migrate(suite: Any, *, target: str = VERSION, file: str = "") -> dict[str, Any]:
    """The suite as `target` has it; nothing that it says is lost.

    Ids of traces and spans that are missing are made of the data set, the case and the place, so
    that the same suite always gets the same. Raises SuiteMistake for a version that is not known,
    and for what is said by an older name and otherwise by today's.
    """
    if not isinstance(suite, dict):
        raise SuiteMistake(file, "", "the suite is not an object", "Write `{…}`.")
    metadata = suite.get("metadata") or {}
    refuse_unknown_version(metadata, file)
    dataset = suite.get("dataset_id") or UNKNOWN_DATASET
    cases = suite.get("cases")
    if isinstance(cases, list):
        found = (alias_mistakes(one, index, file) for index, one in enumerate(cases))
        if mistake := next(chain.from_iterable(found), None):
            raise mistake
        cases = [_case(one, str(dataset)) if isinstance(one, dict) else one for one in cases]
    known = metadata if isinstance(metadata, dict) else {}
    return {
        **suite,
        "dataset_id": dataset,
        "metadata": {**known, "schema_version": target},
        "cases": [] if cases is None else cases,
    }


def _case(found: Mapping[str, Any], dataset: str) -> dict[str, Any]:
    case = without_aliases(found, CASE_ALIASES)
    if type(case.get("case_id")) is int:
        case["case_id"] = str(case["case_id"])
    contracts = case.get("tool_contracts")
    if isinstance(contracts, dict):
        case["tool_contracts"] = {
            tool: _contract(one) if isinstance(one, dict) else one
            for tool, one in contracts.items()
        }
    if isinstance(policy := case.get("policy"), dict):
        case["policy"] = {"required_tools": [], "forbidden_tools": [], **policy}
    if isinstance(events := case.get("trace"), list):
        trace = hex_id(32, dataset, case.get("case_id"))
        case["trace"] = with_ids(events, trace)
    return case


def _contract(found: Mapping[str, Any]) -> dict[str, Any]:
    contract = without_aliases(found, CONTRACT_ALIASES)
    return {"required_args": [], "forbidden_args": [], **contract}


def with_ids(events: list[Any], trace_id: str) -> list[Any]:
    """Events with places and spans, each below the one before; what they have is kept."""
    made: list[Any] = []
    parent: str | None = None
    own = next(
        (one["trace_id"] for one in events if isinstance(one, dict) and one.get("trace_id")),
        trace_id,
    )
    for index, event in enumerate(events):
        if not isinstance(event, dict):
            made.append(event)
            continue
        defaults: dict[str, Any] = {
            "idx": index,
            "ts": "",
            "attributes": {},
            "trace_id": own,
            "span_id": f"{index + 1:016x}",
            "parent_span_id": parent,
        }
        made.append({**event, **{k: v for k, v in defaults.items() if event.get(k) is None}})
        parent = made[-1]["span_id"]
    return made


def hex_id(digits: int, *parts: object) -> str:
    """An id for what `parts` name, always the same for them."""
    return sha256(":".join(map(str, parts)).encode()).hexdigest()[:digits]
