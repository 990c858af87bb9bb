"""Globs of eval files: `**`, `*`, `?`, `[…]` and `{a,b}` over paths with `/`."""

import re

_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", re.DOTALL)


def is_glob(text: str) -> bool:
    return any(sign in text for sign in "*?[{")


def fixed_part(glob: str) -> str:
    """The folders before the first piece with a wildcard."""
    fixed: list[str] = []
    for part in glob.split("/")[:-1]:
        if is_glob(part):
            break
        fixed.append(part)
    return "/".join(fixed)


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A pattern for `fullmatch` on a relative path; `**/` also matches no folder at all."""
    text = "".join(_translate(found[0]) for found in _PIECE.finditer(glob.removeprefix("./")))
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def _translate(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:[^/]+/)*"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
    if piece.startswith("[") and len(piece) > 1:
        inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^{inner[1:]}]" if inner[0] in "!^" and len(inner) > 1 else f"[{inner}]"
    if piece.startswith("{") and len(piece) > 1:
        return "(?:" + "|".join(_part(choice) for choice in piece[1:-1].split(",")) + ")"
    return re.escape(piece)


def _part(choice: str) -> str:
    return "".join(_translate(found[0]) for found in _PIECE.finditer(choice))
