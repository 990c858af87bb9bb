"""What is wrong with text that is no JSON, in words that say what to do."""

import re

from evaltui.core.errors import Problem

_AT = re.compile(r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)\s*", re.DOTALL)

_HINTS = (
    # By a part of what the parser says.
    ("EOF while parsing", "The file ends in the middle; it may be half-saved."),
    ("trailing characters", "Only one value may stand in a JSON file; remove what follows it."),
    ("key must be a string", 'Keys stand in double quotes: `"key"`.'),
    ("recursion limit", "Nest fewer lists and objects into each other: 200 levels are the limit."),
    ("control character", r"Write line breaks in text as `\n` and tabs as `\t`."),
    ("number out of range", "Write the number as text."),
    (
        "hex escape",
        r"Half of a surrogate pair; write the character itself or both `\uXXXX` halves.",
    ),
    ("invalid escape", r"Write a backslash as `\\`."),
    ("expected `:`", 'A key is followed by a colon: `"key": value`.'),
    ("expected `,`", "A comma is missing before this, or a quote inside a text is not escaped."),
)
_BY_TEXT = (
    # By what stands at the place.
    (re.compile(rb"//|/\*|#"), "JSON has no comments; remove it."),
    (re.compile(rb"'"), 'Texts stand in double quotes: `"text"`.'),
    (re.compile(rb"-?(NaN|Infinity)"), "JSON has no NaN or Infinity; use `null` or a text."),
    (re.compile(rb"(True|False|None|undefined)"), "Use `true`, `false` or `null`."),
    (re.compile(rb"[\]}]"), "Remove the comma before it, or write the missing value."),
)


def syntax_problem(file: str, content: bytes, message: str) -> Problem:
    """Turn the parser's message into a problem with line and column in characters."""
    found = _AT.fullmatch(message)
    if found is None:
        return Problem(file, message, "Correct the JSON.", code="json-syntax")
    what, line, column = found["what"], int(found["line"]), int(found["column"])
    lines = content.split(b"\n")
    if column == 0 and line > 1:  # the parser names a line break by the line that it opens
        line -= 1
        column = len(lines[line - 1]) + 1
    row = lines[line - 1] if line <= len(lines) else b""
    offset = max(0, column - 1)
    before = row[:offset].decode("utf-8", "replace")
    hint = _hint(what, row[offset:])
    sentence = f"Not valid JSON: {what}"
    return Problem(file, sentence, hint, line, len(before) + 1, code="json-syntax")


def _hint(what: str, rest: bytes) -> str:
    if not what.startswith("EOF"):
        for pattern, hint in _BY_TEXT:
            if pattern.match(rest):
                return hint
    return next((hint for part, hint in _HINTS if part in what), "Correct the JSON here.")
