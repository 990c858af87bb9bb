"""A conversation turn by turn: agent, criteria's judge, evaluators, until it ends."""

from collections.abc import Awaitable, Sequence
from functools import reduce

from msgspec.structs import replace

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.driver import Ask, Driver, JudgeTurn
from evaltui.core.judge import Panel
from evaltui.core.made_messages import made_messages
from evaltui.core.message_count import is_users_turn, unsaid_lines
from evaltui.core.response import (
    AgentResponse,
    Message,
    ToolCall,
    Turn,
    added_usage,
    calls_in,
    telling_calls,
    with_results,
)
from evaltui.core.tool import short_hash
from evaltui.scenarios.ending import by_weight, is_final, is_last_turn, is_over
from evaltui.scenarios.persona_lines import PersonaLines, Speaker
from evaltui.scenarios.persona_player import PersonaPlayer

EVALUATORS, CRITERIA = 0, 1
"""Stages of a scenario's plan; the second one speaks first."""


def played_conversation(panel: Panel) -> Driver:
    """As `hold_conversation`, with a model that plays a persona without lines."""

    def hold(case: Case, ask: Ask, judge_turn: JudgeTurn) -> Awaitable[AgentResponse]:
        assert isinstance(case.body, ScenarioCase)
        model = panel.player or panel.judge
        player = None if case.body.persona.lines else PersonaPlayer(case, model)
        return hold_conversation(case, ask, judge_turn, player)

    return hold


async def hold_conversation(
    case: Case, ask: Ask, judge_turn: JudgeTurn, speaker: Speaker | None = None
) -> AgentResponse:
    """The whole conversation with its turns and their verdicts.

    It ends with a verdict that gates, with criteria that are met, or when the agent can have no
    further turn. `speaker`: who talks, in place of the lines of the file. For cases of which
    nothing is `certain` before. Raises AgentError.
    """
    assert isinstance(case.body, ScenarioCase)
    talk = _Talk(case.body, speaker or PersonaLines(case.body))
    while True:
        await talk.say_next()
        answered = await talk.ask(ask)
        is_last = talk.is_at_last_turn
        turn = await _judged(talk, answered, judge_turn, is_last=is_last)
        if is_over(turn.verdicts, is_final=turn.is_final):
            return talk.response()


async def _judged(
    talk: "_Talk", answered: AgentResponse, judge_turn: JudgeTurn, *, is_last: bool
) -> Turn:
    """First the criteria, since their decision tells the evaluators whether the turn is final."""
    messages, turn = tuple(talk.messages), len(talk.turns)
    by_criteria = await judge_turn(CRITERIA, answered, messages, turn=turn, is_final=is_last)
    final = is_final(by_criteria, is_last=is_last)
    by_evaluators = await judge_turn(EVALUATORS, answered, messages, turn=turn, is_final=final)
    verdicts = by_weight(talk.body, by_criteria, by_evaluators)
    talk.turns[-1] = replace(talk.turns[-1], is_final=final, verdicts=verdicts)
    return talk.turns[-1]


class _Talk:
    """What was said so far."""

    def __init__(self, body: ScenarioCase, speaker: Speaker) -> None:
        self.body, self._speaker = body, speaker
        seeds = enumerate(body.seed_messages)
        self.messages = [_identified(one, at, "seed") for at, one in seeds]
        self.turns: list[Turn] = []
        self._answers: list[AgentResponse] = []
        self._played_usd: float | None = None
        self._said = 0

    @property
    def is_at_last_turn(self) -> bool:
        return is_last_turn(self.body, self.messages, has_line=self._speaker.has_more)

    async def say_next(self) -> None:
        """The user's line, where it is the user's turn."""
        if not is_users_turn(self.body, self.messages):
            return
        line = await self._speaker.next_line(tuple(self.messages))
        said = Message("user", line.text)
        self.messages.append(_identified(said, len(self.messages), "persona"))
        self._played_usd = line.cost_usd
        self._said += 1

    async def ask(self, ask: Ask) -> AgentResponse:
        """The agent's turn; what it answered, with nothing but its own part of the messages."""
        *before, said = askable([one for one in self.messages if one.role != "system"])
        answer = await ask(said, tuple(before))
        if not answer.tells_calls and any(one.tells_calls for one in self._answers):
            answer = telling_calls(answer)
        part = added_messages(answer, (*before, said))
        first = len(self.messages)
        self.messages += part
        self._answers.append(answer)
        end, usage = len(self.messages), answer.usage
        turn = Turn(
            *(first, end, answer.duration_ms, usage),
            played_usd=self._played_usd,
            tells_calls=answer.tells_calls,
        )
        self.turns.append(turn)
        self._played_usd = None
        return replace(answer, messages=part, tool_calls=calls_in(part))

    def _part(self, turn: Turn) -> list[Message]:
        return self.messages[turn.first : turn.end]

    def response(self) -> AgentResponse:
        """All of it as one answer: text of the last turn, calls and tokens of all."""
        answers, usage = self._answers, reduce(added_usage, [one.usage for one in self._answers])
        sources = {one.source for one in answers}
        notes = [note for one in answers for note in one.notes]
        if unsaid := unsaid_lines(self.body, self.messages, self._said):
            notes.append(unsaid)
        whole = AgentResponse(
            text=answers[-1].text,
            tool_calls=calls_in(one for turn in self.turns for one in self._part(turn)),
            duration_ms=sum(one.duration_ms for one in answers),
            execution=answers[-1].execution,
            messages=tuple(self.messages),
            usage=usage,
            turns=sum(one.turns for one in answers),
            first_token_ms=answers[0].first_token_ms,
            queued_ms=sum(one.queued_ms for one in answers),
            retries=sum(one.retries for one in answers),
            source=sources.pop() if len(sources) == 1 else "recorded",
            notes=tuple(dict.fromkeys(notes)),
            conversation=tuple(self.turns),
            tells_calls=False,
        )
        return telling_calls(whole) if any(one.tells_calls for one in answers) else whole


def _identified(message: Message, at: int, who: str) -> Message:
    """With an id, as EvalStudio's messages have, where it has none; the same each time."""
    extra = message.extra or {}
    if isinstance(extra.get("id"), str) and extra["id"]:
        return message
    own = short_hash(f"{at}\n{message.role}\n{message.content}")
    return replace(message, extra={**extra, "id": f"{who}_{own}"})


def added_messages(answer: AgentResponse, asked: Sequence[Message]) -> tuple[Message, ...]:
    """Its part of the conversation; never empty. Its calls stand there whole: whoever wants to know
    what came of one asks its message.

    `asked`: what it was given. Agents report the whole conversation, their own part, or no messages
    at all, so that they are made of text and calls.
    """
    messages = answer.messages
    if messages[: len(asked)] == tuple(asked):
        part = messages[len(asked) :]
    else:
        users = [at for at, one in enumerate(messages) if one.role == "user"]
        part = messages[users[-1] + 1 :] if users else messages
    part = tuple(one for one in part if one.role in ("assistant", "tool"))
    if any(one.role == "assistant" for one in part):
        return with_results(part, answer.tool_calls)
    return tuple(made_messages(answer))


def askable(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation as models take it: calls that nobody answered are left out."""
    answered = {one.tool_call_id for one in messages if one.role == "tool"}
    found: list[Message] = []
    for one in messages:
        calls = tuple(call for call in one.tool_calls if call.id in answered)
        found.append(one if calls == one.tool_calls else _without_calls(one, calls))
    return tuple(found)


def _without_calls(message: Message, calls: tuple[ToolCall, ...]) -> Message:
    """With these calls alone; its blocks may be of the others too, so that its text is told."""
    extra = {key: value for key, value in (message.extra or {}).items() if key != "content"}
    return replace(message, tool_calls=calls, extra=extra or None)
