"""What the last save changed in a tool, and which words the tool's score lost or won by it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evaltui.core.comparison import Effect
from evaltui.core.json_value import JsonObject
from evaltui.core.result import CaseResult
from evaltui.core.score_change import ScoreChange, score_changes
from evaltui.core.text_diff import mark_words
from evaltui.core.tool import GoneTool, ToolChange, how_many_gone
from evaltui.expectations.mentions import tools_at_issue
from evaltui.store.row import Row
from evaltui.tui.render.difference import write_words
from evaltui.tui.render.text_builder import Part, TextBuilder

FLIPPED = frozenset({Effect.WORSE, Effect.BETTER, Effect.CALLS_DIFFER})
SHOWN = 3
"""Changed tools that a case shows at most."""
MOST_WORDS = 60
"""Characters of the words that changed, above which a heading does not say them."""
LONGEST_COMPARED = 4_000
"""Characters of two descriptions that are compared for that."""
_WORD = re.compile(r"\w+")


def write_blame(
    builder: TextBuilder, row: Row, before: CaseResult | None, tools: Mapping[str, ToolChange]
) -> None:
    """Nothing for a case that the save left as it was, whose kept answer was judged again, or that
    ran besides since; `before` is its result before the save."""
    if row.still_changed not in FLIPPED or row.is_rejudged or not tools:
        return
    moved = score_changes(explanation_of(before), explanation_of(row.result))
    moved = tuple(one for one in moved if one.tool in tools)
    names = tuple(dict.fromkeys((*(one.tool for one in moved), *_own(row, before, tools))))
    builder.heading("changed in this save")
    for name in names[:SHOWN]:
        write_tool_change(builder, tools[name])
        for one in moved:
            if one.tool == name:
                write_score_change(builder, one)
    if len(names) > SHOWN:
        builder.write((f"and {len(names) - SHOWN:,} more tools", "quiet"), indent=2)


def write_tool_change(builder: TextBuilder, change: ToolChange) -> None:
    """Its description as a difference of words; of other fields that they changed."""
    tool, before = change.now, change.before
    builder.write((tool.name, "strong"), (f"  {', '.join(change.words)}", "quiet"), indent=2)
    if before is not None and before.description != tool.description:
        write_words(
            builder, before.description or "", tool.description or "", f"save:{tool.name}", indent=2
        )


def changed_words(tools: Mapping[str, ToolChange], gone: Sequence[GoneTool] = ()) -> str:
    """`move_event - "postpone" + "defer"`: the words that descriptions lost and won, those that are
    elsewhere now, and the tools that are `gone`, where they are few enough for a heading; else
    nothing."""
    text = ", ".join(map(str, gone))
    if len(text) > MOST_WORDS:
        text = how_many_gone(gone)
    removed = text
    for change in tools.values():
        before = (change.before.description if change.before is not None else "") or ""
        now = change.now.description or ""
        if change.before is None or before == now:
            continue
        if len(before) + len(now) > LONGEST_COMPARED:
            return removed
        then, since = (
            [piece.text for piece in side if piece.is_changed] for side in mark_words(before, now)
        )
        both = _words(then) & _words(since)
        (lost, moved), (won, _) = _parted(then, both), _parted(since, both)
        kinds = {"-": lost, "+": won, "moved": moved}
        words = [f'{kind} "{one}"' for kind, those in kinds.items() for one in those]
        text = ", ".join(filter(None, (text, " ".join((change.now.name, *words)))))
        if len(text) > MOST_WORDS:
            return removed
    return text


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in _WORD.findall(text))


def _parted(texts: Iterable[str], both: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The phrases of one side, cut at words that `both` sides have: those that this side alone has,
    then those that are elsewhere on the other; without the signs around them."""
    left = Counter(both)
    phrases: tuple[list[str], list[str]] = ([], [])
    for text in texts:
        runs: list[tuple[bool, int, int]] = []
        for word in _WORD.finditer(text):
            is_of_both = left[word[0]] > 0
            left[word[0]] -= is_of_both
            start = word.start()
            if runs and runs[-1][0] is is_of_both:
                start = runs.pop()[1]
            runs.append((is_of_both, start, word.end()))
        for is_of_both, start, end in runs:
            phrases[is_of_both].append(text[start:end])
    return phrases


def write_score_change(builder: TextBuilder, change: ScoreChange) -> None:
    """`lost "postpone" +1.10`: a figure belongs to the words beside it while there is one kind."""
    kinds = (
        ("lost", change.lost, -change.moved, "diff-removed"),
        ("won", change.won, change.moved, "diff-added"),
        ("not for any more:", change.allowed, change.moved, "diff-added"),
        ("now not for", change.refused, change.moved, "diff-removed"),
    )
    said = [kind for kind in kinds if kind[1]]
    parts: list[Part] = []
    for word, words, moved, variable in said:
        quoted = ", ".join(f'"{each}"' for each in words)
        figure = f" {moved:+.2f}" if len(said) == 1 else ""
        parts += [", " if parts else "", (f"{word} {quoted}{figure}", variable)]
    arrow = builder.look.symbols.arrow
    score = f"  score {change.moved:+.2f}" if len(said) > 1 else ""
    parts.append((f"{score}  p {change.before:.2f} {arrow} {change.now:.2f}", "quiet"))
    builder.write(*parts, indent=4, hang=2)


def _own(row: Row, before: CaseResult | None, tools: Mapping[str, ToolChange]) -> Iterable[str]:
    """Changed tools that the case is about; all of them when it is about none."""
    called = [
        call.name
        for result in (before, row.result)
        if result is not None and result.response is not None
        for call in result.response.tool_calls
    ]
    own = [name for name in (*tools_at_issue(row.case, row.result), *called) if name in tools]
    return own or tools


def explanation_of(result: CaseResult | None) -> JsonObject:
    """What the agent reported of why; empty without that."""
    return result.response.explanation if result is not None and result.response is not None else {}
