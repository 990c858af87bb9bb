"""How a child begins: it is told what to load, and says what it has."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.core.finite_json import without_surrogates
from evaltui.evaluators.child_lines import first_line, last_words, read_line
from evaltui.evaluators.plugin_entry import MOST_MEMORY, PluginEntry
from evaltui.net.secret_mask import SecretMask

LOAD_S = 20.0
"""Seconds that a child may take to load one entry."""
QUICK_S = 5.0
"""The same of a command whose judgements may take no longer than that."""
SLOW = "slow"
"""The fault of one that takes longer."""
_GRACE_S = 0.3
CHANGED = "its files were saved while it was judging; run it again to judge by them"
"""A process that begins in the middle of a run has loaded what is there by then, and its verdicts
would be kept as those of what the run began with."""


class Described(Struct, frozen=True, eq=False):
    """What an entry says it has, or why that cannot be found out."""

    said: Mapping[str, Any]
    """`fault` and `why` in it when it cannot."""
    source: bytes | None = None
    """What was read of a file and ran."""
    child: LineChild | None = None
    """Who said it, where it stays to judge."""


async def start_child(
    entry: PluginEntry, source: bytes | None, mask: SecretMask, known: set[LineChild] | None = None
) -> Described:
    """By one that is started for it; a command that judges once each ends with that."""
    try:
        child = await LineChild.start(entry.argv, cwd=entry.root, most_memory=MOST_MEMORY)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return fault(why, "start", source)
    return await greet(child, entry, source, mask, known)


async def greet(
    child: LineChild,
    entry: PluginEntry,
    source: bytes | None,
    mask: SecretMask,
    known: set[LineChild] | None = None,
) -> Described:
    """By one that runs already; it has ended if it is not there to judge.

    `known` has it while it is asked, so that somebody else can end it, and as long as it is there.
    """
    known = set() if known is None else known
    known.add(child)
    found = fault("", source=source)
    try:
        found = await _said_by(child, entry, source, mask)
        if not entry.is_one_shot and isinstance(found.said.get("evaluators"), list):
            found = replace(found, child=child)
    finally:
        if found.child is None:
            known.discard(child)
            await end_by_itself(child)
    return found


async def _said_by(
    child: LineChild, entry: PluginEntry, source: bytes | None, mask: SecretMask
) -> Described:
    limit_s = LOAD_S
    if entry.is_command:
        limit_s = min(LOAD_S, max(QUICK_S, entry.source.timeout_s))
    try:
        child.say(first_line(entry, source or b""))
        if entry.is_one_shot and child.child is not None:
            child.child.end_input()
        async with asyncio.timeout(limit_s):
            said = without_surrogates(read_line(await child.line(), mask))
    except TimeoutError:
        return fault(f"it was not loaded within {limit_s:g} s", SLOW, source)
    except Ended:
        return fault(await last_words(child, mask), source=source)
    except (LineTooLong, ValueError, RecursionError):
        return fault("it wrote something other than a line of JSON to stdout", source=source)
    if not isinstance(said, Mapping):
        return fault("it wrote something other than a JSON object", source=source)
    return Described(said, source)


def fault(why: str, kind: str = "load", source: bytes | None = None) -> Described:
    return Described({"fault": kind, "why": why}, source)


def why_not(described: Described, entry: PluginEntry) -> str:
    """Why no child is there to judge, for a verdict."""
    why = described.said.get("why") or "it names no `evaluators`"
    if described.said.get("fault") == "start":
        return f"`{entry.argv[0]}` cannot be started: {why}"
    return f"`{entry.text}` could not be loaded: {why}"


async def end_by_itself(child: LineChild) -> None:
    """Close its input, which ends those of ours; kill one that goes on."""
    if child.child is not None:
        child.child.end_input()
        await asyncio.wait({child.child.exited}, timeout=_GRACE_S)
    await child.end()
