"""The lines around a mistake, with a mark under it."""

_WIDTH = 100
"""Characters of a source line that are shown; longer ones are cut around the mark."""


def code_frame(text: str, line: int, column: int = 0, context: int = 2) -> list[str]:
    """Numbered lines around `line` (1-based), a `>` before it and a `^` under `column`.

    `column` is 1-based in characters, 0 for no mark. Empty when the text has no such line.
    Tabs and control characters become one visible character each, so that the mark fits.
    """
    lines = [row.removesuffix("\r") for row in text.split("\n")] if text else []
    if not 1 <= line <= len(lines):
        return []
    first = max(1, line - context)
    last = min(len(lines), line + context)
    shift = max(0, column - _WIDTH * 3 // 4) if len(lines[line - 1]) > _WIDTH else 0
    digits = len(str(last))
    frame: list[str] = []
    for number in range(first, last + 1):
        mark = ">" if number == line else " "
        shown = _cut(lines[number - 1], shift)
        frame.append(f"{mark} {number:>{digits}} | {shown}".rstrip())
        if number == line and column > 0:
            frame.append(f"  {'':>{digits}} | {'':>{max(0, column - 1 - shift)}}^")
    return frame


def _cut(line: str, shift: int) -> str:
    piece = line[shift : shift + _WIDTH]
    if shift and piece:
        piece = "…" + piece[1:]
    if len(line) > shift + _WIDTH:
        piece = piece[:-1] + "…"
    return "".join(
        character if character.isprintable() else " " if character == "\t" else "·"
        for character in piece
    )
