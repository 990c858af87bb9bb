"""Fingerprints of the seed values that a case refers to."""

from collections.abc import Mapping

from evaltui.core.fingerprint import fingerprint
from evaltui.core.json_value import Json
from evaltui.expectations.tokens import UNRESOLVED, Token, lookup, token_text

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
            found = "unresolved" if value is UNRESOLVED else fingerprint(_as_inserted(value))
            self._prints[path] = found
        return found


def _as_inserted(value: Json) -> Json:
    """`42` and `"42"` are the same text once inserted. A list stays one: `oneOf` takes its members,
    and other assertions its JSON."""
    return value if isinstance(value, list | tuple) else token_text(value)
