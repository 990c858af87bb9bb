"""One request that the API answers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from pydantic import BaseModel

MOST_CASES = 1000
"""Results of a run that are sent at once."""


class Operation(Struct, frozen=True):
    """One thing that can be asked."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    summary: str
    answer: str = ""
    """What comes back, in words."""
    status: int = 200
    body: "Callable[[], type[BaseModel]] | None" = None
    is_partial: bool = False
    """Whether the body may leave out what else is required."""
    query: Mapping[str, str] = {}
    media_type: str = "application/json"
