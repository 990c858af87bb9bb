"""A body unpacked up to a limit, in pieces between which others get their turn."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from time import monotonic

from evaltui.core.errors import AgentError
from evaltui.net.unpacking import Unpacker

_PIECE = 8 * 1024
"""Bytes that are passed on at once."""
_TURN_S = 0.02
"""After this, time limits are looked at, though a server goes on sending."""


async def limited(
    packed_pieces: AsyncIterable[bytes], unpacker: Unpacker, limit: int
) -> AsyncIterator[bytes]:
    """The body as it comes in. Raises AgentError for more than `limit` bytes, packed or not."""
    packed_left = left = limit
    turn_ends = monotonic() + _TURN_S
    async for packed in packed_pieces:
        piece = unpacker.feed(packed, left)
        packed_left -= len(packed)
        left -= len(piece)
        if left < 0 or packed_left < 0:
            raise AgentError(
                f"the answer is longer than the {limit / 2**20:g} MiB that are read. Answer less.",
                category="contract_violation",
            )
        for start in range(0, max(1, len(piece)), _PIECE):
            yield piece[start : start + _PIECE]
            if monotonic() >= turn_ends:
                await asyncio.sleep(0)
                turn_ends = monotonic() + _TURN_S
    unpacker.end()
