"""Fingerprints of cases as earlier versions told them: with keys the contract does not know."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, Self

from msgspec import Struct

_NONE: Mapping[str, str] = MappingProxyType({})
_NO_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class FormerPrints(Struct, frozen=True):
    """Of the cases of a project that have such keys: what was kept of them stays theirs."""

    now: Mapping[str, str] = _NONE
    """By the former one that of now."""
    then: Mapping[str, tuple[str, ...]] = _NO_ROWS
    """By that of now the former ones."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Of the former print of each case and that of now."""
        now = dict(pairs)
        then: dict[str, tuple[str, ...]] = {}
        for former, one in now.items():
            then[one] = (*then.get(one, ()), former)
        return cls(now, then)

    def rows(self, row: str) -> tuple[str, ...]:
        """What `CASE:REST` was called then."""
        case, _, rest = row.partition(":")
        return tuple([f"{former}:{rest}" for former in self.then.get(case, ())])


class HasFormerPrints(Protocol):
    """Knows the cases that are there now: a project, or what holds the last reading of one."""

    @property
    def former_prints(self) -> FormerPrints: ...


NO_FORMER = FormerPrints()
