"""What a JSON value is, for type annotations."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
else:
    Json = Any  # msgspec refuses recursive aliases

JsonObject: TypeAlias = Mapping[str, Json]
