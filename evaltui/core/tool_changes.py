"""What changed between two readings of the tools, by their fingerprints, and what of it matters."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.fingerprint import removed_print
from evaltui.core.tool import ToolRegistry

ADDED, GONE = "added", "removed"
SHOWN = ("description", "parameters")
"""Fields of a tool that an agent is given; the others are remarks for people."""


class ToolChange(Struct, frozen=True, gc=False):
    """One field of a tool, or that it came or went."""

    tool: str
    field: str
    """`added` and `removed` stand for the whole tool."""
    is_shown: bool
    """Whether an agent that is given the tools is given something else now."""

    def __str__(self) -> str:
        if self.field in (ADDED, GONE):
            return f"{self.tool} {self.field}"
        return f"{self.tool}.{self.field} changed"


class Reached(Struct, frozen=True):
    """What of the tools changed since a result was made, as far as it can matter to its answer."""

    tools: frozenset[str] | None = None
    """The only tools whose change counts, whoever mentions or calls others; `None`: any may."""
    others: tuple[str, ...] | None = None
    """In words, changes of tools that the case does not mention and the agent did not call.
    `None`: not known."""

    def counts(self, prints: Mapping[str, str]) -> Mapping[str, str]:
        """Of fingerprints by tool, or by `<tool>.<field>`, those of tools that count."""
        if self.tools is None:
            return prints
        return {
            key: text
            for key, text in prints.items()
            if key in self.tools or key.rpartition(".")[0] in self.tools
        }


NOTHING_REACHED = Reached(frozenset(), ())


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> tuple[ToolChange, ...]:
    """Of fingerprints by `<tool>.<field>`: edited tools first, then new ones, then those gone."""
    return (*_edited(then, now), *_only_in(now, then, ADDED), *_only_in(then, now, GONE))


def words(changed: Iterable[ToolChange], without: Collection[str] = ()) -> tuple[str, ...]:
    """Changes in words, without those of some tools."""
    return tuple(str(change) for change in changed if change.tool not in without)


def changed_tool_files(
    before: ToolRegistry, now: ToolRegistry, changed: frozenset[str]
) -> set[str]:
    """Those of the `changed` files that made tools other ones; where none did, all of these."""
    names = before.tools.keys() | now.tools.keys()
    tools = [
        tool
        for name in names
        if before.get(name) is not now.get(name)
        for tool in (before.get(name), now.get(name))
        if tool is not None
    ]
    involved = {file for tool in tools for file in (tool.file, *tool.depends_on) if file}
    return involved & changed or {tool.file for tool in tools if tool.file}


def _edited(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[ToolChange]:
    for key, text in now.items():
        before = then.get(key, text)
        if before != text:
            tool, _, field = key.rpartition(".")
            is_shown = field in SHOWN or (field == "status" and removed_print() in (before, text))
            yield ToolChange(tool, field, is_shown)


def _only_in(
    these: Mapping[str, str], others: Mapping[str, str], what: str
) -> Iterator[ToolChange]:
    known = _tools(others)
    yield from (ToolChange(tool, what, True) for tool in _tools(these) if tool not in known)


def _tools(prints: Mapping[str, str]) -> dict[str, None]:
    return dict.fromkeys(key.rpartition(".")[0] for key in prints)
