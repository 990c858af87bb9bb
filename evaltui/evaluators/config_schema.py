"""JSON Schemas (2020-12 unless they say otherwise), and what breaks them."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.core.key_path import KeyPath


class SchemaMistake(Struct, frozen=True):
    """One thing that a value breaks, at its place in the value."""

    path: KeyPath
    what: str
    hint: str = ""
    """What to do; empty where the schema says it."""


Further = Callable[[Mapping[str, Any]], Iterator[SchemaMistake]]
"""What is wrong with settings that keep to their schema: what no schema can say."""


class ConfigSchema:
    """A schema that is held against many values. `format` is an annotation; nothing is fetched."""

    def __init__(self, schema: Mapping[str, Any] | bool, further: Further | None = None) -> None:
        self._schema: Any = dict(schema) if isinstance(schema, Mapping) else schema
        self._further = further

    @cached_property
    def _validator(self) -> Any:
        import jsonschema_rs

        plain = self._schema
        is_other = isinstance(plain, dict) and "$schema" in plain
        make: Any = jsonschema_rs.validator_for if is_other else jsonschema_rs.Draft202012Validator
        wanted: list[str] = []
        try:
            return make(plain, validate_formats=False, retriever=_refusing(wanted))
        except (ValueError, TypeError, jsonschema_rs.ReferencingError) as error:
            raise ValueError(_schema_fault(error, wanted)) from None

    @classmethod
    def of(cls, type_: str, schema: Mapping[str, Any]) -> "ConfigSchema":
        """That of an evaluator's settings. Raises UserError for what is no JSON Schema."""
        try:
            made = cls(schema)
            made.check()
        except ValueError as error:
            what = f'The configSchema of evaluator "{type_}" {error}.'
            raise UserError(what, "Correct it; until then the evaluator is left out.") from None
        return made

    def check(self) -> None:
        """Raises ValueError for what is no JSON Schema, or refers to another document.

        Its words go on behind a name of the schema.
        """
        assert self._validator is not None

    def mistakes(self, value: object) -> Iterator[SchemaMistake]:
        """All that a value of JSON breaks. Raises ValueError as `check`."""
        is_kept = True
        for error in self._validator.iter_errors(value):
            is_kept = False
            yield SchemaMistake(tuple(error.instance_path), _said(error))
        if is_kept and self._further is not None and isinstance(value, Mapping):
            yield from self._further(value)


@lru_cache(maxsize=128)
def schema_of(text: str) -> ConfigSchema:
    """Of a schema as JSON, the same one for the same text: most cases of a suite have one schema,
    and compiling it takes longer than judging by it."""
    return ConfigSchema(json.loads(text))


def _said(error: Any) -> str:
    """The validator's words, but where one of some keys is missing: those name no key."""
    branches = error.kind.context if error.kind.name == "anyOf" else ()
    missing = [only.kind for branch in branches for only in branch]
    if missing and all(kind.name == "required" for kind in missing):
        keys = dict.fromkeys(f'"{kind.property}"' for kind in missing)
        return f"{' or '.join(keys)} is a required property"
    return str(error.message)


def _refusing(wanted: list[str]) -> Callable[[str], Any]:
    """Fetches nothing, and notes what it was to fetch."""

    def refuse(uri: str) -> Any:
        wanted.append(uri)
        raise ValueError(uri)

    return refuse


def _schema_fault(error: Exception, wanted: list[str]) -> str:
    if wanted:
        return f"refers to `{wanted[0]}`, which is not fetched: put that schema into `$defs`"
    lines = str(getattr(error, "message", "") or error).splitlines()
    said = lines[0] if lines else type(error).__name__
    is_reference = getattr(getattr(error, "kind", None), "name", "") == "$ref"
    return f"{'refers to what is not there' if is_reference else 'is not a JSON Schema'}: {said}"
