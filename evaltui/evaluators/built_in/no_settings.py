"""The schema of evaluators without settings."""

from typing import Any, Final

NO_SETTINGS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {},
    "additionalProperties": False,
}
