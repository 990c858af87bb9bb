"""The options of a command agent, checked before the program is started."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from evaltui.agents.files_as_read import FilesAsRead
from evaltui.agents.own_files import awaited_by, content_of, named_files, program_files
from evaltui.agents.profiles.programs import CommandProfile
from evaltui.agents.profiles.reading import read_profile
from evaltui.child import command_words
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.secret_name import is_credential_name, is_secret_name
from evaltui.core.shown_secret import literal_secrets
from evaltui.files import is_folder
from evaltui.net.secret_mask import SecretMask, SecretResolver

ADAPTER_ONLY = ("repair_command", "max_repairs", "send_expectations")
USUAL_REPAIRS = 2
"""Of a profile that names a `repair_command`; without one nothing is repaired unasked."""


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
    files: frozenset[Path] = frozenset()
    """Those of the project that it is made of: what the command names, and `files`."""
    awaited: frozenset[Path] = frozenset()
    """What would belong to them if it were there, and folders where that may be."""
    names_files: bool = True
    """Whether those are all of them."""
    as_read: FilesAsRead = FilesAsRead((), Path())
    """What stands in them."""
    former_content: str = ""
    """Of those that earlier versions knew; empty where that is the same."""
    send_expectations: bool = True
    """Whether an adapter is sent the policy and the output that are expected."""


def read_command_options(
    options: Mapping[str, Json], *, root: Path, secrets: SecretResolver
) -> CommandOptions:
    """Raises UserError naming the option and what to write instead."""
    written = read_profile(CommandProfile, "command", options)
    if written.mode == "jsonl" and written.dialect == "adapter":
        raise UserError(
            "The `adapter` dialect starts the program for each attempt.", 'Use mode = "oneshot".'
        )
    if written.dialect != "adapter":
        for key in ADAPTER_ONLY:
            if key in written.model_fields_set:
                raise UserError(
                    f"`{key}` is for the `adapter` dialect.", 'Use dialect = "adapter".'
                )
    repair, max_repairs = written.repair_command, written.max_repairs
    cwd = root / written.cwd
    if not is_folder(cwd):
        raise UserError(
            f"`cwd` is `{cwd}`, which is not a folder.", "It starts at the project root."
        )
    argv = _argv(written.command, secrets)
    repair_argv = () if repair is None else _argv(repair, secrets, "repair_command")
    named, env = named_files(written.files, root), child_environment(written.env, secrets)
    own_env = {name: env[name] for name in written.env}
    programs = [program_files(one, cwd, root, own_env) for one in (argv, repair_argv) if one]
    files = named.union(*(one.files for one in programs))
    known = named.union(*(one.of_words for one in programs))
    return CommandOptions(
        argv=argv,
        mode=written.mode,
        dialect=written.dialect,
        cwd=cwd,
        env=env,
        is_free=bool(written.is_free),
        limit=written.max_answer_bytes,
        mask=secrets.mask,
        repair_argv=repair_argv,
        files=files,
        awaited=awaited_by(written.files, root).union(*(one.awaited for one in programs)),
        names_files=written.names_all_files or all(one.are_all for one in programs),
        as_read=FilesAsRead(files, root),
        former_content="" if known == files else content_of(known, root),
        max_repairs=(USUAL_REPAIRS if repair else 0) if max_repairs is None else max_repairs,
        send_expectations=written.send_expectations is not False,
    )


def child_environment(own: Mapping[str, str], secrets: SecretResolver) -> dict[str, str]:
    """Our environment with the profile's variables on top, `${NAME}` filled in.

    Every value that a variable with a secret name holds is masked in what is shown of the child.
    """
    filled = {name: secrets.fill(value, f"env.{name}") for name, value in own.items()}
    for name, value in filled.items():
        if is_secret_name(name):
            secrets.note_literals((value,))
    for name, value in os.environ.items():
        if is_credential_name(name) and len(value) >= 12:
            secrets.mask.add(value)
    return {**os.environ, **filled}


def _argv(
    command: str | list[str], secrets: SecretResolver, option: str = "command"
) -> tuple[str, ...]:
    words = command
    if isinstance(words, str):
        try:
            words = command_words(words)
        except ValueError as error:
            raise UserError(
                f"`{option}` cannot be split into words ({error}).", "Close the quote."
            ) from None
    if not words or not words[0]:
        raise UserError(f"`{option}` names no program.", f'E.g. {option} = ["node", "agent.js"].')
    secrets.note_literals(literal_secrets(words))
    filled = tuple(secrets.fill(word, option) for word in words)
    if any("\0" in word for word in filled):
        raise UserError(f"`{option}` holds a NUL character.", "Remove it.")
    return filled
