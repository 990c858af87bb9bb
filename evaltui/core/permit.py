"""What a project's settings want done besides reading its files, and what a person agreed to."""

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import NOT_TRUSTED, Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.variable import VARIABLE, variables_in

Kind: TypeAlias = Literal["run", "send", "read", "write"]
_VERBS: dict[Kind, str] = {
    "run": "runs",
    "send": "sends to",
    "read": "reads, outside of the project,",
    "write": "writes, outside of the project,",
}


class Grant(Struct, frozen=True):
    """One of them: a command, an address or a path, with the variables that are filled in for it.

    `digest` is what is agreed to. It tells nothing of secrets, and `by`, the settings that name
    it, are no part of it.
    """

    kind: Kind
    what: str
    """To be shown: without credentials."""
    digest: str
    variables: tuple[str, ...] = ()
    by: str = ""

    def __str__(self) -> str:
        variables = f" with ${', $'.join(self.variables)}" if self.variables else ""
        by = f"  ({self.by})" if self.by else ""
        return f"{_VERBS[self.kind]} {self.what}{variables}{by}"


def grant(kind: Kind, exact: Json, what: str, *, by: str, filled: Iterable[str] = ()) -> Grant:
    """`exact` is what must stay the same; `filled` are all texts in which `${NAME}` stands.

    `what` is shown as it is: of commands and variables what `shown_secret` leaves of them.
    """
    variables = tuple(sorted({name for text in filled for name in variables_in(text)}))
    bound = json.dumps([kind, exact, variables], sort_keys=True, default=dict)
    digest = sha256(bound.encode("utf-8", "surrogatepass")).hexdigest()
    return Grant(kind, what, digest, variables, by)


def sending(url: str, *, by: str, filled: Iterable[str] = (), leads_to: str = "") -> Grant:
    """Requests to an address as it is written: its scheme, host and port are agreed to.

    `leads_to`: what files of the project make of it, whose scheme, host and port are too.
    """
    exact, shown, there = origin(url), _shown(url), _host_of(leads_to)
    if leads_to and there != _host_of(url):
        read = there if "://" in there else "an address that cannot be read"
        shown = f"{shown}, which is {read},"
        return grant("send", [exact, there], shown, by=by, filled=(url, *filled))
    return grant("send", exact, shown, by=by, filled=(url, *filled))


def each_once(grants: Iterable[Grant]) -> tuple[Grant, ...]:
    """In their order; one that several settings name says all of those."""
    found: dict[str, Grant] = {}
    for one in grants:
        known = found.setdefault(one.digest, one)
        named = dict.fromkeys(filter(None, (*known.by.split(", "), one.by)))
        found[one.digest] = replace(known, by=", ".join(named))
    return tuple(found.values())


class Permit(Struct, frozen=True):
    """What may be done; without anything: nothing."""

    digests: frozenset[str] = frozenset()
    is_all: bool = False
    """Agreed to for this process as a whole: `--trust`, `EVALTUI_TRUST`."""

    def missing(self, grants: Iterable[Grant]) -> tuple[Grant, ...]:
        """Those of them that nobody agreed to, each once."""
        if self.is_all:
            return ()
        return tuple(one for one in each_once(grants) if one.digest not in self.digests)


def not_trusted(one: Grant) -> Problem:
    """What is left out because nobody agreed to it."""
    what = f"left out, as nobody agreed to it: it {one}"
    return Problem("", what, HOW_TO_TRUST, severity=Severity.WARNING, code=NOT_TRUSTED)


HOW_TO_TRUST = (
    "`evaltui trust`, or ctrl+t in the dashboard, shows all of it and asks; "
    "`--trust` agrees for one command."
)
NOTHING = Permit()
EVERYTHING = Permit(is_all=True)


def origin(url: str) -> str:
    """Everything up to the path, with variables whole: one there is a part of the host."""
    variables = [match[0] for match in VARIABLE.finditer(url)]
    marked = VARIABLE.sub("\0", url)
    scheme, separator, rest = marked.partition("://")
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]  # as whoever connects reads it
    found = f"{scheme}{separator}{host}"
    for variable in variables:
        found = found.replace("\0", variable, 1)
    return found


def _host_of(url: str) -> str:
    """The origin without user and password, which are exchanged now and then."""
    scheme, separator, host = origin(url).partition("://")
    return f"{scheme}{separator}{host.rpartition('@')[2]}"


def _shown(url: str) -> str:
    """Without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that cannot be read"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
