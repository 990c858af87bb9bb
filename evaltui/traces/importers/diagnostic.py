"""What could not be carried over from an input, and where it is."""

from msgspec import Struct

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key

HINTS = {
    "unknown_top_level_fields": "Is it of another provider? Name it, or remove the fields.",
    "empty_trace": "Is it of another provider or framework? Name it, or leave it out.",
    "broken_record": "Correct the line; the others were read.",
    "not_an_object": "Leave it out.",
    "not_a_list": "Write a list.",
    "repeated_key": "Keep the one that is meant: of several, the last one was read.",
    "dropped_content": "Only texts are judged; nothing needs to be done.",
    "unread_call": "No check sees it: write it as one of `tool_calls`, or as a tool's message.",
    "dropped_item": "Nothing is known of this type; it is left out.",
    "dropped_alternative": "Export the others as records of their own if they matter.",
    "unparsed_arguments": "Checks of arguments take the call as one without any.",
    "unreadable_number": "Write counts of tokens and costs as numbers from 0 on.",
    "unreadable_time": "Write times in ISO 8601, or as seconds since 1970.",
    "call_without_tool": "It is left out; name the tool.",
    "result_without_call": "Checks of the trajectory will fail; is the call in another record?",
    "lone_item": 'Put the items of one conversation into a list: `{"input": [...]}`.',
    "not_told": "Have what is said to models and tools recorded, and export it with its spans.",
    "too_deep": "Nest fewer lists and objects into each other.",
}
"""What to do, for each kind."""

_KEPT = frozenset({"unparsed_arguments", "result_without_call", "too_deep"})
"""They are in the suite, though not as one would wish."""


class Diagnostic(Struct, frozen=True):
    """One thing of one record that is not in the imported suite, or not as it was."""

    kind: str
    detail: str
    provider: str
    record_index: int
    """0-based; broken records count."""
    file: str
    path: KeyPath = ()
    line: int = 0
    column: int = 0
    fields: tuple[str, ...] = ()

    @property
    def is_loss(self) -> bool:
        """Whether something is not in the suite at all."""
        return self.kind not in _KEPT

    def document(self) -> dict[str, Json]:
        """As files and `--json` have it."""
        found: dict[str, Json] = {
            "record_index": self.record_index,
            "provider": self.provider,
            "type": self.kind,
            "detail": self.detail,
            "file": self.file,
        }
        if hint := HINTS.get(self.kind):
            found["hint"] = hint
        if self.fields:
            found["fields"] = [*self.fields]
        if self.path:
            found["key"] = format_key(self.path)
        if self.line:
            found["line"] = self.line
        return found

    def problem(self) -> Problem:
        """The same in a sentence, with what to do."""
        key = format_key(self.path)
        hint = HINTS.get(self.kind, "")
        return Problem(self.file, self.detail, hint, self.line, self.column, key, code=self.kind)
