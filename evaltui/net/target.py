"""Where requests go: a URL taken apart once, and the form of it that may be shown."""

import base64
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.core.secret_name import is_secret_name

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"})


class Target(Struct, frozen=True):
    """One endpoint; `authorization` is the basic credentials of the URL, ready for the header."""

    host: str
    port: int
    is_tls: bool
    path: str
    """Path and query as sent; starts with `/`."""
    host_header: str
    authorization: str
    shown: str
    """The URL without credentials, query secrets and fragment: safe for names and messages."""
    hidden: tuple[str, ...] = ()
    """What was left out of it, in clear."""

    def __repr__(self) -> str:
        return f"Target({self.shown})"

    @property
    def is_address(self) -> bool:
        """Whether the host is an address, and no name that may have several."""
        return ":" in self.host or self.host.replace(".", "").isdigit()

    @property
    def is_local(self) -> bool:
        return self.host in _LOCAL or self.host.endswith(".localhost")


def parse_target(url: str) -> Target:
    """Take `url` apart. Raises UserError, without quoting what could be a secret."""
    if any(ord(character) <= 32 or ord(character) == 127 for character in url):
        raise _bad_url("holds white space or control characters")
    if "\\" in url:  # a browser takes it for a slash, others for a part of the host
        raise _bad_url("holds a backslash")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise _bad_url(f"cannot be read ({error})") from None
    if parts.scheme not in {"http", "https"}:
        raise _bad_url("does not start with http:// or https://")
    if not host:
        raise _bad_url("names no host")
    try:
        ascii_host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise _bad_url("names a host that is not valid") from None
    is_tls = parts.scheme == "https"
    place = f"[{ascii_host}]" if ":" in ascii_host else ascii_host
    if port is not None and port != (443 if is_tls else 80):
        place = f"{place}:{port}"
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    authorization = ""
    if parts.username or parts.password:
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    return Target(
        host=ascii_host,
        port=port if port is not None else (443 if is_tls else 80),
        is_tls=is_tls,
        path=f"{path}?{query}" if query else path,
        host_header=place,
        authorization=authorization,
        shown=f"{parts.scheme}://{place}{path}{_shown_query(parts.query)}",
        hidden=(
            unquote(parts.password or ""),
            *(value for key, value in parse_qsl(parts.query) if is_secret_name(key)),
        ),
    )


def _shown_query(query: str) -> str:
    pairs = [
        (key, "***" if is_secret_name(key) else value)
        for key, value in parse_qsl(query, keep_blank_values=True)
    ]
    return f"?{urlencode(pairs, safe='*/:')}" if pairs else ""


def _bad_url(what: str) -> UserError:
    return UserError(f"The agent's `url` {what}.", "Write it like http://localhost:3000/chat.")
