"""What every agent sent for a parameter, where they or the expectation differ."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.expectations.call_diff import CaseDiff, is_difference
from evaltui.expectations.param_diff import ABSENT, Absent, ParamDiff, flatten, same_json
from evaltui.tui.render.marks import PARAM
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.values import inline, paint_json

Place = tuple[str, int, str]
"""Tool, which of its calls (0-based), path of the parameter."""


class Sent(Struct, frozen=True):
    """One agent's calls against what is expected."""

    lead: Part
    """Its name, as lines begin with it."""
    diff: CaseDiff | None


class Param(Struct, frozen=True):
    """One parameter of one call of one agent."""

    value: "Json | Absent" = ABSENT
    judged: ParamDiff | None = None

    @property
    def is_wrong(self) -> bool:
        return self.judged is not None and is_difference(self.judged)


NOT_SENT = Param()


class Made(Struct, frozen=True):
    """What one agent made: its calls, and everything sent in them or expected of them."""

    lead: Part
    calls: frozenset[tuple[str, int]]
    params: Mapping[Place, Param]


def write_params(builder: TextBuilder, agents: Sequence[Sent]) -> None:
    """A line for each agent where they differ; parameters that are alike can be unfolded."""
    made = [_made(sent) for sent in agents]
    places = list(dict.fromkeys(place for one in made for place in one.params))
    if not places:
        return
    builder.heading("parameters")
    alike: list[Place] = []
    for place in places:
        if _is_differing(made, place):
            _write_place(builder, made, place)
        else:
            alike.append(place)
    if not alike:
        return
    is_open, triangle = builder.opens("agents:alike")
    action = "Enter folds" if is_open else "Enter unfolds"
    said = f"{triangle} {len(alike)} alike, or sent by one agent only: {action}"
    builder.write((said, "quiet"), fold="agents:alike", pages=int(is_open))
    if is_open:
        for place in alike:
            _write_place(builder, made, place)


def _made(sent: Sent) -> Made:
    params: dict[Place, Param] = {}
    counts: Counter[str] = Counter()
    for call in sent.diff.calls if sent.diff is not None else ():
        if call.actual is None:
            continue
        number = counts[call.name]
        counts[call.name] += 1
        for path, value in flatten(call.actual.params or {}):
            params[call.name, number, path] = Param(value)
        for judged in call.params:
            place = (call.name, number, judged.path)
            params[place] = Param(params.get(place, NOT_SENT).value, judged)
    calls = frozenset((name, number) for name, times in counts.items() for number in range(times))
    return Made(sent.lead, calls, params)


def _is_differing(agents: Sequence[Made], place: Place) -> bool:
    """Among those that made the call; or it is not what is expected."""
    sent = [made.params.get(place, NOT_SENT) for made in agents if place[:2] in made.calls]
    if any(param.is_wrong for param in sent):
        return True
    return not all(_is_same(sent[0].value, param.value) for param in sent[1:])


def _is_same(left: "Json | Absent", right: "Json | Absent") -> bool:
    if isinstance(left, Absent) or isinstance(right, Absent):
        return left is right
    return same_json(left, right)


def _write_place(builder: TextBuilder, agents: Sequence[Made], place: Place) -> None:
    tool, number, path = place
    which = f" (call {number + 1} of it)" if number else ""
    expected = next((_expected(made.params[place]) for made in agents if place in made.params), "")
    said = f"  expected {expected}" if expected else ""
    builder.write((f"{tool}.{path}", "strong"), (f"{which}{said}", "quiet"), hang=2)
    for index, made in enumerate(agents):
        if place[:2] in made.calls:
            param = made.params.get(place, NOT_SENT)
            _write_value(builder, made.lead, param, f"agents:{place}:{index}")
        else:
            builder.write(made.lead, ("    did not call it", "quiet"))


def _write_value(builder: TextBuilder, lead: Part, param: Param, name: str) -> None:
    judged = param.judged
    mark = PARAM[judged.state] if judged is not None and judged.assertion else None
    glyph = f"{builder.look.symbol(mark)} " if mark is not None else "  "
    before: tuple[Part, ...] = (lead, "  ", (glyph, mark.variable if mark is not None else ""))
    after: tuple[Part, ...] = ((f"  {mark.word}", mark.variable),) if mark is not None else ()
    if isinstance(param.value, Absent):
        builder.write(*before, ("not sent", "quiet"))
    else:
        text = inline(param.value)
        builder.long(text, name, before=before, after=after, hang=4, paint=paint_json)


def _expected(param: Param) -> str:
    judged = param.judged
    if judged is None or not judged.assertion:
        return ""
    value = "" if isinstance(judged.expected, Absent) else f" {inline(judged.expected)}"
    return f"{judged.assertion}{value}"
