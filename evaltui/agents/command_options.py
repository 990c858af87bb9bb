"""The options of an agent that is a program, checked before it is started."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from evaltui.agents.option_reader import OptionReader
from evaltui.child import command_words
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.net.secret_mask import SecretMask, SecretResolver

KNOWN = (
    "command", "mode", "dialect", "cwd", "env", "is_free", "max_answer_bytes",
    "repair_command", "max_repairs", "send_expectations",
)  # fmt: skip
ADAPTER_ONLY = ("repair_command", "max_repairs", "send_expectations")
USUAL_REPAIRS = 2
"""Of a profile that names a `repair_command`; without one nothing is repaired unasked."""
MODES = ("oneshot", "jsonl")
DIALECTS = ("contract", "adapter")
DEFAULT_LIMIT = 32 * 1024 * 1024


class CommandOptions(Struct, frozen=True):
    __repr__ = object.__repr__  # the fields may hold secrets

    argv: tuple[str, ...]
    mode: str
    """`oneshot`: started for each message; `jsonl`: kept, one JSON line in, lines out."""
    dialect: str
    """`contract`: `{message}` → `{response, toolCalls}`; `adapter`: the repair loop's."""
    cwd: Path
    env: Mapping[str, str]
    """The whole environment of the program."""
    is_free: bool
    limit: int
    mask: SecretMask = field(default_factory=SecretMask)
    repair_argv: tuple[str, ...] = ()
    """What is started for a repair; empty: the same program again."""
    max_repairs: int = 0
    send_expectations: bool = True
    """Whether an adapter is sent the policy and the output that are expected."""


def read_command_options(
    options: Mapping[str, Json], *, root: Path, secrets: SecretResolver
) -> CommandOptions:
    """Raises UserError naming the option and what to write instead."""
    reader = OptionReader("command", options, KNOWN)
    mode = _choice(reader, "mode", MODES)
    dialect = _choice(reader, "dialect", DIALECTS)
    if mode == "jsonl" and dialect == "adapter":
        raise UserError(
            "The `adapter` dialect starts the program for each attempt.", 'Use mode = "oneshot".'
        )
    if dialect != "adapter":
        for key in ADAPTER_ONLY:
            if key in options:
                raise UserError(
                    f"`{key}` is for the `adapter` dialect.", 'Use dialect = "adapter".'
                )
    repairing = "repair_command" in options
    max_repairs = reader.whole("max_repairs", 0)
    cwd = root / reader.text("cwd", ".")
    if not cwd.is_dir():
        raise UserError(f"`cwd` is `{cwd}`, which is no folder.", "It starts at the project root.")
    return CommandOptions(
        argv=_argv(options.get("command"), secrets),
        mode=mode,
        dialect=dialect,
        cwd=cwd,
        env=child_environment(reader.texts("env"), secrets),
        is_free=reader.flag("is_free", False),
        limit=reader.whole("max_answer_bytes", 1) or DEFAULT_LIMIT,
        mask=secrets.mask,
        repair_argv=_argv(options["repair_command"], secrets, "repair_command")
        if repairing
        else (),
        max_repairs=(USUAL_REPAIRS if repairing else 0) if max_repairs is None else max_repairs,
        send_expectations=reader.flag("send_expectations", True),
    )


def child_environment(own: Mapping[str, str], secrets: SecretResolver) -> dict[str, str]:
    """Our environment with the profile's variables on top, `${NAME}` filled in.

    Every value that a variable with a secret name holds is masked in what is shown of the child.
    """
    filled = {name: secrets.fill(value, f"env.{name}") for name, value in own.items()}
    for name, value in filled.items():
        if _is_secret(name):
            secrets.mask.add(value, name)
    for name, value in os.environ.items():
        if _is_secret(name) and len(value) >= 12:
            secrets.mask.add(value, name)
    return {**os.environ, **filled}


def _is_secret(name: str) -> bool:
    lowered = name.lower()
    return any(word in lowered for word in ("key", "token", "secret", "password", "credential"))


def _choice(reader: OptionReader, key: str, choices: tuple[str, ...]) -> str:
    value = reader.text(key, choices[0])
    if value not in choices:
        known = " or ".join(f"`{choice}`" for choice in choices)
        raise UserError(f"`{key}` is `{value}`.", f"Use {known}.")
    return value


def _argv(command: Json, secrets: SecretResolver, option: str = "command") -> tuple[str, ...]:
    if isinstance(command, str):
        try:
            words = command_words(command)
        except ValueError as error:
            raise UserError(
                f"`{option}` cannot be split into words ({error}).", "Close the quote."
            ) from None
    elif isinstance(command, list | tuple) and all(isinstance(word, str) for word in command):
        words = [str(word) for word in command]
    else:
        words = []
    if not words or not words[0]:
        raise UserError(
            f"Agents of type `command` need a `{option}`.", f'E.g. {option} = ["node", "agent.js"].'
        )
    filled = tuple(secrets.fill(word, option) for word in words)
    if any("\0" in word for word in filled):
        raise UserError(f"`{option}` holds a NUL character.", "Remove it.")
    return filled
