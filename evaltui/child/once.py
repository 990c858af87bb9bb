"""A command that is asked once: stdin in, stdout out, within limits of time and size."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from evaltui.child.process import Child

LIMIT = 4 << 20
"""Bytes of its answer."""


class Answered(Struct, frozen=True):
    """What it wrote; `fault` is empty when it ended by itself with 0."""

    stdout: bytes = b""
    fault: str = ""
    is_late: bool = False
    """Whether its time was over."""
    code: int | None = None
    """Its exit code, where it ended by itself."""
    said: str = ""
    """The end of its stderr."""


async def ask_once(
    argv: Sequence[str],
    question: bytes,
    *,
    cwd: Path,
    limit_s: float,
    limit: int = LIMIT,
    most_memory: int | None = None,
) -> Answered:
    """Start it, ask, wait for its end. Never raises for its faults; nothing is left running."""
    pieces: list[bytes] = []
    size = 0
    child: Child | None = None

    def take(data: bytes) -> None:
        nonlocal size
        size += len(data)
        if size <= limit:
            pieces.append(data)
        elif child is not None:
            child.kill()

    try:
        child = await Child.start(argv, take, cwd=cwd, most_memory=most_memory)
    except (OSError, ValueError) as error:
        return Answered(fault=f"`{argv[0]}` cannot be started: {error}")
    try:
        child.write(question)
        child.end_input()
        async with asyncio.timeout(limit_s):
            ending = await child.ended()
    except TimeoutError:
        return Answered(fault=f"timed out after {limit_s:g} s", is_late=True, said=child.said)
    finally:
        await child.end()
    if size > limit:
        return Answered(fault=f"it wrote more than {limit >> 20} MiB")
    fault = "" if ending.code == 0 else f"it ended with {ending}"
    return Answered(b"".join(pieces), fault, code=ending.code, said=child.said)
