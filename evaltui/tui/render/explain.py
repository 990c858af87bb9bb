"""Why the agent chose these tools, from the evidence that it reports itself."""

from collections.abc import Mapping

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.score_change import NO_WORD_IN_COMMON
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json, pretty

BAR = 10
MOST_WEIGHED = 3
"""Tools that one line names."""
_TERMS = {
    "cover": "words of the message it explains",
    "name": "words of its name in the message",
    "bm25": "word match in all fields",
    "fill": "required parameters found",
    "negative": "words it says it is not for",
}


def write_explanation(builder: TextBuilder, explanation: JsonObject) -> None:
    """The embedded router's decision; evidence of another shape is shown as JSON."""
    tools = explanation.get("tools")
    if not isinstance(tools, (list, tuple)):
        builder.long(pretty(explanation), "why", indent=2, paint=paint_json)
        return
    call_at, margin = explanation.get("callAt"), explanation.get("margin")
    said = [
        f"calls from p {call_at:.2f}" if isinstance(call_at, (int, float)) else "",
        f"best leads by {margin:.2f}"
        if isinstance(margin, (int, float)) and len(tools) > 1
        else "",
    ]
    builder.write((", ".join(text for text in said if text), "quiet"), indent=2)
    warnings = explanation.get("warnings")
    for warning in warnings if isinstance(warnings, (list, tuple)) else ():
        mark = "*" if builder.look.is_ascii else "⚠"
        builder.write((f"{mark} {warning}", "severity-warning"), indent=2, hang=2)
    called = explanation.get("called")
    chosen = {str(name) for name in called} if isinstance(called, (list, tuple)) else set()
    if not tools:
        builder.write((NO_WORD_IN_COMMON, "quiet"), indent=2)
    for index, tool in enumerate(tools):
        if isinstance(tool, Mapping):
            _write_tool(builder, tool, index, chosen)


def write_why(builder: TextBuilder, explanation: JsonObject, before: JsonObject) -> None:
    """`why  cancel_event 0.52 · move_event 0.48 (was 0.71)`: what the first tools came to, and
    `before` the last save; evidence of another shape is only referred to."""
    then, said = dict(_chances(before)), []
    for name, p in _chances(explanation)[:MOST_WEIGHED]:
        was = then.get(name, "")
        said.append(f"{name} {p}" + (f" (was {was})" if was and was != p else ""))
    if said:
        builder.write(("why  ", "quiet"), f" {builder.look.symbols.separator} ".join(said), hang=5)
    builder.write(("the Calls tab says why these tools were chosen", "quiet"))


def _chances(explanation: JsonObject) -> list[tuple[str, str]]:
    """`0.52` of each tool that the agent weighed, in its order."""
    tools = explanation.get("tools")
    found = [
        (str(tool.get("name", "?")), tool.get("p"))
        for tool in (tools if isinstance(tools, (list, tuple)) else ())
        if isinstance(tool, Mapping)
    ]
    return [(name, f"{p:.2f}") for name, p in found if isinstance(p, (int, float))]


def _write_tool(builder: TextBuilder, tool: JsonObject, index: int, chosen: set[str]) -> None:
    name = str(tool.get("name", "?"))
    probability = tool.get("p")
    share = probability if isinstance(probability, (int, float)) else 0.0
    symbols = builder.look.symbols
    full = max(0, min(BAR, round(BAR * share)))
    is_called = name in chosen
    is_open, triangle = builder.opens(f"why:{index}", is_called)
    parts: list[Part] = [
        (f"{triangle} {share:.2f} ", "code-number"),
        (symbols.bar_full * full + symbols.bar_empty * (BAR - full), "quiet"),
        (f" {name}", builder.look.style("strong", bold=is_called)),
        ("  called" if is_called else "  not called", "case-passed" if is_called else "quiet"),
    ]
    builder.write(
        *parts, indent=2, hang=4, fold=f"why:{index}", pages=int(is_open), copy=lambda: pretty(tool)
    )
    if is_open:
        _write_terms(builder, tool.get("terms"))
        _write_matched(builder, tool.get("matched"), tool.get("against"))
        _write_filled(builder, tool.get("params"), index)


def _write_terms(builder: TextBuilder, terms: Json) -> None:
    if not isinstance(terms, Mapping):
        return
    for term, value in terms.items():
        if isinstance(value, (int, float)):
            meaning = _TERMS.get(term, "")
            builder.write(
                (f"{value:+.2f} ", "code-number"), f"{term:<9}", (meaning, "quiet"), indent=6
            )


def _write_matched(builder: TextBuilder, matched: Json, against: Json) -> None:
    by_field: dict[str, list[str]] = {}
    for word, places in matched.items() if isinstance(matched, Mapping) else ():
        for place in places if isinstance(places, (list, tuple)) else ():
            by_field.setdefault(str(place), []).append(word)
    for place, words in by_field.items():
        builder.write((f"{place}: ", "quiet"), ", ".join(words), indent=6, hang=2)
    if isinstance(against, (list, tuple)) and against:
        words = [str(word) for word in against]
        builder.write(("not for: ", "quiet"), ", ".join(words), indent=6, hang=2)


def _write_filled(builder: TextBuilder, params: Json, index: int) -> None:
    for param, filled in params.items() if isinstance(params, Mapping) else ():
        if not isinstance(filled, Mapping):
            continue
        confidence = filled.get("confidence")
        sure = f", confidence {confidence:.2f}" if isinstance(confidence, (int, float)) else ""
        builder.long(
            inline(filled.get("value")),
            f"why:{index}:{param}",
            before=((f"{param}: ", "code-key"),),
            after=((f"  from `{filled.get('from', '?')}`{sure}", "quiet"),),
            paint=paint_json,
            indent=6,
            hang=2,
        )
