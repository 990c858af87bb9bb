"""Whether an eval file still describes its tool: the contract's three staleness checks."""

import re
from collections.abc import Iterable

from msgspec import Struct

from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus


class Outdated(Struct, frozen=True, gc=False):
    """`is_outdated` is set by a different description hash alone (contract A46)."""

    is_outdated: bool
    warnings: tuple[str, ...]
    """In the contract's words, one a finding; what could not be checked is said, too (A47)."""
    doubts: tuple[tuple[str, str], ...] = ()
    """Those of `warnings` that say what changed and leave the suite in force (A46), each behind the
    field of the metadata that it is about."""


UP_TO_DATE = Outdated(False, ())
_TITLES = {
    "Evals for ": "Outdated evals",
    "Staleness of ": "Staleness not checked",
    "Version of ": "Version not checked",
    "Registry has ": "Registry has grown",
    "Tool ": "Another version of the tool",
}
"""By how the sentences below begin: results keep the sentences alone, as the contract has them."""


def title_of(warning: str) -> str:
    """A few words for the kind of one of the `warnings`."""
    found = (title for start, title in _TITLES.items() if warning.startswith(start))
    return next(found, "About these evals")


def outdated(suite: Suite, registry: ToolRegistry) -> Outdated:
    """Compares a suite's metadata with the registry (requirements 21 to 23), both as given.

    Without metadata nothing is checked (requirement 3).
    """
    metadata = suite.metadata
    if metadata is None:
        return UP_TO_DATE
    if suite.is_of_no_tool:
        grown = _size(metadata, registry)
        return Outdated(False, tuple(grown), tuple(("registrySize", said) for said in grown))
    name = metadata.tool_name or suite.tool_name
    if not registry.configured:
        return Outdated(False, (_unchecked(name, "no tool registry is configured"),))
    warnings: list[str] = []
    stale = False
    tool = registry.find(name)
    if tool is None or tool.status is ToolStatus.REMOVED:
        where = "is not in the registry" if tool is None else "is marked as removed"
        warnings.append(_unchecked(name, f"the tool {where}"))
    else:
        stale, about_description = _description(name, metadata, tool)
        warnings += about_description
    doubts = [("registrySize", said) for said in _size(metadata, registry)]
    warnings += [said for _, said in doubts]
    if tool is not None and tool.status is not ToolStatus.REMOVED:
        is_other, said = _version(name, metadata, tool)
        warnings += said
        doubts += [("toolVersion", one) for one in said if is_other]
    return Outdated(stale, tuple(warnings), tuple(doubts))


def outdated_suites(suites: Iterable[Suite], registry: ToolRegistry) -> tuple[str, ...]:
    """Ids of the suites that were written for another description of their tool."""
    return tuple(suite.id for suite in suites if outdated(suite, registry).is_outdated)


def _description(name: str, metadata: EvalMetadata, tool: ToolDefinition) -> tuple[bool, list[str]]:
    current = None if tool.is_unresolved("description") else tool.description_hash
    if current is None:
        return False, [_unchecked(name, "its description could not be read")]
    if metadata.description_hash is None:
        return False, [_unchecked(name, "the eval file's metadata has no descriptionHash")]
    if current == metadata.description_hash:
        return False, []
    return True, [
        f"Evals for {name} generated against description hash {metadata.description_hash}, "
        f"current is {current}. Results may not reflect current routing contract."
    ]


def _size(metadata: EvalMetadata, registry: ToolRegistry) -> list[str]:
    before, now = metadata.registry_size, registry.size
    if before is None or now <= before * 1.5:
        return []
    return [
        f"Registry has grown from {before} to {now} tools. "
        "Labeled evals may have under-specified toolsAcceptable sets."
    ]


def _version(name: str, metadata: EvalMetadata, tool: ToolDefinition) -> tuple[bool, list[str]]:
    """Whether it is another major version, and what is to be said of it."""
    if metadata.tool_version is None:
        return False, []
    if tool.version is None or tool.is_unresolved("version"):
        return False, [f"Version of {name} not checked: the registry does not say its version."]
    then, now = _major(metadata.tool_version), _major(tool.version)
    if then is None or now is None:
        unreadable = metadata.tool_version if then is None else tool.version
        return False, [f"Version of {name} not checked: `{unreadable}` is not a version number."]
    if then == now:
        return False, []
    return True, [
        f"Tool {name} is version {tool.version}, evals were generated for "
        f"{metadata.tool_version}. Schema may have changed."
    ]


def _major(version: str) -> str | None:
    """As text: a version may have more digits than Python turns into a number."""
    match = _MAJOR.match(version.strip())
    return (match[1].lstrip("0") or "0") if match else None


def _unchecked(name: str, why: str) -> str:
    return f"Staleness of the evals for {name} not checked: {why}."


_MAJOR = re.compile(r"v?(\d+)(?![^.+\-\s])", re.ASCII | re.IGNORECASE)
