"""From a candidate to a `ToolDefinition`, with what is wrong or not known about it."""

from collections.abc import Sequence

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import JsonObject
from evaltui.core.tool import ToolDefinition, ToolStatus, Unresolved
from evaltui.registries.json_shapes import STATUS_HINT, tool_status
from evaltui.registries.parameter_schema import NotASchema, parameters_schema
from evaltui.registries.typescript.arguments import PARAMETERS, RESULT
from evaltui.registries.typescript.candidate import Candidate
from evaltui.registries.typescript.plain import NotStatic, is_too_large, to_json, unknown_at
from evaltui.registries.typescript.values import Arr, Call, Obj, Schema, Slot, Unknown, Value
from evaltui.registries.typescript.zod_objects import object_schema, shape_of

NOT_CHECKED = "Write it as a text or a constant; until then it is not checked."
_CONVERTERS = ("zodToJsonSchema", "zodSchema", "jsonSchema", "toJsonSchema", "toJSONSchema")


class _Definition:
    """One candidate on its way to a definition."""

    def __init__(self, candidate: Candidate) -> None:
        self.config = candidate.config
        self.file = candidate.module.shown
        self.line = candidate.node.start_point[0] + 1
        self.name = candidate.key
        self.unresolved: list[Unresolved] = []
        self.problems: list[Problem] = []

    def complain(self, what: str, hint: str, slot: Slot | None) -> None:
        file, line = (slot.module.shown, slot.line) if slot else (self.file, self.line)
        self.problems.append(Problem(file, what, hint, line, code="tool-field"))

    def not_static(self, field: str, unknown: Unknown) -> None:
        place = Unresolved(field, unknown.expression, unknown.file, unknown.line)
        self.unresolved.append(place)

    def slot(self, field: str) -> Slot | None:
        """The field as written; its value is `Unknown` when a spread may have set it."""
        value, slot = self.config.get(field), self.config.entries.get(field)
        if value is None:
            return None
        if slot is None:
            return Slot(value, self.config.module, self.config.node)
        return slot._replace(value=value)

    def text(self, field: str) -> str | None:
        slot = self.slot(field)
        match slot.value if slot is not None else None:
            case None:
                return None
            case str() as text:
                return text
            case bool() | Obj() | Arr():
                what = f"`{field}` of tool `{self.name}` must be a text"
                self.complain(what, "Until then it counts as missing.", slot)
                return None
            case (int() | float()) as number if field == "version":
                return str(number)
        if slot is not None:
            self.not_static(field, unknown_at(slot))
        return None

    def status(self) -> ToolStatus:
        slot, deprecated = self.slot("status"), self.slot("deprecated")
        flag = deprecated.value if deprecated is not None else None
        value = slot.value if slot is not None else None
        if slot is not None and value is not None and not isinstance(value, str):
            self.not_static("status", unknown_at(slot))
            return ToolStatus.ACTIVE
        status, wrong = tool_status(value, flag)
        if wrong and slot is not None:
            problem = Problem(
                slot.module.shown, wrong, STATUS_HINT, slot.line, 0, "", Severity.WARNING,
                "tool-field",
            )  # fmt: skip
            self.problems.append(problem)
        return status

    def parameters(self) -> JsonObject | None:
        written = next((key for key in PARAMETERS if key in self.config.entries), PARAMETERS[0])
        slot = self.slot(written)
        if slot is None or slot.value is None:
            self.other_schemas()
            return None
        try:
            return parameters_of(slot.value, unknown_at(slot))
        except NotStatic as error:
            self.not_static("parameters", error.unknown)
        except NotASchema as error:
            what = f"the parameters of tool `{self.name}` cannot be used: {error}"
            hint = "Write a zod or JSON Schema, or `{city: {type: 'string'}}`."
            self.complain(what, hint, slot)
        return None

    def other_schemas(self) -> None:
        """Say what may be the parameters, under a name that tells nobody so."""
        for key, slot in self.config.entries.items():
            if not isinstance(slot.value, Schema) or slot.value.shape is None:
                continue
            if RESULT.search(key) is None:
                what = f"`{key}` of tool `{self.name}` is not read: it has no known meaning"
                hint = "Call it `inputSchema` if these are the tool's parameters."
                file, severity = slot.module.shown, Severity.LINT
                self.problems.append(
                    Problem(file, what, hint, slot.line, severity=severity, code="tool-field")
                )


def define(candidate: Candidate, source: str) -> tuple[ToolDefinition | None, list[Problem]]:
    """The definition, `None` when its name is not known, and what is wrong with it.

    What it has that cannot be read is the affair of `unresolved_problems`.
    """
    made = _Definition(candidate)
    named = candidate.config.entries.get("name")
    if named is not None:
        if not isinstance(named.value, str) or not named.value.strip():
            unknown = unknown_at(named)
            return None, [_nameless(unknown)]
        made.name = named.value
    if not made.name:
        return None, []
    description, version = made.text("description"), made.text("version")
    category, status, parameters = made.text("category"), made.status(), made.parameters()
    files = tuple(dict.fromkeys((made.file, *candidate.config.deps)))
    tool = ToolDefinition(
        made.name, description, version, category, parameters, status, made.file, made.line,
        files, tuple(made.unresolved), source,
    )  # fmt: skip
    return tool, made.problems


def unresolved_problems(tools: Sequence[ToolDefinition]) -> list[Problem]:
    """A warning for each expression in the way, whatever number of fields and tools it hides."""
    hidden: dict[Unknown, tuple[list[str], list[str]]] = {}
    for tool in tools:
        for item in tool.unresolved:
            unknown = Unknown(item.expression, item.file, item.line)
            fields, names = hidden.setdefault(unknown, ([], []))
            fields.append(f"`{item.field}`")
            names.append(f"`{tool.name}`")
    return [
        _unresolved(f"{_once(fields)} of {_tools(names)}", unknown, NOT_CHECKED)
        for unknown, (fields, names) in hidden.items()
    ]


def _once(texts: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(texts))


def _tools(names: Sequence[str]) -> str:
    each = list(dict.fromkeys(names))
    if len(each) == 1:
        return f"tool {each[0]}"
    more = len(each) - _NAMED
    if more <= 1:
        return f"the tools {', '.join(each[:-1])} and {each[-1]}"
    return f"the tools {', '.join(each[:_NAMED])} and {more} others"


_NAMED = 3
"""Tools that a problem about several names."""


def _nameless(unknown: Unknown) -> Problem:
    hint = "Write the name as a text or a constant; until then this tool is left out."
    return _unresolved("the `name` of a tool", unknown, hint)


def _unresolved(what: str, unknown: Unknown, hint: str) -> Problem:
    return Problem(
        unknown.file,
        f"{what} cannot be read without running `{unknown.expression}`",
        hint,
        unknown.line,
        severity=Severity.WARNING,
        code="unresolved",
    )


def parameters_of(value: Value, place: Unknown) -> JsonObject:
    """JSON Schema of the parameters; raises `NotStatic` or `NotASchema`."""
    match value:
        case Schema():
            if value.hole is not None:
                raise NotStatic(value.hole)
            schema = value.json
        case Obj() if any(isinstance(slot.value, Schema) for slot in value.entries.values()):
            shape = shape_of(value, place)
            if isinstance(shape, Unknown):
                raise NotStatic(shape)
            return parameters_of(object_schema(shape), place)
        case Call(args=(first, *_)) if value.name in _CONVERTERS:
            return parameters_of(first.value, place)
        case _:
            schema = parameters_schema(to_json(value, place))
    if is_too_large(schema):
        raise NotStatic(place)
    return schema
