"""Characters that arrive as two halves: some servers cut text between UTF-16 units."""

_HIGH = range(0xD800, 0xDC00)


def whole_text(text: str) -> str:
    """Halves that stand together become their character, lone ones U+FFFD."""
    if text.isascii() or not any(0xD800 <= ord(character) < 0xE000 for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def ends_in_half(text: str) -> bool:
    """Whether the next piece may begin with the other half of the last character."""
    return bool(text) and ord(text[-1]) in _HIGH
