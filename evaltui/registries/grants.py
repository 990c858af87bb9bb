"""What reading a source of tools does besides reading files of the project."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from evaltui.core.json_value import Json
from evaltui.core.permit import Grant, grant
from evaltui.files import is_folder, outside
from evaltui.registries.source import SourceRequest


class _Source(Protocol):
    @property
    def location(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Json]: ...
    @property
    def key(self) -> str: ...


def source_grants(type_: str, root: Path, source: _Source) -> tuple[Grant, ...]:
    """Of a source of that type; those of the MCP servers that it names are `server_grants`."""
    location, by = source.location, source.key
    if type_ == "python":
        from evaltui.child.interpreter import own_python  # with all that runs programs

        python = source.options.get("python") or own_python(root) or None
        what = f"Python `{location}`" + (f" in `{python}`" if python else "")
        return (grant("run", [location, python], what, by=by),)
    if "://" in location or (type_ == "mcp" and not location.endswith(".json")):
        return ()
    place = outside(root, location)
    return (grant("read", place, f"`{place}`", by=by),) if place else ()


def server_grants(root: Path, source: _Source) -> tuple[Grant, ...]:
    """Of the MCP servers that a source names now; reads the file that it is, if it is one."""
    from evaltui.registries.mcp.server import servers_of

    named = servers_of(SourceRequest(root, source.location, source.options))
    return tuple(server.grant(root) for server in named.servers)


def own_places(root: Path, source: _Source) -> tuple[Path, ...]:
    """The folder of a source outside of the project; it is not read where nobody agreed to that."""
    place = outside(root, source.location)
    if not place or "://" in place:
        return ()
    path = Path(place)
    return (path if is_folder(path) else path.parent,)
