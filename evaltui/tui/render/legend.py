"""Every sign of the screen by where it is seen; names come from where each is made."""

from collections.abc import Mapping

from evaltui.tui.render import glyphs, marks, problems, tools
from evaltui.tui.render.glyphs import Mark

LEGEND: Mapping[str, tuple[Mark, ...]] = {
    "Signs of a case": glyphs.OF_A_CASE,
    "Signs of a call": (*marks.CALL.values(), marks.MATCHED_WITH_DIFFERENCES),
    "Signs of a parameter": (*marks.PARAM.values(), marks.HINT),
    "Signs of a problem": (*glyphs.SEVERITY.values(), problems.OVERLAP),
    "Signs of a tool": (*tools.STATUS.values(), tools.LAST_GOOD, tools.NOT_COVERED),
}
