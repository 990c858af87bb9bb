"""Usage per span of a trace, where an outer span includes that of the spans within it."""

from collections.abc import Mapping, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.otlp_values import attributes_of
from evaltui.traces.importers.part import Part, number
from evaltui.traces.importers.usage import usage_attributes
from evaltui.traces.measured import USAGE


def used_by(spans: Sequence[Part], kinds: Sequence[str]) -> list[JsonObject]:
    """Attributes for what each span used beyond those in it.

    An agent tells the sum of its models, and one instrumentation may wrap what another tells. What
    models tell counts more: of its name an agent adds nothing, wherever they stand.
    """
    used = [usage_attributes(usage_of(span)) for span in spans]
    pairs = [*zip(used, kinds, strict=True)]
    of_models = {name for told, kind in pairs if kind == "chat" for name in told}
    for told, kind in pairs:
        for name in of_models & told.keys() if kind == "agent" else ():
            del told[name]
    inner: list[dict[str, float]] = [{} for _ in spans]
    outer = nearest_around(spans, [True for _ in spans])
    for at in innermost_first(outer):
        if (around := outer[at]) is None:
            continue
        whole = {name: max(_amount(used[at], name), inner[at].get(name, 0.0)) for name in
                 {*used[at], *inner[at]}}  # fmt: skip
        for name, amount in whole.items():
            inner[around][name] = inner[around].get(name, 0.0) + amount
    return [_beyond(own, within) for own, within in zip(used, inner, strict=True)]


def usage_of(span: Part) -> Part:
    """What a span says was used, under the names that records have for it."""
    said = attributes_of(span)
    names = (key for key in said if key.startswith(USAGE))
    return Part({key.removeprefix(USAGE): said[key] for key in names}, span.path)


def _beyond(own: Mapping[str, Json], within: Mapping[str, float]) -> JsonObject:
    left = {name: _amount(own, name) - within.get(name, 0.0) for name in own}
    return {
        name: one if name.endswith("usd") else round(one)
        for name, one in left.items()
        if one > 0 or name not in within
    }


def _amount(used: Mapping[str, Json], name: str) -> float:
    return number(used.get(name)) or 0.0


def nearest_around(spans: Sequence[Part], are_read: Sequence[bool]) -> list[int | None]:
    """Of each span the nearest one around it that is read; `None` without one, or in a circle."""
    places = {span.text("spanId", "span_id").lower(): at for at, span in enumerate(spans)}
    places.pop("", None)
    around = [places.get(span.text("parentSpanId", "parent_span_id").lower()) for span in spans]
    found: dict[int, int | None] = {}
    for start in range(len(spans)):
        way: dict[int, None] = {}
        at: int | None = start
        while at is not None and at not in found and at not in way:
            way[at] = None
            at = around[at]
        nearest = None if at is None or at in way else at if are_read[at] else found[at]
        for one in reversed(way):
            found[one] = nearest
            nearest = one if are_read[one] else nearest
    return [found[at] for at in range(len(spans))]


def innermost_first(outer: Sequence[int | None]) -> list[int]:
    depth: dict[int, int] = {}
    for start in range(len(outer)):
        way: list[int] = []
        at: int | None = start
        while at is not None and at not in depth:
            way.append(at)
            at = outer[at]
        level = -1 if at is None else depth[at]
        for one in reversed(way):
            level += 1
            depth[one] = level
    return sorted(depth, key=lambda at: -depth[at])
