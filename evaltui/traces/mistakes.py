"""What is wrong in a suite of traces: the place, and a sentence about it."""

import re
from json import JSONDecodeError

import msgspec

from evaltui.core.errors import UserError

_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "int | float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_MESSAGE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_PLACE = re.compile(r"(.*?)(?: - at `\$\.?([^`]*)`)?", re.DOTALL)


class SuiteMistake(UserError):
    """A suite that cannot be used, and where: `key` is empty when it is the whole of it."""

    def __init__(self, file: str, key: str, what: str, hint: str, case_id: str = "") -> None:
        place = ": ".join(part for part in (file, f"`{key}`" if key else "") if part)
        super().__init__(f"{place}: {what}." if place else f"{what}.", hint)
        self.file = file
        self.key = key
        self.said = what
        self.case_id = case_id


class JsonMistake(SuiteMistake):
    """A file that is no JSON; line and column are 1-based, the position is 0-based."""

    def __init__(self, file: str, error: JSONDecodeError) -> None:
        place = f"{file}:{error.lineno}:{error.colno}" if file else f"line {error.lineno}"
        super().__init__(place, "", f"no JSON: {error.msg}", "Correct the file.")
        self.line, self.column, self.position = error.lineno, error.colno, error.pos


def refusal_of(
    error: msgspec.ValidationError, file: str, below: str = "", case_id: str = ""
) -> SuiteMistake:
    """The first mistake that msgspec found in what stands at the key `below`."""
    placed = _PLACE.fullmatch(str(error))
    said, key = placed.groups() if placed is not None else (str(error), None)
    dot = "." if below and key and not key.startswith("[") else ""
    place = f"{below}{dot}{key or ''}"
    if missing := _MISSING.fullmatch(said):
        name = missing[1]
        return SuiteMistake(file, place, f"`{name}` is missing", f"Write `{name}`.", case_id)
    if found := _MESSAGE.fullmatch(said):
        words = _in_words(found[1])
        what = f"expected {words}, found {_in_words(found[2])}"
        return SuiteMistake(file, place, what, f"Write {words}.", case_id)
    return SuiteMistake(file, place, said[:1].lower() + said[1:], "Correct it.", case_id)


def _in_words(type_: str) -> str:
    return _WORDS.get(type_.removesuffix(" | null"), type_)
