"""Fingerprints of the tools that a case mentions, and of all the others."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from evaltui.core.fingerprint import tool_fingerprint, tool_fingerprints
from evaltui.core.tool import ToolNames, ToolRegistry, short_hash


class ToolPrints:
    """Belongs to one registry; cases that mention the same tools share one mapping."""

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._prints = {tool.name: tool_fingerprints(tool) for tool in registry}
        self._names = ToolNames(registry.tools)
        self._sums = {name: _as_number(prints) for name, prints in self._prints.items()}
        self._all = sum(self._sums.values())
        self._known: dict[frozenset[str], frozenset[str]] = {}
        self._tools: dict[frozenset[str], Mapping[str, str]] = {}
        self._others: dict[tuple[frozenset[str], frozenset[str] | None], str] = {}

    def of(self, mentioned: frozenset[str]) -> Mapping[str, str]:
        """`<tool>.<field>` → 12 hex digits for the mentioned tools that the registry has."""
        names = self.names(mentioned)
        found = self._tools.get(names)
        if found is None:
            found = {
                key: text for name in sorted(names) for key, text in self._prints[name].items()
            }
            self._tools[names] = found
        return found

    def of_called(self, names: Iterable[str]) -> Mapping[str, str]:
        """12 hex digits by name, for tools that an agent called and the registry has."""
        tools = ((name, self._registry.get(name)) for name in names)
        return {name: tool_fingerprint(tool) for name, tool in tools if tool is not None}

    def of_others(self, mentioned: frozenset[str], reach: frozenset[str] | None = None) -> str:
        """12 hex digits over all other tools, or those in `reach`, whatever their order."""
        names = self.names(mentioned)
        found = self._others.get((names, reach))
        if found is None:
            if reach is None:
                rest = self._all - sum(self._sums[name] for name in names)
            else:
                rest = sum(self._sums[name] for name in reach - names)
            found = short_hash(f"{rest:x}")
            self._others[names, reach] = found
        return found

    def changes_since(self, before: "ToolPrints") -> tuple[str, ...]:
        """What differs, in words: `get_weather.description changed`, `get_tides added`."""
        if before is self:
            return ()
        then = {key: text for prints in before._prints.values() for key, text in prints.items()}
        now = {key: text for prints in self._prints.values() for key, text in prints.items()}
        added = [f"{name} added" for name in self._prints if name not in before._prints]
        removed = [f"{name} removed" for name in before._prints if name not in self._prints]
        edited = [f"{key} changed" for key in now if key in then and then[key] != now[key]]
        return (*edited, *added, *removed)

    def names(self, mentioned: frozenset[str]) -> frozenset[str]:
        """The registry's own names of the mentioned tools; kebab and snake case are the same."""
        names = self._known.get(mentioned)
        if names is None:
            actual = (self._names.own(name) for name in mentioned)
            names = frozenset(name for name in actual if name is not None)
            self._known[mentioned] = names
        return names


def _as_number(prints: Mapping[str, str]) -> int:
    # Sums of hashes do not depend on the order, and one part can be taken out again.
    text = "\n".join(f"{key}={value}" for key, value in prints.items())
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest())
