"""The entities of an EvalStudio workspace: one list in a JSON file for each kind."""

from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath
from evaltui.core.workspace_files import CODE
from evaltui.files import outside, read_file
from evaltui.json_text.document import JsonDocument, read_json
from evaltui.json_text.kind import kind_of
from evaltui.settings.evalstudio.evalstudio_model import Identified
from evaltui.settings.mistakes import keep_valid
from evaltui.settings.sentences import Wording
from evaltui.settings.spelling import camel_case

E = TypeVar("E", bound=Identified)


class Entity(Struct, Generic[E], frozen=True):
    """One of a list, with its index in it."""

    index: int
    value: E


class Entities(Struct, Generic[E], frozen=True):
    """All of one file that can be used, and what is wrong with the others."""

    file: str
    found: tuple[Entity[E], ...] = ()
    problems: tuple[Problem, ...] = ()
    document: JsonDocument | None = None
    is_read: bool = True
    """Whether it is known what is in it; a file that is not there has nothing."""

    def problem(
        self, path: KeyPath, what: str, hint: str, severity: Severity = Severity.ERROR
    ) -> Problem:
        """A complaint about the value at `path`, in its place."""
        if self.document is None:
            return Problem(self.file, what, hint, severity=severity, code=CODE)
        return self.document.problem(path, what, hint, severity=severity, code=CODE)


def read_entities(model: type[E], root: Path, name: str, noun: str) -> Entities[E]:
    """From the file `name` below `root`, which may be absent; `noun` as in `a connector`."""
    if outside(root, name):
        what = "is a link out of the project, and is not followed"
        left_out = Problem(name, what, "Put a regular file in its place.", code="outside")
        return Entities(name, problems=(left_out,), is_read=False)
    try:
        content = read_file(root / name)
    except FileNotFoundError:
        return Entities(name)
    except OSError as error:
        what = f"The file cannot be read: {error.strerror or type(error).__name__}"
        unread = Problem(name, what, "Check its permissions.", code="unreadable")
        return Entities(name, problems=(unread,), is_read=False)
    return entities_of(model, name, content, noun)


def entities_of(model: type[E], name: str, content: bytes, noun: str) -> Entities[E]:
    """The same from what stands in the file."""
    document = read_json(name, content)
    if isinstance(document, Problem):
        return Entities(name, problems=(document,), is_read=False)
    if not isinstance(document.value, list):
        what = f"{kind_of(document.value).capitalize()} stands where a list belongs"
        problem = document.problem((), what, "Write `[…]`, as EvalStudio does.", code=CODE)
        return Entities(name, problems=(problem,), document=document, is_read=False)
    found: list[Entity[E]] = []
    problems: list[Problem] = []
    wording = Wording(f"field of {noun}", "an object", camel_case)
    lines, taken = document.entries(()).lines, dict[str, int]()
    for index, item in enumerate(document.value):
        kept, mistakes = keep_valid(model, item, wording)
        for one in mistakes:
            path = (index, *one.path)
            problems.append(document.problem(path, one.what, one.hint, code=one.code))
        if kept is None:
            continue
        if kept.id in taken:
            what = f"The `id` is that of {noun} on line {taken[kept.id]} too"
            hint = "Give this one an `id` of its own; it is left out until then."
            problems.append(document.problem((index, "id"), what, hint, code=CODE))
            continue
        taken[kept.id] = lines[index]
        found.append(Entity(index, kept))
    return Entities(name, tuple(found), tuple(problems), document)
