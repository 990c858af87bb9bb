"""Why an MCP server cannot be reached, in words that hold no secret."""

from typing import TextIO

from evaltui.core.errors import UserError
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.mcp.server import McpServer

_TAIL = 600
"""Characters."""


def fault_in_words(
    error: BaseException, server: McpServer, secrets: SecretResolver, said: str = ""
) -> str:
    """`said`: the end of what the server wrote to stderr."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ImportError):
        return "the MCP client is not installed. pip install evaltui[mcp]"
    if isinstance(error, UserError):
        return f"{error.what} {error.hint}".strip()
    if isinstance(error, TimeoutError):
        what = f"no answer within {server.timeout_s:g} s"
    elif isinstance(error, FileNotFoundError):
        what = f"the program `{server.command}` was not found"
    else:
        text = str(error).strip()
        # A list that is not as the protocol wants it is a heading, then each place and reason.
        what = " ".join(text.split("\n", 3)[:3]) if text else type(error).__name__
        what = secrets.mask.start_of(" ".join(what.split()), _TAIL)
    return secrets.mask.hide(what) + (
        f"; it wrote: {secrets.mask.end_of(said, _TAIL)}" if said else ""
    )


def tail(errlog: TextIO) -> str:
    """The end of a log as one line, behind a `…` where that is not all; empty when it cannot be
    read."""
    try:
        errlog.flush()
        size = errlog.seek(0, 2)
        before = errlog.seek(max(0, size - 4 * _TAIL))
        return ("…" if before else "") + " ".join(errlog.read().split())
    except (OSError, ValueError):
        return ""
