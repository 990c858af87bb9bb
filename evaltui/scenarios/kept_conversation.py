"""A kept conversation, judged again turn by turn without asking anybody to say anything."""

from collections.abc import Sequence

from msgspec.structs import replace

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.driver import JudgeTurn
from evaltui.core.response import AgentResponse, Message
from evaltui.scenarios.conversation import hold_conversation
from evaltui.scenarios.persona_lines import PersonaLines, SpokenLine


async def judged_again(
    case: Case, kept: AgentResponse, judge_turn: JudgeTurn
) -> AgentResponse | None:
    """The same conversation with new verdicts; `None` where they would have ended it at another
    turn, so that it is to be held again."""
    assert isinstance(case.body, ScenarioCase)
    lines = PersonaLines(case.body) if case.body.persona.lines else _KeptLines(case.body, kept)
    answers = _KeptAnswers(kept)
    try:
        held = await hold_conversation(case, answers, judge_turn, lines)
    except _AnotherEnd:
        return None
    if len(held.conversation) < len(kept.conversation):
        return None
    both = zip(held.conversation, kept.conversation, strict=True)
    turns = tuple(replace(now, played_usd=before.played_usd) for now, before in both)
    notes = tuple(dict.fromkeys((*kept.notes, *held.notes)))
    return replace(kept, conversation=turns, notes=notes)


class _AnotherEnd(Exception):
    """More would have been said than is kept, or something else."""


class _KeptLines:
    """What a model said as the user; it could have gone on."""

    has_more = True

    def __init__(self, body: ScenarioCase, kept: AgentResponse) -> None:
        said = [one.content for one in kept.messages if one.role == "user"]
        seeds = sum(one.role == "user" for one in body.seed_messages)
        self._lines = said[seeds:][::-1]

    async def next_line(self, messages: Sequence[Message]) -> SpokenLine:  # noqa: ARG002
        if not self._lines:
            raise _AnotherEnd
        return SpokenLine(self._lines.pop())


class _KeptAnswers:
    """Gives the agent's turns again, one after the other."""

    def __init__(self, kept: AgentResponse) -> None:
        self._kept = kept
        self._next = 0

    async def __call__(self, message: Message, history: tuple[Message, ...] = ()) -> AgentResponse:  # noqa: ARG002
        if self._next == len(self._kept.conversation):
            raise _AnotherEnd
        turn = self._kept.conversation[self._next]
        before = (one for one in self._kept.messages[: turn.first] if one.role != "system")
        asked = next(iter([*before][-1:]), None)
        if turn.end > len(self._kept.messages) or asked is None or asked.content != message.content:
            raise _AnotherEnd
        self._next += 1
        return self._kept.of_turn(turn)
