"""Which line of a program that stays is the answer to its question."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import OpenCheck
from evaltui.evaluators.child_lines import verdict_by
from evaltui.evaluators.plugin_entry import PluginEntry

DESCRIBE = b'{"op":"describe"}'


class SurplusLineError(Exception):
    """One line more than questions, and none says to which of them it belongs."""


class CommandAnswers:
    """Of one question at a time. A line with its `id` answers it. One without is believed once the
    program says what it has, which it is asked behind the question: what it wrote too much, now or
    because of an earlier question, stands before that."""

    def __init__(self, entry: PluginEntry) -> None:
        self._entry = entry
        self.held: Verdict | None = None
        """Of a line without an id, until nothing more came."""
        self._to_come = 0
        """Descriptions that were asked for."""

    def take(self, said: Mapping[str, Any], check: OpenCheck) -> tuple[Verdict | None, bytes]:
        """The verdict, if that is known now, and what to tell the program.

        Raises SurplusLineError, and ValueError for the id of no question.
        """
        if self._to_come and isinstance(said.get("evaluators"), list):
            self._to_come -= 1
            return (None if self._to_come else self.end()), b""
        if "id" in said:
            id_ = said["id"]
            if type(id_) is not int or id_ > check.id:
                raise ValueError(f"`id` is {id_!r} instead of {check.id}")
            if id_ < check.id:  # what it had to say of an earlier one comes too late
                return None, b""
            self.held = None
            return verdict_by(said, check, self._entry), b""
        if self.held is not None:
            raise SurplusLineError
        self.held = verdict_by(said, check, self._entry)
        self._to_come += 1
        return None, DESCRIBE

    def end(self) -> Verdict | None:
        """What is held, since nothing more comes."""
        held, self.held = self.held, None
        return held
