"""What an agent would run, send or read outside of the project, as a person agrees to it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaltui.core.permit import Grant, grant
from evaltui.files import is_file, outside


def running(
    what: str,
    exact: list[Any],
    env: Mapping[str, str],
    words: Collection[str],
    root: Path,
    by: str,
) -> Grant:
    """A program, with all that decides what it does: its words and its own variables, and what a
    file of the project makes of them."""
    from evaltui.core.shown_secret import shown_environment
    from evaltui.net.secret_sources import started_by_project

    own = shown_environment(env)
    shown = f"{what}, where{own}" if own else what
    if filled := started_by_project(words, env, root):
        exact = [*exact, filled]
    return grant("run", [*exact, dict(env)], shown, by=by, filled=(*words, *env.values()))


def sending_to(url: str, filled: Iterable[str], root: Path, by: str) -> Grant:
    """Requests to an address, with what a file of the project makes of it."""
    from evaltui.net.secret_sources import sent_by_project

    return sent_by_project(url, root, by=by, filled=filled)


def named_files(line: str, folder: Path) -> list[str]:
    """The words of a command that are files beside it, which may be links out of the project. What
    is named by its whole path says itself where it lies."""
    import shlex

    try:
        words = shlex.split(line)
    except ValueError:  # a quote that is never closed
        return []
    relative = (folder / one for one in words if not Path(one).is_absolute())
    return [str(one) for one in relative if is_file(one)]


def reading(names: Iterable[str], root: Path, by: str) -> Iterator[Grant]:
    """Those of the files or globs that lie, or lead by a link, out of the project."""
    for name in names:
        if place := outside(root, name):
            yield grant("read", place, f"`{place}`", by=by)
