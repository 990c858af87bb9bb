"""What a JSON value is."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
else:
    Json = Any  # msgspec refuses recursive aliases

JsonObject: TypeAlias = Mapping[str, Json]


def object_of(value: object) -> JsonObject:
    """A value that should be an object, as one: empty where it is anything else."""
    return value if isinstance(value, Mapping) else {}
