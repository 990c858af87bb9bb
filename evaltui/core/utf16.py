"""The length of a text as the contract's programs count it."""


def utf16_length(text: str) -> int:
    """JavaScript's `text.length`: UTF-16 units, so an emoji counts two (contract A38)."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
