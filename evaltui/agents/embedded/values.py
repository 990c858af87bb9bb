"""The value a parameter gets from a span: number, text, list, date in the format asked for."""

import re

from evaltui.agents.embedded.cues import Want
from evaltui.agents.embedded.schema import Parameter
from evaltui.agents.embedded.span_values import Day, number
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.text import stems
from evaltui.core.json_value import Json

_ASKED = re.compile(r"\b(y{4}|mm|dd)([-/.])(mm|dd)\2(y{4}|dd)\b", re.IGNORECASE)
_CLOCK_ASKED = re.compile(r"hh:mm(?!\s*[ap]m)|24[- ]hour", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*(?:([AaPp])\.?[Mm]\.?)?")
_WIDER = frozenset(stems("state country region province"))
_PERCENT = frozenset(stems("percent percentage"))


def value_for(parameter: Parameter, span: Span) -> Json:
    """The value in the parameter's own type, `None` when the span cannot give one."""
    match parameter.type:
        case "integer" | "number":
            return _number(parameter.type, parameter, span)
        case "array":
            return _array(parameter, span)
        case _:
            return _text(parameter, span)


def _number(type_: str, parameter: Parameter, span: Span) -> Json:
    value: Json = span.value
    if isinstance(value, Day):
        return value.year or None
    if not isinstance(value, int | float):
        value = number(span.text)[0]
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if span.unit == "%" and type_ == "number" and not parameter.name_stems & _PERCENT:
        return round(value / 100, 10)
    if isinstance(value, float) and value.is_integer() and type_ == "integer":
        return int(value)
    return value


def _array(parameter: Parameter, span: Span) -> Json:
    if span.kind is SpanKind.LIST:
        return span.value
    if span.kind is SpanKind.RUN and isinstance(span.value, list):
        if span.unit == "%":
            return [round(v / 100, 10) if isinstance(v, int | float) else v for v in span.value]
        return span.value
    one = (
        _number(parameter.item_type, parameter, span)
        if parameter.item_type in ("integer", "number")
        else _text(parameter, span)
    )
    return None if one is None else [one]


def _text(parameter: Parameter, span: Span) -> Json:
    value = span.value
    if isinstance(value, Day):
        return _date(parameter, value, span.text)
    if span.kind is SpanKind.TIME:
        return _time(parameter, span.text)
    if span.kind is SpanKind.RUN and "city" in parameter.name_stems | {parameter.label}:
        # A town within something: asked for the town alone unless the description names more.
        wider = parameter.description_stems & _WIDER
        return span.text if wider or not isinstance(value, list) else value[0]
    return span.text


def _time(parameter: Parameter, text: str) -> str:
    """`HH:MM` when the description asks for it, else as written."""
    found = _CLOCK.fullmatch(text)
    if not found or not _CLOCK_ASKED.search(parameter.description):
        return text
    hour = int(found[1])
    half = (found[3] or "").lower()
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return f"{hour:02}:{found[2] or '00'}"


def _date(parameter: Parameter, value: Day, text: str) -> str:
    if parameter.want is Want.YEAR and value.year:
        return str(value.year)
    asked = _ASKED.search(parameter.description)
    if not value.is_whole:
        return text
    parts = {"yyyy": f"{value.year:04}", "mm": f"{value.month:02}", "dd": f"{value.day:02}"}
    if asked:
        order = (asked[1].lower(), asked[3].lower(), asked[4].lower())
        if len(set(order)) == 3:
            return asked[2].join(parts[part] for part in order)
    return "-".join((parts["yyyy"], parts["mm"], parts["dd"]))
