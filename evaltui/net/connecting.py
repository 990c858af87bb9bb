"""What all connections share: certificates, and the messages for failed connections."""

import socket
from functools import cache
from typing import TYPE_CHECKING

from evaltui.core.errors import AgentError
from evaltui.net.target import Target

if TYPE_CHECKING:
    import ssl

CONNECT_S = 15.0
"""So long a connection may take, beside the limit of the case, whose agent was not asked yet. A
server without TLS often just waits for more."""


@cache
def tls_context() -> "ssl.SSLContext":
    """The machine's certificates, or those of `SSL_CERT_FILE`; reading them takes some 50 ms."""
    import ssl

    return ssl.create_default_context()


def unreachable(target: Target, error: Exception) -> AgentError:
    """`error`: the OSError at the bottom of it, if there is one."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    place = f"`{host}:{target.port}`"
    if isinstance(error, socket.gaierror):
        what = f"host `{target.host}` was not found. Check the URL and the network."
    elif isinstance(error, ConnectionRefusedError) or "refused" in str(error).lower():
        what = f"connection refused by {place}. Start the agent, or check the URL."
    elif type(error).__name__.startswith("SSL"):
        what = f"no secure connection to {place}: {error}. Check the certificate and the URL."
    else:
        what = f"no connection to {place}: {error}. Check that the agent runs."
    return AgentError(what, retryable=True, is_unpaid=True)


def unanswered(target: Target) -> AgentError:
    """The limit of connecting passed."""
    return unreachable(target, TimeoutError(f"nothing within {CONNECT_S:g} s"))
