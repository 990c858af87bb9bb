"""Settings of a repair loop, as `run/config.json` keeps them."""

from collections.abc import Iterable, Mapping, Sequence
from errno import ENOENT
from math import inf
from os import F_OK
from shutil import which
from typing import Any

from msgspec import Struct

from evaltui.child.process import command_words
from evaltui.core.errors import UserError
from evaltui.core.shown_secret import shown_command

MODE = "propose_execute_repair"
"""The execution mode of a run that came of one."""


COMMANDS = ("propose_command", "repair_command")


class LoopOptions(Struct, frozen=True):
    propose: tuple[str, ...]
    repair: tuple[str, ...] = ()
    """Asked after the first attempt; empty for the same program."""
    max_repairs: int = 2
    limit_s: float = 30.0
    strict_side_effects: bool = False
    """Whether an attempt fails that calls a tool of which no answer is written down."""
    keeps_best: bool = False
    """Whether the best of several failed attempts is kept, not the last."""

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(one for one in (self.propose, self.repair) if one)


def loop_options(execution: Mapping[str, Any]) -> LoopOptions:
    """From `execution_config`. Raises UserError for what makes no sense."""
    repairs, limit_s = execution.get("max_repairs", 2), execution.get("command_timeout_seconds", 30)
    if type(repairs) is not int or repairs < 0:
        raise UserError("`max_repairs` is not a whole number of at least 0.", "Correct it.")
    if isinstance(limit_s, bool) or not isinstance(limit_s, int | float) or not 0 < limit_s < inf:
        raise UserError("`command_timeout_seconds` is not a number above 0.", "Correct it.")
    repair = execution.get("repair_command")
    return LoopOptions(
        _words(execution.get("propose_command")),
        _words(repair) if repair else (),
        max_repairs=repairs,
        limit_s=limit_s,
        strict_side_effects=execution.get("strict_side_effects") is True,
        keeps_best=execution.get("keep") == "best",
    )


def refuse_missing(commands: Iterable[Sequence[str]]) -> None:
    """Raises FileNotFoundError for a program that there is not. One that cannot be started fails
    its attempts."""
    for program, *_ in commands:
        if which(program, mode=F_OK) is None:
            raise FileNotFoundError(ENOENT, "there is no such program", program)


def kept_commands(execution: Mapping[str, Any]) -> dict[str, str | None]:
    """As they may be kept: without what is secret in them."""
    found = {name: execution.get(name) for name in COMMANDS}
    return {name: shown_command(one) if one else one for name, one in found.items()}


def _words(command: object) -> tuple[str, ...]:
    if not isinstance(command, str):
        raise UserError("There is no `propose_command`.", "Name a program.")
    try:
        words = tuple(command_words(command))
    except ValueError as error:
        what = f"`{shown_command(command)}` is not a command: {error}."
        raise UserError(what, "Close the quote.") from None
    if not words:
        raise UserError("The command is empty.", "Name a program.")
    return words
