"""The comparison of calls: a line for each call and each parameter that differs."""

from evaltui.expectations.call_diff import CallDiff, CallState, CaseDiff, DiffTarget, is_difference
from evaltui.expectations.param_diff import Absent, ParamDiff, ParamState
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.difference import write_difference
from evaltui.tui.render.marks import CALL, HINT, MATCHED_WITH_DIFFERENCES, PARAM
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json

FIRST = "first-difference"


def write_diff(builder: TextBuilder, diff: CaseDiff, *, is_silent: bool = False) -> None:
    """Calls in the order of the actual ones; missing calls where they were expected.

    `is_silent`: whether the agent does not tell its calls.
    """
    column = max(15, *(width_of(row.name) + 4 for row in diff.calls), 0)
    is_wide = 14 + 2 * column <= builder.width
    bold = builder.look.style("strong", bold=True)
    same = "the calls do not differ" if diff.is_same and diff.calls else ""
    if is_wide and diff.calls:
        left = " " * 13 + fit(f"{_whose(diff)} calls", column, builder.look.symbols.cut)
        right = fit("actual calls", column, builder.look.symbols.cut)
        builder.write((left, bold), " ", (right, bold))
    else:
        arrow = builder.look.symbols.arrow
        sides = f"{_whose(diff)} {arrow} actual calls"
        builder.write((sides, bold))
    if same:
        builder.write((same, "quiet"), indent=2)
    for note in diff.notes:
        builder.write((note, "quiet"), indent=2)
    if is_silent:
        builder.write(("calls not reported", "quiet"), indent=2)
    elif not diff.calls:
        is_expected = diff.target is DiffTarget.EXPECTED
        said = ", and none was expected" if is_expected else " on either side"
        builder.write((f"no tool was called{said}", "quiet"), indent=2)
    anchor = FIRST
    for index, row in enumerate(diff.calls):
        if _write_call(builder, row, index, column if is_wide else 0, anchor):
            anchor = ""


def _whose(diff: CaseDiff) -> str:
    return diff.against or diff.target.value


def _write_call(builder: TextBuilder, row: CallDiff, index: int, column: int, anchor: str) -> bool:
    """Whether this row took the anchor."""
    differing = [param for param in row.params if is_difference(param) or _is_hint(param)]
    equal = [param for param in row.params if param not in differing]
    mark = CALL[row.state]
    if row.state is CallState.MATCHED and any(map(is_difference, row.params)):
        mark = MATCHED_WITH_DIFFERENCES
    is_different = row.state.is_difference or mark is MATCHED_WITH_DIFFERENCES
    style = builder.look.style(mark.variable, bold=is_different)
    left = "" if row.expected_at is None else f"{row.expected_at + 1} {row.name}"
    right = "" if row.actual_at is None else f"{row.actual_at + 1} {row.name}"
    parts: list[Part] = [(f"{builder.look.symbol(mark)} {mark.word:<11}", style)]
    if column:
        cut = builder.look.symbols.cut
        parts += [(fit(left or "", column, cut), style), " ", (fit(right, column, cut), style)]
    else:
        parts.append((f" {row.name}{_places(row)}", style))
    takes = anchor if is_different and not any(map(is_difference, differing)) else ""
    builder.write(*parts, hang=4, anchor=takes, copy=lambda: row.name)
    taken = bool(takes)
    if row.note:
        builder.write((row.note, "quiet"), indent=4)
    for number, param in enumerate(differing):
        here = anchor if not taken and is_difference(param) else ""
        _write_param(builder, param, f"diff:{index}:{number}", here)
        taken = taken or bool(here)
    if equal:
        _write_equal(builder, equal, f"diff:{index}:equal")
    return taken


def _places(row: CallDiff) -> str:
    if row.state is CallState.REORDERED:
        return f" (expected as call {(row.expected_at or 0) + 1}, was {(row.actual_at or 0) + 1})"
    if row.state is CallState.MISSING:
        return f" (expected as call {(row.expected_at or 0) + 1})"
    return "" if row.actual_at is None else f" (call {row.actual_at + 1})"


def _write_equal(builder: TextBuilder, params: list[ParamDiff], name: str) -> None:
    is_open, triangle = builder.opens(name)
    said: list[str] = []
    for state in (ParamState.SAME, ParamState.SENT, ParamState.UNCHECKED):
        number = sum(param.state is state for param in params)
        if number:
            said.append(f"{number} {_EQUAL_WORDS[state]}")
    action = "Enter folds" if is_open else "Enter unfolds"
    builder.write(
        (f"{triangle} {', '.join(said)}: {action}", "quiet"),
        indent=4,
        fold=name,
        pages=int(is_open),
    )
    if is_open:
        for number, param in enumerate(params):
            _write_param(builder, param, f"{name}:{number}", "", indent=6)


def _write_param(
    builder: TextBuilder, param: ParamDiff, name: str, anchor: str, indent: int = 4
) -> None:
    mark = HINT if _is_hint(param) else PARAM[param.state]
    style = builder.look.style(mark.variable)
    lead: tuple[Part, ...] = ((f"{builder.look.symbol(mark)} {param.path}: ", style),)
    said = _said(param, mark.word)
    tail: tuple[Part, ...] = ((f"  {said}", "quiet"),)
    expected, actual = param.expected, param.actual
    if param.state is ParamState.CHANGED and not isinstance(expected, Absent):
        after = "" if isinstance(actual, Absent) else inline(actual)
        before = _expectation(param)
        write_difference(
            builder, before, after, name, lead=lead, tail=tail, indent=indent, anchor=anchor
        )
        return
    text = inline(actual) if not isinstance(actual, Absent) else _expectation(param)
    builder.long(
        text, name, before=lead, paint=paint_json, indent=indent, hang=2, anchor=anchor, after=tail
    )


def _expectation(param: ParamDiff) -> str:
    """Asserted text compares as `String(actual)`: `"3"` and `3` are then written alike."""
    expected, actual = param.expected, param.actual
    if isinstance(expected, Absent):
        return ""
    is_text = isinstance(expected, str) and param.assertion == "equals"
    if is_text and not isinstance(actual, (str, Absent)):
        return str(expected)
    return inline(expected)


def _said(param: ParamDiff, word: str) -> str:
    if param.assertion:
        kind = f"asserted {param.assertion}"
        if param.state is ParamState.MISSING and not isinstance(param.expected, Absent):
            return f"{word}, {kind} this"
        if param.state is ParamState.CHANGED:
            word = ""
        return ", ".join(text for text in (word, kind, param.note) if text)
    if param.origin in _WHOSE:
        return f"{word}, {_ORIGINS[param.state].format(_WHOSE[param.origin])}"
    if param.state is ParamState.SAME:
        return f"{word} to the stub's"
    return word


def _is_hint(param: ParamDiff) -> bool:
    return param.origin == "stub" and param.state is ParamState.CHANGED


_EQUAL_WORDS = {
    ParamState.SAME: "equal",
    ParamState.SENT: "sent, nothing asserted",
    ParamState.UNCHECKED: "not checked",
}
_WHOSE = {"baseline": "baseline run", "previous": "previous run", "agent": "other agent"}
_ORIGINS = {
    ParamState.SAME: "as the {} sent it",
    ParamState.CHANGED: "{} first",
    ParamState.MISSING: "the {} sent this",
    ParamState.EXTRA: "the {} did not send it",
    ParamState.SENT: "{}",
    ParamState.UNCHECKED: "{}",
}
