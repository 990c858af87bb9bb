"""Access control: the server's names, pages that may call it, and the token."""

import hmac
import ipaddress
import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct, field
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from evaltui.api.answers import fault_answer
from evaltui.api.faults import Fault, Misdirected, NotAllowed, NoToken

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_COOKIE = "evaltui"


class Door(Struct, frozen=True):
    """What a request has to bring.

    A page from elsewhere cannot ask: its `Origin` is another one. Nor can one whose name was made
    to lead here (DNS rebinding): that name is none of ours.
    """

    host: str = "127.0.0.1"
    """Where the server listens."""
    names: frozenset[str] = frozenset()
    """Others under which it is reached."""
    token: str = ""
    """Empty: none is asked for."""
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """What a browser has in its cookie once it brought the token. Not the token itself: cookies go
    to every port of a host."""

    @property
    def cookie(self) -> str:
        return f"{_COOKIE}={self.session}; HttpOnly; SameSite=Strict; Path=/"

    def refusal(self, scope: Scope) -> Fault | None:
        """Why the request is not answered."""
        headers = _headers(scope)
        host = headers.get("host", [""])
        if len(host) != 1 or not self._is_ours(_name(host[0])):
            what = f"`{_name(host[0])[:80]}` is not a name of this server."
            return Misdirected(
                what, "Start it with `--allow-host NAME` if that is one of its names."
            )
        if _is_elsewhere(headers, host[0], scope):
            what = "The request came from a page of another site."
            return NotAllowed(what, "Ask from a program, or from a page of this server.")
        if self.token and not self._has_token(headers):
            return NoToken("The token is missing or wrong.", "Send it: `Authorization: Bearer …`.")
        return None

    def is_entered(self, scope: Scope) -> bool:
        """Whether a browser brings the token in the address of the page, for which it gets a
        cookie: it is not seen in the address then."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) != ("GET", "/"):
            return False
        try:
            query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
        except ValueError:  # no address of the page has so many
            return False
        return any(self.is_token(given) for given in query.get("token", ()))

    def is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _has_token(self, headers: Mapping[str, Sequence[str]]) -> bool:
        for value in headers.get("authorization", ()):
            scheme, _, given = value.partition(" ")
            if scheme.lower() == "bearer" and self.is_token(given.strip()):
                return True
        sent = "; ".join(headers.get("cookie", ())).split("; ")
        wanted = f"{_COOKIE}={self.session}".encode()
        return any(hmac.compare_digest(one.encode("utf-8", "replace"), wanted) for one in sent)

    def _is_ours(self, name: str) -> bool:
        if name in _LOCAL or name in self.names or (name and name == self.host.lower()):
            return True
        # An address cannot be made to lead elsewhere, as a name can.
        return not is_loopback(self.host) and _is_address(name)


class Guarded:
    """An application behind a door; websockets too."""

    def __init__(self, inner: Starlette, door: Door) -> None:
        self.inner, self._door = inner, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.inner(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_SAFELY]
            await send(message)

        refused = self._door.refusal(scope)
        if refused is None:
            await self.inner(scope, receive, send_safely)
        elif isinstance(refused, NoToken) and self._door.is_entered(scope):
            entered = Response(None, 303, {"Location": "/", "Set-Cookie": self._door.cookie})
            await entered(scope, receive, send_safely)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused.what})
        else:
            await fault_answer(refused)(scope, receive, send_safely)


_SAFELY = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine reach an address to listen on."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_elsewhere(headers: Mapping[str, Sequence[str]], host: str, scope: Scope) -> bool:
    for origin in headers.get("origin", ()):
        parts = _split(origin)
        if parts is None or parts.scheme not in ("http", "https") or parts.netloc != host.lower():
            return True
    # A browser does not name the origin of a page that only has something loaded, as a picture.
    site = headers.get("sec-fetch-site", ["none"])[0]
    is_visit = headers.get("sec-fetch-mode") == ["navigate"] and scope.get("method") == "GET"
    return site not in ("same-origin", "none") and not is_visit


def _name(host: str) -> str:
    """Of a `Host`, without its port; empty for none."""
    parts = _split(f"//{host}")
    return (parts.hostname or "") if parts is not None and not parts.path else ""


def _split(url: str) -> Any:
    try:
        parts = urlsplit(url.lower())
        _ = parts.port
    except ValueError:
        return None
    return None if parts.username is not None else parts


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found
