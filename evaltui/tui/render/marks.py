"""Marks of calls and parameters in a comparison: a glyph, a word and a theme variable each."""

from collections.abc import Mapping

from evaltui.expectations.call_diff import CallState
from evaltui.expectations.param_diff import ParamState
from evaltui.tui.render.glyphs import Mark

CALL: Mapping[CallState, Mark] = {
    CallState.MATCHED: Mark("✓", "p", "matched", "diff-equal"),
    CallState.REORDERED: Mark("⇅", "%", "reordered", "diff-changed"),
    CallState.MISSING: Mark("−", "-", "missing", "diff-removed"),
    CallState.UNEXPECTED: Mark("+", "+", "unexpected", "diff-actual"),
    CallState.FORBIDDEN: Mark("✗", "x", "forbidden", "diff-removed"),
    CallState.CALLED: Mark("·", ".", "called", "diff-equal"),
    CallState.NOT_CALLED: Mark("○", "o", "not called", "quiet"),
}
MATCHED_WITH_DIFFERENCES = Mark("≠", "/", "matched", "diff-changed")
PARAM: Mapping[ParamState, Mark] = {
    ParamState.SAME: Mark("=", "=", "equal", "diff-equal"),
    ParamState.CHANGED: Mark("≠", "/", "differs", "diff-changed"),
    ParamState.MISSING: Mark("−", "-", "not sent", "diff-removed"),
    ParamState.EXTRA: Mark("+", "+", "not expected", "diff-actual"),
    ParamState.SENT: Mark("·", ".", "sent", "diff-equal"),
    ParamState.UNCHECKED: Mark("○", "o", "not checked", "quiet"),
}
HINT = Mark("≈", "~", "differs from the stub", "diff-changed")
