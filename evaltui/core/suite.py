"""One eval file: its metadata envelope and its cases."""

from msgspec import Struct

from evaltui.core.case import Case, CaseBody, ContractCase, Tier
from evaltui.core.json_value import JsonObject


class EvalMetadata(Struct, frozen=True, gc=False):
    """The envelope's `metadata`: the state of the tool when the evals were written."""

    tool_name: str | None = None
    tool_version: str | None = None
    description_hash: str | None = None
    registry_size: int | None = None
    raw: JsonObject | None = None


class Suite(Struct, frozen=True, gc=False):
    """An eval file as read; `id` is its path below the project root, with `/`."""

    id: str
    tool_name: str
    tier: Tier
    cases: tuple[Case, ...]
    file_hash: str
    """First 12 hex digits of the SHA-256 of the file's bytes (contract A54)."""
    metadata: EvalMetadata | None = None
    """`None` for a bare array: staleness is then not checked (contract requirement 3)."""
    title: str = ""
    is_unread: bool = False
    """Its file cannot be read and never could since the start: the cases are those of which there
    are results. They are shown, and nobody is asked anything of them."""
    owner: str = ""
    """The program whose file it is, where it is not ours to write."""

    @property
    def is_of_no_tool(self) -> bool:
        """Whether it says so itself, by an empty `toolName`: about none in particular."""
        return self.metadata is not None and self.metadata.tool_name == ""

    @property
    def kind(self) -> type[CaseBody]:
        """That of its first case, where it has one: the tier is only what the file is called."""
        return type(self.cases[0].body) if self.cases else ContractCase

    @property
    def asks_agent(self) -> bool:
        """Whether the agent under test is asked for any of its cases."""
        return any(case.asks_agent for case in self.cases)

    @property
    def name(self) -> str:
        """What a suite is called wherever it is shown: its file, without folders and `.json`.

        Several files may be about one tool, and a file may be renamed: the tool names none.
        """
        return self.id.rsplit("/", 1)[-1].removesuffix(".json")

    @property
    def why_not_written(self) -> str:
        """Why nothing is ever written into its file, without a full stop; empty where it may be."""
        if not self.owner:
            return ""
        return f"`{self.name}.json` is {self.owner}'s own file, which is read and never written"

    @property
    def short_name(self) -> str:
        """The name without the tier, where there is little room."""
        return self.name.removesuffix(f".{self.tier.value}")
