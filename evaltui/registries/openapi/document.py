"""An OpenAPI file as JSON values, with the line of every operation."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json
from evaltui.files import Places
from evaltui.json_text.tree import JsonTree
from evaltui.registries.text_file import JSON_LIMIT, TextFile, Unreadable, read_text_file, unusable

if TYPE_CHECKING:
    import yaml

MAX_DEPTH = 200
"""Deeper nesting is no description of an API."""


class Document(Struct, frozen=True):
    path: Path
    shown: str
    value: Json
    digest: str
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """1-based line by path and method of the operations."""


def read_document(path: Path, shown: str, places: Places | None) -> Document:
    """Raises Unreadable, with the problem, for what is neither JSON nor YAML."""
    file = read_text_file(path, shown, JSON_LIMIT, places)
    if not file.text.strip():
        raise Unreadable(Problem(shown, "the file is empty", "Write an API.", code="empty"))
    try:
        if file.text.lstrip().startswith("{"):
            return _from_json(path, file)
        return _from_yaml(path, file)
    except RecursionError:
        problem = Problem(shown, "nested too deeply", "Flatten it.", code="too-deep")
        raise Unreadable(problem, file.digest) from None


def _from_json(path: Path, file: TextFile) -> Document:
    try:
        value: Json = decode_json(file.text)
    except ValueError as error:
        if not isinstance(error, json.JSONDecodeError):
            problem = unusable(file.shown, "JSON", error)
        else:
            what = f"not valid JSON ({error.msg[0].lower()}{error.msg[1:]})"
            hint = "Correct the JSON."
            problem = Problem(file.shown, what, hint, error.lineno, error.colno, code="json-syntax")
        raise Unreadable(problem, file.digest) from None
    return Document(path, file.shown, value, file.digest, _json_lines(file.text))


def _json_lines(text: str) -> dict[tuple[str, str], int]:
    tree = JsonTree(text.encode("utf-8", "replace"))
    return {
        (path.key, method.key): tree.place(method.key_node)[0]
        for top in tree.members(tree.root)
        if top.key == "paths"
        for path in tree.members(top.value)
        for method in tree.members(path.value)
    }


def _from_yaml(path: Path, file: TextFile) -> Document:
    try:
        import yaml
    except ImportError:
        hint = "pip install evaltui[openapi], or point the registry at the API as JSON."
        problem = Problem(file.shown, "reading YAML needs PyYAML", hint, code="needs-extra")
        raise Unreadable(problem, file.digest) from None
    try:
        _refuse_depth(file.text)
        loader = _loader()(file.text)
        try:
            node = loader.get_single_node()
            value = None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = str(getattr(error, "problem", None) or error).strip().splitlines()[0]
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        problem = Problem(
            file.shown,
            f"not valid YAML ({why})",
            "Correct the YAML.",
            line,
            column,
            code="yaml-syntax",
        )
        raise Unreadable(problem, file.digest) from None
    except (ValueError, TypeError) as error:
        raise Unreadable(unusable(file.shown, "YAML", error), file.digest) from None
    return Document(path, file.shown, _plain(value), file.digest, _yaml_lines(node))


def _refuse_depth(text: str) -> None:
    """Raises RecursionError: the parser in C has a stack of its own, and dies where it ends."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise RecursionError
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _loader() -> "type[yaml.SafeLoader]":
    """YAML 1.2's words as JSON has them: `on` and `no` are texts, and so are dates."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        yaml_implicit_resolvers = {  # noqa: RUF012
            first: [
                (tag, pattern)
                for tag, pattern in rows
                if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
            ]
            for first, rows in base.yaml_implicit_resolvers.items()
        }

    pattern = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", pattern, list("tTfF"))
    found: type[yaml.SafeLoader] = Loader
    return found


def _plain(value: Any) -> Json:
    """Text keys only; what JSON does not know becomes text. Aliases stay shared."""
    return _Plain().of(value)


class _Plain:
    def __init__(self) -> None:
        self._seen: set[int] = set()

    def of(self, value: Any, depth: int = 0) -> Json:
        if depth > MAX_DEPTH:
            raise RecursionError
        if isinstance(value, dict):
            if id(value) not in self._seen:  # aliases of aliases are exponentially many
                self._seen.add(id(value))
                items = [(_key(key), self.of(item, depth + 1)) for key, item in value.items()]
                value.clear()
                value.update(items)
            return value
        if isinstance(value, list):
            if id(value) not in self._seen:
                self._seen.add(id(value))
                value[:] = [self.of(item, depth + 1) for item in value]
            return value
        return value if value is None or isinstance(value, str | int | float) else str(value)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)


def _yaml_lines(node: Any) -> dict[tuple[str, str], int]:
    def members(node: Any) -> list[tuple[Any, Any]]:
        value = getattr(node, "value", None)
        return value if isinstance(value, list) and getattr(node, "id", "") == "mapping" else []

    return {
        (str(path.value), str(method.value)): method.start_mark.line + 1
        for name, paths in members(node)
        if name.value == "paths"
        for path, item in members(paths)
        for method, _ in members(item)
    }
