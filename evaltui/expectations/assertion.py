"""The base of an assertion of the contract: a class per key of `expect` that knows all about it."""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import ClassVar, NamedTuple

from msgspec import Struct, field, to_builtins

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.doubts import Finding
from evaltui.expectations.param_diff import ParamDiff


class Shows(IntEnum):
    """What a response that keeps an assertion has shown."""

    NOTHING = 0
    ROUTING = 1
    """That the right tools were chosen."""
    DATA = 2
    """That data of a tool reached the answer, or the right data the tool."""


class Written(Struct, frozen=True, gc=False):
    """The value of one key of `expect` (never null), the case around it, and how to read it."""

    value: Json
    case: Case
    config: ContractConfig = ContractConfig()


class NamedTools(NamedTuple):
    """Tools that an assertion names, in the order written."""

    wanted: tuple[str, ...] = ()
    """Expected, acceptable, or with asserted parameters."""
    forbidden: tuple[str, ...] = ()


_NO_TOOLS = NamedTools()
_NO_DEMAND = ("label", "config")
"""Fields by which an assertion is called and read."""


class WantedCalls(Struct, frozen=True, gc=False):
    """The calls that an assertion asks for."""

    names: tuple[str, ...]
    is_ordered: bool
    counts_repeats: bool = True
    note: str = ""
    """How the comparison is to be read: `closest of 3 acceptable sets`."""


class Differences(Struct, frozen=True, gc=False):
    """What an assertion has to say in the comparison of expected and actual calls."""

    wanted: WantedCalls | None = None
    forbidden: frozenset[str] = frozenset()
    params: Mapping[str, tuple[ParamDiff, ...]] = field(default_factory=dict)
    """By tool: rows about the parameters of its first call, or about a call that is not there."""


class Assertion(Struct, frozen=True):
    """One counted thing (contract A31) is an instance; its class answers for the whole key.

    To add an assertion write a subclass and add it to ASSERTIONS. Only `name`, `schema`, `read`
    and `run` are needed; whatever else can be asked has an answer here that means "nothing".
    Class methods must bear any value: they are asked before the file is known to be right.
    """

    name: ClassVar[str]
    """The key in `expect`."""
    schema: ClassVar[JsonObject]
    """JSON Schema of the value under the key."""
    shows: ClassVar[Shows] = Shows.NOTHING
    is_for_labeled: ClassVar[bool] = False
    """Meant for labeled cases, asserted in the others all the same (contract A41)."""
    chooses_calls: ClassVar[bool] = False
    """Whether it says which tools are to be called."""
    is_in_diff: ClassVar[bool] = False
    """Whether the comparison of calls shows why it failed."""
    may_count_repeats: ClassVar[bool] = False
    """Whether `multiset_tools` of the settings decides what it accepts."""
    replaces_tokens_in: ClassVar[str] = ""
    """Where tokens are replaced (requirement 16), for a sentence; empty when nowhere."""
    may_hold_braces: ClassVar[bool] = False
    """Whether `{{user}}` makes sense in it as it is (contract A25)."""

    @property
    def label(self) -> str:
        """Names it within its case: `responseContains[0]`."""
        return self.name

    @classmethod
    def read(cls, written: Written) -> Iterable[Check]:
        """A check for each counted thing; `Invalid` ones for what cannot be read."""
        raise NotImplementedError

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        """Judges a response."""
        raise NotImplementedError

    def demands(self) -> Iterable[Json]:
        """What it holds a response against, each demand apart: one that is gone, or another one,
        makes another case of it. Where in the file it stands does not count."""
        fields = [name for name in self.__struct_fields__ if name not in _NO_DEMAND]
        found: list[Json] = to_builtins([getattr(self, name) for name in fields])
        return [found]

    def is_emptied(self, verdict: Verdict) -> bool:
        """Whether its tokens stood for nothing that an answer can be held against."""
        return verdict.status is VerdictStatus.SKIPPED and bool(verdict.skipped_tokens)

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        """The tools it names: a case is affected when one of them changes."""
        return _NO_TOOLS

    @classmethod
    def tools_at_issue(cls, value: Json, verdict: Verdict) -> tuple[str, ...]:
        """The tools that a verdict of it is about; the one in its evidence, or all it wants."""
        tool = verdict.evidence.get("tool")
        return (tool,) if isinstance(tool, str) else cls.tools(value).wanted

    @classmethod
    def texts(cls, value: Json) -> Iterable[tuple[str, str]]:
        """Texts in which an author may put tokens, each with its key path below `expect`."""
        return ()

    @classmethod
    def disclosed(cls, value: Json) -> Expected:
        """What an agent that is told of expectations may know of it before it answers."""
        return NOTHING_EXPECTED

    @classmethod
    def wants_no_call(cls, value: Json) -> bool:
        """Whether the value says that no tool may be called, which is proof enough."""
        return False

    @classmethod
    def doubts(cls, written: Written) -> Iterable[Finding]:
        """What is doubtful about the value although it can be read; of patterns, whether they
        are any. What cannot be read at all is said by `read`."""
        return ()

    @classmethod
    def differences(
        cls,
        written: Written,
        calls: Sequence[ToolCall],
        verdicts: Sequence[Verdict],
    ) -> Differences:
        """Its part of the comparison with the actual calls; `verdicts` are its own, so far."""
        return Differences()

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        """The value with which the actual calls would be right."""
        return value

    @classmethod
    def still_fails(cls, value: Json, stubs: JsonObject | None, calls: Sequence[ToolCall]) -> str:
        """Why these calls fail it whatever is accepted; empty where nothing says so."""
        return ""
