"""`$ref`s of an API: across files, and in circles, made into schemas that stand alone."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct, field

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.files import Places
from evaltui.registries.openapi.document import Document, read_document
from evaltui.registries.source import shown_path
from evaltui.registries.text_file import Unreadable

INLINE_LIMIT = 2_000
"""Schema nodes of one operation that are written out; what follows is kept under `$defs`."""
MAX_HOPS = 32
_DROPPED = frozenset({"example", "examples", "xml", "externalDocs", "discriminator", "nullable"})
_SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "dependentSchemas")
_VALUES = frozenset({"enum", "const", "default", "required", "type", "description", "title"})


class References:
    """Follows references from one root file; remembers every file and everything wrong."""

    def __init__(self, start: Document, root: Path, places: Places | None) -> None:
        self.files: dict[str, Document] = {start.shown: start}
        self.missing: dict[str, None] = {}
        """Files that are named and cannot be read: they are watched all the same."""
        self.problems: dict[Problem, None] = {}
        self._root, self._places = root, places

    def follow(self, value: Json, home: Document) -> tuple[Json, Document, tuple[str, str]]:
        """Where a chain of `$ref`s ends: value, its file, and file and pointer as its identity."""
        identity, ref = ("", ""), None
        for _ in range(MAX_HOPS):
            ref = value.get("$ref") if isinstance(value, Mapping) else None
            if not isinstance(ref, str):
                return value, home, identity
            file, _, pointer = ref.partition("#")
            target = self._document(file, home) if file else home
            if target is None:
                return {}, home, ("", ref)
            found = _at(target.value, pointer)
            if found is _NOTHING:
                self._complain(home, ref, "leads to nothing")
                return {}, home, ("", ref)
            value, home, identity = found, target, (target.shown, pointer)
        self._complain(home, str(ref), "refers to itself in a circle")
        return {}, home, identity

    def schema(self, value: Json, home: Document) -> dict[str, Json]:
        """A schema with every reference written out, or under `$defs` where it can't be."""
        work = _Expansion(self)
        result = work.expand(value, home, ())
        schema = dict(result) if isinstance(result, Mapping) else {}
        if work.definitions:
            own = schema.get("$defs")
            schema["$defs"] = {**(own if isinstance(own, Mapping) else {}), **work.definitions}
        return schema

    def _document(self, file: str, home: Document) -> Document | None:
        if "://" in file:
            self._complain(home, file, "is on the network, which is not read")
            return None
        path = Path(os.path.normpath(home.path.parent / unquote(file)))
        shown = shown_path(path, self._root)
        if shown not in self.files:
            if shown in self.missing:
                return None
            try:
                self.files[shown] = read_document(path, shown, self._places)
            except Unreadable as error:
                self.missing[shown] = None
                self.problems[error.problem] = None
                return None
        return self.files[shown]

    def _complain(self, home: Document, ref: str, what: str) -> None:
        problem = Problem(
            home.shown,
            f"`$ref: {ref[:120]}` {what}",
            "Correct the reference; until then anything is allowed there.",
            severity=Severity.WARNING,
            code="openapi-ref",
        )
        self.problems[problem] = None


class _Expansion(Struct):
    refs: References
    definitions: dict[str, Json] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    recursive: set[tuple[str, str]] = field(default_factory=set)
    nodes: int = 0

    def expand(self, value: Json, home: Document, open_: tuple[tuple[str, str], ...]) -> Json:
        if not isinstance(value, Mapping):
            return value
        self.nodes += 1
        if isinstance(value.get("$ref"), str):
            return self._reference(value, home, open_)
        schema: dict[str, Json] = {}
        for key, item in value.items():
            if key in _DROPPED or key.startswith("x-"):
                continue
            if key in _SCHEMA_MAPS and isinstance(item, Mapping):
                schema[key] = {
                    name: self.expand(each, home, open_)
                    for name, each in item.items()
                    if not (isinstance(each, Mapping) and each.get("readOnly") is True)
                }
            elif key in _VALUES:
                schema[key] = item
            elif isinstance(item, list):
                schema[key] = [self.expand(each, home, open_) for each in item]
            else:
                schema[key] = self.expand(item, home, open_)
        return _as_2020(schema, value)

    def _reference(
        self, value: Mapping[str, Json], home: Document, open_: tuple[tuple[str, str], ...]
    ) -> Json:
        target, file, identity = self.refs.follow(value, home)
        beside = {key: item for key, item in value.items() if key != "$ref"}
        if identity in open_:
            self.recursive.add(identity)
            return {**beside, "$ref": f"#/$defs/{self._name(identity)}"}
        if self.nodes > INLINE_LIMIT and self._name(identity) in self.definitions:
            return {**beside, "$ref": f"#/$defs/{self._name(identity)}"}
        result = self.expand(target, file, (*open_, identity))
        if identity in self.recursive or self.nodes > INLINE_LIMIT:
            self.definitions[self._name(identity)] = result
            return {**beside, "$ref": f"#/$defs/{self._name(identity)}"}
        return {**result, **beside} if isinstance(result, Mapping) else result

    def _name(self, identity: tuple[str, str]) -> str:
        name = self.names.get(identity)
        if name is None:
            plain = identity[1].rpartition("/")[2] or "schema"
            name, number = plain, 2
            while name in self.names.values():
                name, number = f"{plain}{number}", number + 1
            self.names[identity] = name
        return name


def _as_2020(schema: dict[str, Json], old: Mapping[str, Json]) -> dict[str, Json]:
    """What 3.0 says in words of its own, in those of JSON Schema."""
    kind = schema.get("type")
    if old.get("nullable") is True and isinstance(kind, str):
        schema["type"] = [kind, "null"]
        choices = schema.get("enum")
        if isinstance(choices, list) and None not in choices:
            schema["enum"] = [*choices, None]
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        flag = schema.get(exclusive)
        if isinstance(flag, bool):
            del schema[exclusive]
            if flag and limit in schema:
                schema[exclusive] = schema.pop(limit)
    required, properties = schema.get("required"), schema.get("properties")
    if isinstance(required, list) and isinstance(properties, Mapping):
        whole = old.get("properties")
        dropped = set(whole) - set(properties) if isinstance(whole, Mapping) else set()
        schema["required"] = [name for name in required if name not in dropped]
    return schema


_NOTHING = object()


def _at(value: Json, pointer: str) -> Json:
    for step in pointer.split("/")[1:]:
        step = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _NOTHING  # type: ignore[return-value]
    return value
