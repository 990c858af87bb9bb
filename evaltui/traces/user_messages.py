"""What a user said in a trace."""

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.trace import Event
from evaltui.traces.recorded_response import as_text, said_in


def messages_of(body: TraceCase) -> tuple[int, ...]:
    """Places of the events in which a user said something."""
    return tuple(
        at
        for at, event in enumerate(body.trace)
        if event.actor == "user" and said_by(event).strip()
    )


def said_by(event: Event) -> str:
    """What a user said in it, as a text."""
    said = said_in(event)
    return "" if said is None else as_text(said)


def question_of(body: TraceCase) -> Json:
    """The first that a user said, which the rest answers; `None` where no user said anything."""
    asked = (one for one in body.trace if one.actor == "user" and said_in(one) is not None)
    return next(map(said_in, asked), None)
