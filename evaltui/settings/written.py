"""What models of hand-written files share: strict types, `null` is absent, 5.0 is 5."""

from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from evaltui.settings.spelling import camel_case

SCHEMA_KEY = "$schema"
"""Names the JSON Schema of a file for editors; allowed in every file and never a setting."""

T = TypeVar("T")


class Written(BaseModel):
    """A table that a person wrote; keys are `like_this` or `likeThis`, unknown ones a mistake."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        alias_generator=camel_case,
        validate_by_name=True,
        validate_by_alias=True,
        protected_namespaces=(),
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        if not isinstance(value, dict) or (None not in value.values() and SCHEMA_KEY not in value):
            return value
        known = {*cls.model_fields, *(field.alias for field in cls.model_fields.values())}
        left_out = {key for key, item in value.items() if item is None and key in known}
        if cls.model_config["extra"] == "forbid":
            left_out.add(SCHEMA_KEY)
        return {key: item for key, item in value.items() if key not in left_out}

    def given(self) -> dict[str, Any]:
        """The values that were written, by field name; what has its default is left out."""
        written = self.model_fields_set
        return {name: getattr(self, name) for name in type(self).model_fields if name in written}


def _text(value: Any) -> str:
    # Not pydantic's own `str`: file names on the command line may hold lone surrogates.
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    raise PydanticCustomError("text", "no text")


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, list | tuple) else [value]


class _OneOrMany:
    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        listed: dict[str, Any] = handler(core_schema)
        return {"anyOf": [listed["items"], listed]}


Text: TypeAlias = Annotated[
    str, PlainValidator(_text), WithJsonSchema({"type": "string", "pattern": r"\S"})
]
"""Text that is not blank and holds no NUL character."""
SecretText: TypeAlias = Annotated[
    str,
    PlainValidator(_text),
    WithJsonSchema({"type": "string", "pattern": r"\S", "writeOnly": True}),
]
"""Text that no complaint may repeat."""
Probability: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Dollars: TypeAlias = Annotated[float, Field(ge=0)]
PerMinute: TypeAlias = Annotated[float, Field(gt=0)]
WHOLE = BeforeValidator(_whole)
"""Behind an `int` and its limits: it may be written as 5.0."""
Many: TypeAlias = Annotated[list[T], BeforeValidator(_listed), _OneOrMany()]
"""A list; one item may stand alone."""
