"""Which expectations of a case an agent may be told before it answers."""

from collections.abc import Mapping

from msgspec import Struct, field


class Expected(Struct, frozen=True, gc=False):
    """As far as it can be said before the answer: values that come from tokens are left out."""

    required_tools: tuple[str, ...] = ()
    forbidden_tools: tuple[str, ...] = ()
    forbids_all_tools: bool = False
    required_params: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool."""
    forbidden_params: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    output: str | None = None
    """The one text that a response must contain; `None` when there are several, or none."""


NOTHING_EXPECTED = Expected()
