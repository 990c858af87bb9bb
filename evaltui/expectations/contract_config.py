"""What a project may choose about the contract's assertions."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.core.utf16 import utf16_length

EMPTY: Mapping[str, Json] = MappingProxyType({})


def estimate_tokens(text: str) -> int:
    """A quarter of the UTF-16 length, rounded up (contract A40)."""
    return -(-utf16_length(text) // 4)


class ContractConfig(Struct, frozen=True):
    """Options of the contract's checks; the defaults are the contract's."""

    multiset_tools: bool = True
    """`toolsAcceptable` counts repeated calls (contract A2); False compares sets."""
    count_tokens: Callable[[str], int] = estimate_tokens
    """The tokenizer behind `maxTokens`."""
