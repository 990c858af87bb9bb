"""One scenario: from the written form to a core object, with its mistakes in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from evaltui.core.case import PERSONA_ID, SCENARIO_ID, Case, CaseKey, ScenarioCase, Tier
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import Severity
from evaltui.core.finite_json import decode_json
from evaltui.core.inert_text import first_acting, spelled
from evaltui.core.json_value import JsonObject
from evaltui.core.key_path import KeyPath, format_key
from evaltui.core.message_count import messages_for_all_lines, why_no_turn
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.response import Message, ToolCall
from evaltui.evaluators.kit.evaltui import message_text
from evaltui.formats.complaint import IN_EVALUATORS, Complaint, complaint_of, shorten
from evaltui.formats.scenario_model import (
    CalledFunction,
    PersonaEntry,
    Scenario,
    SeedCall,
    SeedMessage,
)
from evaltui.formats.unknown_fields import Fields, unknown_fields
from evaltui.json_text.kind import kind_of
from evaltui.settings.mistakes import keep_valid
from evaltui.settings.sentences import Wording
from evaltui.settings.spelling import camel_case

_IN_SCENARIO = Wording("field of a scenario", "an object", camel_case, IN_EVALUATORS)
_IDS = frozenset({SCENARIO_ID, PERSONA_ID})
"""Of a workspace: nobody wrote them into the scenario."""


def _keys(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(str(field.alias) for field in model.model_fields.values())


_FIELDS = Fields(
    "a scenario",
    _keys(Scenario),
    "eval cases",
    {
        "expect": "Write `evaluators`, e.g. `regex`, or `successCriteria`.",
        "rubric": "Write `successCriteria`.",
        "calibration": "Remove it.",
        "referenceData": "Write it into `successCriteria`.",
        "input": "Write `persona.lines` or `messages`.",
    },
)
_OF_PERSONA = Fields("a persona", _keys(PersonaEntry))
_OF_MESSAGE = Fields("a message", _keys(SeedMessage))
_OF_CALL = Fields("a tool call", _keys(SeedCall))
_OF_FUNCTION = Fields("a function that is called", _keys(CalledFunction))


def read_scenario(raw: Any, suite: str, line: int, path: KeyPath) -> tuple[Case, list[Complaint]]:
    """Read one scenario with all that is wrong with it; `invalid` says why it cannot be held."""
    if type(raw) is not dict:
        what = f"The scenario is {kind_of(raw)}, not an object"
        key = CaseKey(suite, format_key(path) or "scenario")
        case = Case(key, ScenarioCase(""), Tier.SCENARIO, line=line, invalid=what)
        return case, [Complaint((), what, "Write `{…}`.", code="wrong-type")]
    wrong: list[Complaint] = []
    try:
        written = Scenario.model_validate(raw)
    except ValidationError:
        kept, mistakes = keep_valid(Scenario, raw, _IN_SCENARIO)
        assert kept is not None, "no key of the model is required"
        written = kept
        wrong += [complaint_of(one, Severity.ERROR) for one in mistakes]
    extra = dict(written.model_extra or {})
    body = _body(written, wrong)
    if not written.name.strip() and isinstance(raw.get("name"), str | None):
        hint = 'Write `"name": "…"`: results and baselines are kept under it.'
        wrong.append(Complaint(("name",) if "name" in raw else (), "There is no `name`", hint))
    wrong += _unseen_in_names(written)
    wrong += _judged_by_nothing(body, raw)
    wrong += _cannot_be_held(body)
    wrong += unknown_fields([one for one in extra if one not in _IDS], raw, _FIELDS)
    wrong += _misspelt_within(raw)
    errors = [one.what for one in wrong if one.severity is Severity.ERROR]
    case = Case(
        key=CaseKey(suite, written.id or written.name or format_key(path) or "scenario"),
        body=body,
        tier=Tier.SCENARIO,
        description=written.description or _name_beside(written),
        line=line,
        invalid="; ".join(errors),
        extra=extra,
    )
    return case, wrong


def _misspelt_within(raw: Mapping[str, Any]) -> Iterator[Complaint]:
    """Fields of what stands in a scenario that are nearly right: by the persona and the messages
    that are meant the conversation would be another one."""
    yield from _misspelt(raw.get("persona"), _OF_PERSONA, ("persona",))
    for message, at in _each(raw, "messages"):
        yield from _misspelt(message, _OF_MESSAGE, at)
        for call, nth in _each(message, "tool_calls"):
            yield from _misspelt(call, _OF_CALL, (*at, *nth))
            if isinstance(call, dict):
                yield from _misspelt(call.get("function"), _OF_FUNCTION, (*at, *nth, "function"))


def _each(raw: Any, key: str) -> Iterator[tuple[Any, KeyPath]]:
    items = raw.get(key) if isinstance(raw, dict) else None
    for at, item in enumerate(items if isinstance(items, list) else ()):
        yield item, (key, at)


def _misspelt(raw: Any, fields: Fields, path: KeyPath) -> Iterator[Complaint]:
    for one in unknown_fields(raw, raw, fields) if isinstance(raw, dict) else ():
        yield replace(one, path=(*path, *one.path))


def _unseen_in_names(written: Scenario) -> Iterator[Complaint]:
    """Commands, files and other programs take scenarios by these."""
    for key, name in (("name", written.name), ("id", written.id)):
        if found := first_acting(name):
            what = f"The {key} `{shorten(name)}` holds the character `{spelled(found)}`"
            yield Complaint((key,), what, "Write it without: it acts on terminals, or hides.")


def _name_beside(written: Scenario) -> str:
    """Its name, where its id does not say it."""
    return "" if not written.id or written.id.startswith(written.name) else written.name


def _body(written: Scenario, wrong: list[Complaint]) -> ScenarioCase:
    seeds = tuple(_seed(one, at, wrong) for at, one in enumerate(written.messages))
    as_written = written.persona
    persona = Persona()
    if as_written is not None:
        persona = Persona(
            as_written.name,
            as_written.description,
            as_written.system_prompt,
            tuple(as_written.lines),
        )
    said = [one.content for one in seeds if one.role == "user"]
    return ScenarioCase(
        message=next(iter((*said, *persona.lines)), written.instructions),
        stubs=written.stubs,
        max_turns=written.max_turns,
        evaluators=tuple(EvaluatorUse(one.type, one.config) for one in written.evaluators),
        name=written.name,
        instructions=written.instructions,
        persona=persona,
        seed_messages=seeds,
        max_messages=written.max_messages,
        is_default_limit="max_messages" not in written.model_fields_set,
        success_criteria=written.success_criteria.strip(),
        failure_criteria=written.failure_criteria.strip(),
        failure_criteria_mode=FailureMode(written.failure_criteria_mode),
    )


def _seed(written: SeedMessage, at: int, wrong: list[Complaint]) -> Message:
    calls: list[ToolCall] = []
    for number, call in enumerate(written.tool_calls):
        params = _arguments(call.function.arguments)
        if params is None:
            key = ("messages", at, "tool_calls", number, "function", "arguments")
            what = "The arguments are not the text of a JSON object"
            wrong.append(Complaint(key, what, 'Write them as in `"{\\"city\\": \\"Paris\\"}"`.'))
        calls.append(ToolCall(call.function.name, params, id=call.id))
    extra = dict(written.model_extra or {})
    if not isinstance(written.content, str) or "content" not in written.model_fields_set:
        extra["content"] = written.content or None
    text = message_text(written.content)
    own = (written.tool_call_id, written.name, extra or None)
    return Message(written.role, text, tuple(calls), *own)


def _arguments(text: str) -> JsonObject | None:
    try:
        value = decode_json(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _judged_by_nothing(body: ScenarioCase, raw: Mapping[str, Any]) -> list[Complaint]:
    if body.asks_judge or body.evaluators or raw.get("evaluators"):
        return []
    what = "Nothing judges the scenario"
    hint = "Give it `successCriteria`, `failureCriteria` or `evaluators`."
    return [Complaint((), what, hint, code="no-evaluation")]


def _cannot_be_held(body: ScenarioCase) -> list[Complaint]:
    last = body.seed_messages[-1].role if body.seed_messages else ""
    if last == "tool":
        hint = "End the seed messages with one of `user` or `assistant`."
        return [
            Complaint(
                ("messages", len(body.seed_messages) - 1),
                "The last seed message is the result of a tool",
                hint,
            )
        ]
    if why := why_no_turn(body):
        what = why[0].upper() + why[1:].replace("was possible", "is possible")
        hint = "Raise `maxMessages`, or leave out seed messages."
        return [Complaint(("maxMessages",), what, hint, Severity.WARNING, "no-turn")]
    lines, least = len(body.persona.lines), messages_for_all_lines(body)
    if lines and body.max_messages < least:
        what = f"Not all {lines} lines can be said: `maxMessages` is {body.max_messages}"
        hint = f"Raise it to {least} at least, and by one for each answer that only calls tools."
        return [Complaint(("maxMessages",), what, hint, Severity.WARNING, "unsaid-lines")]
    return []
