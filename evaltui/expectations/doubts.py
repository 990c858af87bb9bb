"""Remarks about a case, and those that several assertions make about what is written in them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from evaltui.core.errors import Severity
from evaltui.core.json_value import Json
from evaltui.expectations.pattern import validate_pattern
from evaltui.expectations.read_value import kind_of, scalar_text, texts_below
from evaltui.expectations.verdicts import as_json


class Finding(Struct, frozen=True):
    """One remark, before it is known where in the file the case is.

    `key` is the path below the case, e.g. `expect.toolsCalled`.
    """

    key: str
    what: str
    hint: str
    code: str
    severity: Severity = Severity.LINT


def empty_list(path: str, value: Json) -> Iterator[Finding]:
    if isinstance(value, list | tuple) and not value:
        what = "an empty list checks nothing"
        yield Finding(path, what, "Fill it or remove it.", "empty-list")


def bare_text(path: str, value: Json) -> Iterator[Finding]:
    if isinstance(value, str):
        what = "a bare text is read as a list of one"
        yield Finding(path, what, f"Write {as_json([value])}.", "bare-text")


def odd_members(path: str, members: Json) -> Iterator[Finding]:
    """Texts that are found everywhere, and members that are no texts."""
    for index, member in enumerate(members if isinstance(members, list | tuple) else ()):
        if member == "":
            yield Finding(
                f"{path}[{index}]",
                "an empty text stands in every response",
                "Write a text, or remove it.",
                "empty-text",
            )
        else:
            yield from not_text(f"{path}[{index}]", member)


def not_text(path: str, value: Json) -> Iterator[Finding]:
    text = scalar_text(value)
    if text is not None and not isinstance(value, str):
        what = f'{kind_of(value)} is compared as the text "{text}"'
        yield Finding(path, what, f'Write "{text}".', "value-not-text")


def text_list(key: str, value: Json) -> Iterator[Finding]:
    """What is doubtful about a list of texts."""
    path = f"expect.{key}"
    yield from bare_text(path, value)
    yield from odd_members(path, value)
    yield from empty_list(path, value)


def echoes(key: str, value: Json, message: str) -> Iterator[Finding]:
    """What the agent can repeat from the prompt shows nothing about the tool's answer."""
    for path, text in texts_below(f"expect.{key}", value):
        if is_echo((text,), message):
            what = f"'{text}' stands in the prompt itself, so finding it proves nothing"
            yield Finding(path, what, ECHO_HINT, "prompt-echo")


def is_echo(texts: Iterable[str], message: str) -> bool:
    """Whether there are texts and the prompt holds all of them."""
    prompt = message.casefold()
    written = [text.casefold() for text in texts if text]
    return bool(written) and all(text in prompt for text in written)


def bad_pattern(path: str, pattern: str) -> Iterator[Finding]:
    complaint = validate_pattern(pattern)
    if complaint is not None:
        hint = "Patterns are JavaScript's, without flags: no (?i), and (?<name>…) for groups."
        what = f"invalid pattern: {complaint}"
        yield Finding(path, what, hint, "invalid-pattern", Severity.ERROR)


ECHO_HINT = "Ask for a value that only the tool's result can supply."
