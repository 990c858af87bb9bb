"""Which words a tool's score lost or gained between two answers, by the agent's own account.

Read from `AgentResponse.explanation` as the embedded router writes it; evidence of another shape
says nothing, and is no mistake.
"""

from collections.abc import Mapping

from msgspec import Struct

from evaltui.core.json_value import Json, JsonObject

NO_WORD_IN_COMMON = "no tool has a word in common with the message"
"""What an explanation without any tools says."""


class ScoreChange(Struct, frozen=True):
    """One tool whose words in a message are others than before."""

    tool: str
    before: float
    """Probability that the message calls it."""
    now: float
    moved: float
    """How much the sum of its terms rose; in logits."""
    lost: tuple[str, ...] = ()
    """Words of the message that a field of the tool had before and has no more."""
    won: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Words that it says only now that it is not for."""
    allowed: tuple[str, ...] = ()
    """Words that it said before that it is not for."""


def score_changes(before: JsonObject, now: JsonObject) -> tuple[ScoreChange, ...]:
    """Of the tools that both explanations weigh, in the order of the later one; only those whose
    words moved."""
    then = dict(tools_of_explanation(before))
    changes: list[ScoreChange] = []
    for name, tool in tools_of_explanation(now):
        earlier = then.get(name)
        if earlier is None:
            continue
        had, has = _places(earlier), _places(tool)
        was_against, is_against = _words(earlier), _words(tool)
        change = ScoreChange(
            name,
            number_of(earlier.get("p")),
            number_of(tool.get("p")),
            round(_sum(tool) - _sum(earlier), 4),
            tuple(word for word in had if had[word] - has.get(word, frozenset())),
            tuple(word for word in has if has[word] - had.get(word, frozenset())),
            tuple(word for word in is_against if word not in was_against),
            tuple(word for word in was_against if word not in is_against),
        )
        if change.lost or change.won or change.refused or change.allowed:
            changes.append(change)
    return tuple(changes)


def tools_of_explanation(explanation: JsonObject) -> list[tuple[str, JsonObject]]:
    """The tools that it weighs, by name, in its order."""
    tools = explanation.get("tools")
    found = tools if isinstance(tools, (list, tuple)) else ()
    return [(str(tool.get("name", "")), tool) for tool in found if isinstance(tool, Mapping)]


def _places(tool: JsonObject) -> dict[str, frozenset[str]]:
    """By word, in which fields of the tool it stands."""
    matched = tool.get("matched")
    return {
        word: frozenset(map(str, places)) if isinstance(places, (list, tuple)) else frozenset()
        for word, places in (matched.items() if isinstance(matched, Mapping) else ())
    }


def _words(tool: JsonObject) -> tuple[str, ...]:
    against = tool.get("against")
    return tuple(map(str, against)) if isinstance(against, (list, tuple)) else ()


def _sum(tool: JsonObject) -> float:
    terms = tool.get("terms")
    return sum(map(number_of, terms.values())) if isinstance(terms, Mapping) else 0.0


def number_of(value: Json) -> float:
    """0.0 for what is no number."""
    return value if isinstance(value, (int, float)) else 0.0
