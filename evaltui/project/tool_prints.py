"""Fingerprints of the tools that a case mentions, and of all the others."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

from evaltui.core.fingerprint import shown_print, tool_fingerprint, tool_fingerprints
from evaltui.core.tool import ToolNames, ToolRegistry, short_hash
from evaltui.core.tool_changes import ToolChange, changes
from evaltui.core.weighed import shown_prints
from evaltui.disk.known_tools import KnownTools


class ToolPrints:
    """Belongs to one registry; cases that mention the same tools share one mapping."""

    def __init__(self, registry: ToolRegistry, known: KnownTools | None = None) -> None:
        """`known`: what the registries before it were, and those of earlier sessions."""
        self._registry = registry
        self.known = known or KnownTools()
        self._prints = {tool.name: tool_fingerprints(tool) for tool in registry}
        self._names = ToolNames(registry.tools)
        self._sums = {name: _as_number(prints) for name, prints in self._prints.items()}
        self._all = sum(self._sums.values())
        self.whole = short_hash(f"{self._all:x}")
        """Of all tools together."""
        self._flat = {
            key: text for of_tool in self._prints.values() for key, text in of_tool.items()
        }
        self.known.add(self.whole, self._flat)
        self._shown_of = {name: shown_print(name, self._flat) for name in self._prints}
        self._shown = {text: name for name, text in self._shown_of.items() if text}
        self._since: dict[str, tuple[ToolChange, ...] | None] = {}
        self._then: dict[tuple[str, str], str] = {}
        """What was shown of a tool in an earlier registry."""
        self._known: dict[frozenset[str], frozenset[str]] = {}
        self._called: dict[str, str] = {}
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

    def of_called(self, names: Collection[str]) -> Mapping[str, str]:
        """12 hex digits by name, for tools that an agent called and the registry has."""
        for name in names:
            if name not in self._called:
                tool = self._registry.get(name)
                self._called[name] = "" if tool is None else tool_fingerprint(tool)
        return {name: self._called[name] for name in names if self._called[name]}

    def of_others(self, mentioned: frozenset[str], reach: frozenset[str] | None = None) -> str:
        """12 hex digits over all other tools, or those in `reach`, whatever their order."""
        names = self.names(mentioned)
        found = self._others.get((names, reach))
        if found is None:
            if reach is None:
                rest = self._all - sum(self._sums[name] for name in names)
            else:
                # An agent that can tell reads of a tool what is shown of it.
                rest = sum(int(self._shown_of[name] or "0", 16) for name in reach - names)
            found = short_hash(f"{rest:x}")
            self._others[names, reach] = found
        return found

    def shown(self, names: Iterable[str]) -> str:
        """A `shown_print` for each tool that the registry has, one after the other."""
        return "".join(self._shown_of[name] for name in names if name in self._shown_of)

    def shown_as_then(self, shown: str) -> list[str | None]:
        """The tools of a `weighed_text`; `None` for one that is shown otherwise now, or not at
        all."""
        return [self._shown.get(piece) for piece in shown_prints(shown)]

    def weighed_then(self, whole: str, names: Iterable[str], shown: str) -> frozenset[str]:
        """Those of the tools that such a text shows as they were in the registry `whole`."""
        pieces = {*shown_prints(shown)}
        return frozenset(name for name in names if self._shown_then(whole, name) in pieces)

    def _shown_then(self, whole: str, name: str) -> str:
        known = self._then.get((whole, name))
        if known is None:
            known = self._then[whole, name] = shown_print(name, self.known.get(whole) or {})
        return known

    def differing(self, other: "ToolPrints") -> frozenset[str]:
        """Names of the tools that are others there, or are in one of the two registries only."""
        names = self._prints.keys() | other._prints.keys()
        return frozenset(n for n in names if self._prints.get(n) != other._prints.get(n))

    def keep(self) -> None:
        """Have later sessions know what the tools are now."""
        self.known.keep(self.whole)

    def changes_since(self, whole: str) -> tuple[ToolChange, ...] | None:
        """What changed since the registry was another; `None` when that is not known any more."""
        if whole == self.whole:
            return ()
        if whole not in self._since:
            then = self.known.get(whole) if whole else None
            self._since[whole] = None if then is None else changes(then, self._flat)
        return self._since[whole]

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
