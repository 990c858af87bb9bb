"""Hints for misspelt names, and the list of valid ones."""

from collections.abc import Iterable, Sequence


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` most likely meant; case, `-` and `_` count for nothing."""
    from difflib import get_close_matches  # rare: only once something is wrong

    by_folded = {_folded(name): name for name in known}
    exact = by_folded.get(_folded(word))
    if exact is not None:
        return exact
    found = get_close_matches(_folded(word), by_folded, n=1, cutoff=0.75)
    return by_folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`Did you mean `x`?`, or nothing when no known name is near."""
    name = closest(word, known)
    return "" if name is None or name == word else f"Did you mean `{name}`?"


def few(names: Sequence[str], most: int = 5, *, quote: str = "`") -> str:
    """The first of them, and how many more there are: `` `a`, `b` and 7 more ``."""
    listed = ", ".join(f"{quote}{name}{quote}" for name in names[:most])
    return f"{listed} and {len(names) - most:,} more" if len(names) > most else listed


def _folded(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()
