"""JSON Schemas of what people write, as short as an editor needs them."""

from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema


class _Short(GenerateJsonSchema):
    """No titles that repeat the key, no defaults that mean nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        made = super().default_schema(schema)
        if made.get("default", 0) in (None, "", [], {}):
            del made["default"]
        return made


def json_schema(
    model: type[BaseModel] | TypeAdapter[Any], *, by_alias: bool = True, at: str = "#/$defs/"
) -> dict[str, Any]:
    """The schema of a model; keys `likeThis`, or as in TOML without `by_alias`.

    `at`: where the models that it names will stand.
    """
    make = model.json_schema if isinstance(model, TypeAdapter) else model.model_json_schema
    return make(by_alias=by_alias, schema_generator=_Short, ref_template=f"{at}{{model}}")
