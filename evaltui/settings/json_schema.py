"""JSON Schemas of what people write, as short as an editor needs them."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema


class _Short(GenerateJsonSchema):
    """No titles that repeat the key; `null` is as good as absent and needs no mention."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def nullable_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> dict[str, Any]:
        made = super().default_schema(schema)
        if made.get("default", 0) in (None, []):
            del made["default"]
        return made


def json_schema(model: type[BaseModel], *, by_alias: bool = True) -> dict[str, Any]:
    """The schema of a model; keys `likeThis`, or as in TOML without `by_alias`."""
    return model.model_json_schema(by_alias=by_alias, schema_generator=_Short)
