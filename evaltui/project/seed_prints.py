"""Fingerprints of the seed values that a case refers to."""

from collections.abc import Mapping

from evaltui.core.fingerprint import fingerprint
from evaltui.core.json_value import Json
from evaltui.expectations.tokens import UNRESOLVED, Token, lookup

_NOTHING: Mapping[str, str] = {}


class SeedPrints:
    """Belongs to one seed manifest; cases with the same tokens share one mapping."""

    def __init__(self, seed: Json) -> None:
        self._seed = seed
        self._prints: dict[str, str] = {}
        self._shared: dict[tuple[str, ...], Mapping[str, str]] = {(): _NOTHING}

    def of(self, paths: tuple[str, ...]) -> Mapping[str, str]:
        """12 hex digits by token path; `unresolved` where the manifest holds nothing."""
        found = self._shared.get(paths)
        if found is None:
            found = {path: self._print(path) for path in paths}
            self._shared[paths] = found
        return found

    def _print(self, path: str) -> str:
        found = self._prints.get(path)
        if found is None:
            value = lookup(Token("seed", path), self._seed, None)
            found = "unresolved" if value is UNRESOLVED else fingerprint(value)
            self._prints[path] = found
        return found
