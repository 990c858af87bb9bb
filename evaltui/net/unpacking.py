"""Undoes the content-encoding of an answer piece by piece, and never further than a limit."""

import zlib

from evaltui.core.errors import AgentError

ENCODINGS = "gzip, deflate"
"""What may be asked for."""
_PLAIN = ("", "identity")
_PACKED = ("gzip", "x-gzip", "deflate")


class Unpacker:
    """Of one answer."""

    def __init__(self, encoding: str) -> None:
        """Raises AgentError for an encoding that is not read, several at once included."""
        encoding = encoding.strip().lower()
        if encoding not in (*_PLAIN, *_PACKED):
            raise AgentError(
                f"the answer is packed as `{encoding}`, which was not asked for. "
                "Answer without content-encoding.",
                category="contract_violation",
            )
        self._is_plain = encoding in _PLAIN
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._held: bytes | None = b""
        """What came in, until it unpacks to something: some servers leave the head of deflate out,
        and it is read once more then."""
        self._is_headless = False

    def feed(self, piece: bytes, most: int) -> bytes:
        """What comes of the next `piece`: no more than `most` bytes and one, which tells that
        there are more. Raises AgentError when it is damaged."""
        if self._is_plain:
            return piece[: most + 1]
        try:
            found = self._unpacker.decompress(piece, most + 1)
        except zlib.error:
            if self._is_headless or self._held is None:
                raise _damaged() from None
            self._is_headless = True
            self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            return self.feed(self._held + piece, most)
        self._held = None if found or self._held is None else self._held + piece
        return found

    def end(self) -> None:
        """There are no more pieces. Raises AgentError when something is missing."""
        if not self._is_plain and self._held != b"" and not self._unpacker.eof:
            raise _damaged()


def _damaged() -> AgentError:
    return AgentError(
        "the packed answer is damaged or cut off. Answer without content-encoding.",
        category="parse_error",
    )
