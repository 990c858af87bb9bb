"""Profiles of agents that are programs: a command, or a function in Python."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from evaltui.agents.profiles.grants import named_files, reading, running
from evaltui.agents.profiles.options import OutsideOptions, Retries
from evaltui.core.permit import Grant
from evaltui.files import outside
from evaltui.net import ANSWER_LIMIT
from evaltui.settings.written import WHOLE, Text

Words: TypeAlias = Text | Annotated[list[str], Field(min_length=1)]
"""A command as text or as its words."""


class ProgramOptions(OutsideOptions):
    """What commands and functions share."""

    env: dict[str, str] = Field({}, description="environment variables; `${NAME}` is filled in")
    max_answer_bytes: Annotated[int, Field(ge=1), WHOLE] = ANSWER_LIMIT
    names_all_files: bool = Field(
        False,
        description="whether results depend on no other files of the project than the known ones",
    )


class CommandProfile(ProgramOptions):
    command: Words = Field(examples=[["node", "agent.js"]], description="program and arguments")
    mode: Literal["oneshot", "jsonl"] = "oneshot"
    dialect: Literal["contract", "adapter"] = "contract"
    cwd: Text = Field(".", description="folder to run in, below the project's")
    files: list[Text] = Field(
        [],
        description="further files and globs that results depend on, besides those in the command",
    )
    repair_command: Words | None = Field(None, description="program and arguments for a repair")
    max_repairs: Retries | None = None
    send_expectations: bool | None = Field(
        None, description="whether to tell an adapter what is expected"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        import shlex

        from evaltui.core.shown_secret import shown_command

        where = f"`{outside(root, self.cwd) or self.cwd}`"
        for command in (self.command, self.repair_command):
            if command is not None:
                words = [command] if isinstance(command, str) else command
                line = command if isinstance(command, str) else shlex.join(command)
                shown = f"`{shown_command(line)}` in {where}"
                yield running(shown, [words, where], self.env, words, root, by)
                yield from reading(named_files(line, root / self.cwd), root, by)
        yield from reading(self.files, root, by)


class PythonProfile(ProgramOptions):
    function: Text = Field(
        examples=["agents/mine.py:function"], description="module or file, and function"
    )
    python: Text | None = Field(None, description="interpreter, instead of the project's own")
    files: list[Text] = Field([], description="further files and globs that results depend on")
    start_timeout: Annotated[float, Field(ge=0.001, allow_inf_nan=False)] = Field(
        60.0, description="time limit for loading the function in seconds"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:
        from evaltui.child.interpreter import own_python

        python = self.python or own_python(root) or None
        what = f"Python `{self.function}`" + (f" in `{python}`" if python else "")
        yield running(what, [self.function, python], self.env, (), root, by)
        yield from reading([*named_files(self.function.rpartition(":")[0], root), *self.files],
                           root, by)  # fmt: skip
