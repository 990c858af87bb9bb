"""How well a kind of span suits a kind of parameter, before any words around it count."""

from functools import cache

from evaltui.agents.embedded.cues import Want
from evaltui.agents.embedded.schema import Parameter
from evaltui.agents.embedded.spans import Span, SpanKind

K = SpanKind
_TEXT: dict[Want, dict[SpanKind, float]] = {
    Want.DATE: {K.DATE: 2.0, K.RELATIVE: 1.6, K.QUOTED: 0.5, K.NUMBER: 0.1},
    Want.TIME: {K.TIME: 2.0, K.RELATIVE: 0.6, K.QUOTED: 0.5, K.DATE: 0.4, K.NUMBER: 0.2},
    Want.EMAIL: {K.EMAIL: 2.0, K.QUOTED: 0.4, K.NAME: 0.2},
    Want.URL: {K.URL: 2.0, K.QUOTED: 0.4, K.PATH: 0.4, K.NAME: 0.2},
    Want.PATH: {K.PATH: 2.0, K.QUOTED: 0.3, K.PHRASE: 0.1, K.ID: 0.2, K.NAME: 0.2},
    Want.PHONE: {K.ID: 0.8, K.NUMBER: 1.0, K.QUOTED: 0.8},
    Want.ID: {K.ID: 1.6, K.QUOTED: 1.1, K.NUMBER: 1.0, K.NAME: 0.6, K.PHRASE: 0.2},
    Want.EXPRESSION: {K.EXPRESSION: 2.0, K.QUOTED: 1.2, K.ID: 0.2, K.PHRASE: 0.1},
    Want.PLACE: {K.ADDRESS: 1.6, K.NAME: 1.3, K.QUOTED: 0.8, K.PHRASE: 0.3},
    Want.PERSON: {K.NAME: 1.3, K.QUOTED: 1.1, K.PHRASE: 0.3},
    Want.TITLE: {K.QUOTED: 1.4, K.NAME: 1.2, K.PHRASE: 0.4, K.ID: 0.5},
    Want.TEXT: {K.QUOTED: 1.6, K.PHRASE: 0.5, K.NAME: 0.4, K.EXPRESSION: 0.2},
    Want.YEAR: {K.NUMBER: 0.9, K.DATE: 0.8},
    Want.ANY: {
        K.QUOTED: 1.2, K.NAME: 0.9, K.PHRASE: 0.6, K.ID: 0.7, K.ADDRESS: 0.4, K.DATE: 0.2,
        K.NUMBER: 0.2, K.EXPRESSION: 0.3, K.PATH: 0.7, K.URL: 0.9, K.EMAIL: 0.9, K.TIME: 0.2,
    },
}  # fmt: skip
_NUMBER = {K.NUMBER: 1.2}


@cache
def fits(type_: str, item_type: str, want: Want) -> dict[SpanKind, float | None]:
    """How well each kind suits such a parameter; `None`: it depends on the span (`type_fit`)."""
    if type_ in ("number", "integer"):
        return {K.NUMBER: None, K.DATE: None} if want is Want.YEAR else {K.NUMBER: None}
    found: dict[SpanKind, float | None] = dict(_TEXT.get(want, {}))
    if type_ == "array":
        kinds = {K.NUMBER} if item_type in ("number", "integer") else set(found)
        return dict.fromkeys(sorted(kinds | {K.LIST, K.RUN}))
    if want is Want.YEAR:
        found[K.NUMBER] = None
    if want is Want.PLACE:
        found[K.RUN] = None
    return found


def type_fit(parameter: Parameter, span: Span) -> float:
    """0 when the span cannot be the value, up to 2 when hardly anything else can."""
    kind = span.kind
    type_ = parameter.type
    if type_ == "array":
        return _array_fit(parameter, span)
    if kind is K.RUN and parameter.want is Want.PLACE and type_ == "string" and is_place(span):
        return 1.5
    if kind in (K.LIST, K.RUN):
        return 0.0
    if type_ in ("number", "integer"):
        return _number_fit(parameter, span)
    if parameter.want is Want.YEAR and kind is K.NUMBER:
        return 1.6 if _is_year(span) else 0.1
    return _TEXT.get(parameter.want, {}).get(kind, 0.0)


def _number_fit(parameter: Parameter, span: Span) -> float:
    if parameter.want is Want.YEAR:
        if span.kind is K.DATE:
            return 0.8 if getattr(span.value, "year", 0) else 0.0
        return (1.8 if _is_year(span) else 0.2) if span.kind is K.NUMBER else 0.0
    fit = _NUMBER.get(span.kind, 0.0)
    if not fit:
        return 0.0
    if span.unit == "%":
        return 1.7 if parameter.want is Want.RATE else 0.9
    if parameter.type == "integer" and isinstance(span.value, float):
        return 0.5
    if parameter.want is Want.RATE and isinstance(span.value, float):
        return 1.4
    return 0.8 if _is_year(span) else fit


def _array_fit(parameter: Parameter, span: Span) -> float:
    if parameter.item_type == "object":
        return 0.0
    of_numbers = parameter.item_type in ("number", "integer")
    if span.kind is K.LIST:
        members = span.value if isinstance(span.value, list) else []
        numeric = bool(members) and all(isinstance(m, int | float | list) for m in members)
        return 2.0 if numeric == of_numbers else 0.7
    if span.kind is K.RUN:
        numeric = span.item_kind is K.NUMBER
        return 1.8 if numeric == of_numbers else 0.0
    if of_numbers:
        return 0.6 if span.kind is K.NUMBER else 0.0
    return 0.5 * _TEXT.get(parameter.want, {}).get(span.kind, 0.0)


def is_place(span: Span) -> bool:
    """Whether a run of two names is one place: a town and what it lies in ("Naples, Florida")."""
    return (
        span.item_kind is K.NAME
        and isinstance(span.value, list)
        and len(span.value) == 2
        and span.text.count(",") == 1
        and " and " not in span.text
    )


def _is_year(span: Span) -> bool:
    return isinstance(span.value, int) and 1800 <= span.value <= 2100 and "," not in span.text
