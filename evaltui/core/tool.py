"""Tool definitions as read from a registry, and what changed between two registries."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from msgspec import Struct, field

from evaltui.core.json_value import JsonObject


class ToolStatus(StrEnum):
    ACTIVE = "active"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Unresolved(Struct, frozen=True, gc=False):
    """A field that could not be read without running code; "not checked" is never "fresh"."""

    field: str
    expression: str
    file: str
    line: int


class ToolDefinition(Struct, frozen=True, gc=False):
    """One tool. A field is `None` when the source does not say it, or it stands in `unresolved`."""

    name: str
    description: str | None = None
    version: str | None = None
    category: str | None = None
    parameters: JsonObject | None = None
    """JSON Schema of the parameters object."""
    status: ToolStatus = ToolStatus.ACTIVE
    file: str = ""
    """Path below the project root (or as given), with `/`."""
    line: int = 0
    depends_on: tuple[str, ...] = ()
    """Every file that took part in this definition, its own first."""
    unresolved: tuple[Unresolved, ...] = ()
    source: str = ""
    """Which registry source it came from, as configured."""

    @property
    def description_hash(self) -> str | None:
        """First 12 hex digits of the description's SHA-256; `None` when there is none to hash."""
        return None if self.description is None else short_hash(self.description)

    def is_unresolved(self, name: str) -> bool:
        """Whether the source says that field in a way that only running code would tell."""
        return any(one.field == name for one in self.unresolved)


class ToolRegistry(Struct, frozen=True, gc=False):
    """All tools, by name, in source order."""

    tools: Mapping[str, ToolDefinition] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    """Every file read to make it, whether or not it defined a tool."""
    configured: bool = True
    """False when the project has no registry at all."""
    as_of: Mapping[str, float] = field(default_factory=dict)
    """By name, when a tool was last listed (seconds since the epoch): only tools whose source
    cannot be read now, and which stay in force as they were then."""

    @property
    def size(self) -> int:
        """All but removed tools (contract A49)."""
        return sum(tool.status is not ToolStatus.REMOVED for tool in self.tools.values())

    @property
    def all_files(self) -> frozenset[str]:
        """`files`, and all that takes part in a tool, as one that stays in force as it was."""
        of_tools = (name for tool in self for name in (tool.file, *tool.depends_on))
        return frozenset(name for name in (*self.files, *of_tools) if name and "://" not in name)

    def get(self, name: str) -> ToolDefinition | None:
        """The tool of exactly that name: what an agent calls."""
        return self.tools.get(name)

    def find(self, name: str) -> ToolDefinition | None:
        """The tool that a person means by that name, as `ToolNames` has it."""
        found = self.get(name)
        own = None if found is not None else ToolNames(self.tools).own(name)
        return found if own is None else self.get(own)

    def is_like(self, other: "ToolRegistry") -> bool:
        """Whether it has the very same tools, in the same order, read from the same files."""
        return (
            self.files == other.files
            and self.as_of == other.as_of
            and self.configured == other.configured
            and list(self.tools) == list(other.tools)
            and all(other.tools[name] is tool for name, tool in self.tools.items())
        )

    def __iter__(self) -> Iterator[ToolDefinition]:
        return iter(self.tools.values())

    def __len__(self) -> int:
        return len(self.tools)


class ToolNames:
    """Own names of tools by any spelling: kebab and snake case are the same (contract A50).

    The exact name wins, then the first that is spelled otherwise.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._by_plain: dict[str, str] = {}
        for name in names:
            self._by_plain.setdefault(plain_tool_name(name), name)

    def own(self, name: str) -> str | None:
        """`None` when there is no such tool."""
        return name if name in self._names else self._by_plain.get(plain_tool_name(name))


class ToolChange(Struct, frozen=True, gc=False):
    """One tool in two registries that do not agree on it."""

    before: ToolDefinition | None
    """`None` when it was added."""
    now: ToolDefinition
    fields: tuple[str, ...]
    """Which of its fields changed; empty when it was added."""

    @property
    def words(self) -> tuple[str, ...]:
        """`added`, or the fields that changed."""
        return self.fields or ("added",)


def changes_between(before: ToolRegistry, now: ToolRegistry) -> dict[str, ToolChange]:
    """What changed, by tool. Tools that went are not among them; nothing changed where there was
    no registry before."""
    if not before.configured and not len(before):
        return {}
    changed: dict[str, ToolChange] = {}
    for tool in now:
        then = before.get(tool.name)
        if then is None:
            changed[tool.name] = ToolChange(None, tool, ())
        elif then is not tool:
            fields = tuple(n for n in _SPOKEN if getattr(then, n) != getattr(tool, n))
            if fields:
                changed[tool.name] = ToolChange(then, tool, fields)
    return changed


class GoneTool(Struct, frozen=True, gc=False):
    """A tool that is not there any more by its name."""

    name: str
    renamed_to: str = ""
    """What its file calls the same tool now; empty where that is not certain."""
    with_file: bool = False
    """Whether its file went too."""

    def __str__(self) -> str:
        what = f"renamed to {self.renamed_to}" if self.renamed_to else "removed"
        return f"{self.name} {what}"


def gone_between(before: ToolRegistry, now: ToolRegistry) -> tuple[GoneTool, ...]:
    """The tools that were there and are not any more, in their order."""
    gone = [tool for tool in before if now.get(tool.name) is None]
    if not gone:
        return ()
    new = [tool for tool in now if before.get(tool.name) is None]
    files = now.all_files
    return tuple(
        GoneTool(tool.name, _new_name(tool, gone, new), bool(tool.file) and tool.file not in files)
        for tool in gone
    )


def how_many_gone(gone: Collection[GoneTool]) -> str:
    """`3 tools removed`, where there is no room for their names."""
    renamed = sum(bool(tool.renamed_to) for tool in gone)
    what = "renamed" if renamed == len(gone) else "removed or renamed" if renamed else "removed"
    return f"{len(gone):,} tools {what}"


def _new_name(
    tool: ToolDefinition, gone: Iterable[ToolDefinition], new: Iterable[ToolDefinition]
) -> str:
    """Of the only new tool in the file, where that is the only one which went and does the same."""
    here = [one for one in new if one.file == tool.file]
    if len(here) != 1 or sum(one.file == tool.file for one in gone) != 1:
        return ""
    (now,) = here
    is_said_alike = bool(tool.description) and tool.description == now.description
    is_called_alike = bool(tool.parameters) and tool.parameters == now.parameters
    return now.name if is_said_alike or is_called_alike else ""


_SPOKEN = ("description", "version", "category", "parameters", "status")
"""Fields that say something to an agent or to a reader; a tool that only moved is the same."""


class LastGood(Struct, frozen=True, gc=False):
    """What one place listed when it could last be read (seconds since the epoch)."""

    tools: tuple[ToolDefinition, ...]
    at: float


def short_hash(text: str) -> str:
    """First 12 hex digits of the SHA-256 of `text` in UTF-8 (contract requirement 21)."""
    return short_hash_of(text.encode("utf-8", "surrogatepass"))


def short_hash_of(data: bytes) -> str:
    """First 12 hex digits of the SHA-256 of `data`."""
    digest: str = _sha256()(data).hexdigest()
    return digest[:12]


@cache
def _sha256() -> Callable[[bytes], Any]:
    from hashlib import sha256  # OpenSSL; the first frame has no need of it

    return sha256


def same_tool_name(left: str, right: str) -> bool:
    """Whether two names mean one tool: kebab and snake case are the same (contract A50)."""
    return plain_tool_name(left) == plain_tool_name(right)


def plain_tool_name(name: str) -> str:
    """The same for all spellings of one name: in lower snake case."""
    return name.replace("-", "_").lower()
