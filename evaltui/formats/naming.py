"""Tier and tool of an eval file derived from its name, if its metadata does not say."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from evaltui.core.case import Tier
from evaltui.core.suite import Suite
from evaltui.core.workspace_files import DATA, SCENARIOS

SCENARIO_ENDING = ".scenario.json"
TRACE_ENDING = ".trace.json"
WORKSPACE_SCENARIOS = (DATA, SCENARIOS)
"""Where an EvalStudio workspace keeps those of a project: folder and file."""
_CONTRACT_TIERS = (Tier.GOLDEN, Tier.LABELED, Tier.REGRESSION, Tier.RUBRIC)
_TIERS: Mapping[str, Tier] = MappingProxyType({tier.value: tier for tier in _CONTRACT_TIERS})
_ID = re.compile(r"(gs|ls|rg)-(.+)-\d+", re.ASCII)
_BY_PREFIX: Mapping[str, Tier] = MappingProxyType(
    {"gs": Tier.GOLDEN, "ls": Tier.LABELED, "rg": Tier.REGRESSION}
)


def tier_of(stated: object, file: str, ids: Iterable[str]) -> Tier:
    """Metadata, else the file name, else a folder, else the ids (contract A50); else golden."""
    if isinstance(stated, str) and stated.lower() in _TIERS:
        return _TIERS[stated.lower()]
    path = PurePosixPath(file)
    for word in (*reversed(path.name.lower().split(".")), *reversed(path.parent.parts)):
        tier = _TIERS.get(word.lower())
        if tier is not None:
            return tier
    found = Counter(_BY_PREFIX[match[1]] for id_ in ids if (match := _ID.fullmatch(id_)))
    return found.most_common(1)[0][0] if found else Tier.GOLDEN


def tool_of(stated: object, file: str, ids: Iterable[str]) -> str:
    """Metadata as written, else the name of file, folder or ids in snake case (contract A50)."""
    if isinstance(stated, str) and stated:
        return stated
    path = PurePosixPath(file)
    stem = path.name.split(".")[0]
    has_tier = any(word in _TIERS for word in path.name.lower().split(".")[1:])
    if has_tier and stem:
        return snake_case(stem)
    folders = [part for part in path.parent.parts if part.lower() not in _TIERS]
    from_ids = tools_of_ids(ids)
    if stem.lower() in _TIERS and folders and folders[-1] not in _ROOTS:
        return snake_case(folders[-1])
    if from_ids:
        return from_ids[0]
    return snake_case(stem)


def tools_of_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Tool names in ids such as `gs-get-weather-001`, the commonest first, in snake case."""
    found = Counter(snake_case(match[2]) for id_ in ids if (match := _ID.fullmatch(id_)))
    return tuple(name for name, _ in found.most_common())


def suite_tools(suite: Suite) -> tuple[str, ...]:
    """The tools a whole file is about: by metadata, else by its ids, else by its name.

    Empty for scenarios and traces that name none, and for a file that says that it is about none.
    What a result file calls the tool is one of contract A50.
    """
    if suite.is_of_no_tool:
        return ()
    if suite.metadata is not None and suite.metadata.tool_name:
        return (suite.metadata.tool_name,)
    by_ids = tools_of_ids(case.id for case in suite.cases if case.body.has_expect)
    return by_ids or ((snake_case(suite.tool_name),) if suite.tool_name else ())


def case_tools(tools: tuple[str, ...], id_: str) -> tuple[str, ...]:
    """Of the `tools` its file is about what a case is about: the one its id names, or all."""
    named = tools_of_ids((id_,)) if len(tools) > 1 else ()
    return named or tools


def is_scenario_file(file: str) -> bool:
    """By its name: of ours, or of an EvalStudio workspace."""
    path = PurePosixPath(file)
    return path.name.lower().endswith(SCENARIO_ENDING) or path.parts[-2:] == WORKSPACE_SCENARIOS


def snake_case(name: str) -> str:
    return name.replace("-", "_")


_ROOTS = frozenset({"evals", "eval", "tests", "test", ".."})
