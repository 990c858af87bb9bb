"""What is wrong with sources, evaluators and the seed, by the setting that names them."""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.key_path import KeyPath, format_key
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.registries.text_file import NOT_FOUND
from evaltui.settings.source import read_source


def at_their_setting(config: Config, problems: tuple[Problem, ...]) -> Iterator[Problem]:
    """A source of tools that is not there is a mistake of the setting that names it."""
    missing = any(problem.code == NOT_FOUND for problem in problems)
    source = read_source(config.root / config.file) if missing and config.file else None
    for problem in problems:
        locations = (one.location for one in config.registries if _is_at(one.location, problem))
        location = next(locations, None) if source and problem.code == NOT_FOUND else None
        key = source.registry_key(location) if source and location else None
        if source is None or key is None:
            yield problem
            continue
        line, column = source.locate(key)
        what = f"`{problem.file}`: {problem.what}"
        key_text = format_key(key)
        what_to_do, _, more = problem.hint.partition(".")
        hint = f"{what_to_do}, or remove it from `{key[0]}`.{more}"
        yield replace(
            problem,
            file=config.file,
            what=what,
            hint=hint,
            line=line,
            column=column,
            key=key_text,
        )


def evaluator_problems(config: Config, loaded: LoadedEvaluators) -> Iterator[Problem]:
    """At the entry of the setting that names them, where no place of their own is known."""
    source = read_source(config.root / config.file) if loaded.problems and config.file else None
    for entry, problem in loaded.problems:
        key: KeyPath = ("evaluators",)
        if problem.file or source is None or "evaluators" not in source.table:
            yield problem  # or typed, or written in a file of another program
            continue
        if isinstance(source.table["evaluators"], list):
            key = (*key, config.evaluators.index(entry.source))
        line, column = source.locate(key)
        place = {"file": config.file, "line": line, "column": column, "key": format_key(key)}
        yield replace(problem, **place)


def missing_seed(config: Config, name: str) -> tuple[Problem, ...]:
    """A mistake where somebody named it: expectations that need it would only be skipped."""
    usual = Config(config.root).seed_manifest_path
    if config.seed_manifest_path == usual and "seed_manifest_path" not in config.typed:
        return ()
    what = "There is no seed manifest here; tokens `{{seed:…}}` cannot be resolved"
    hint = "Correct `--seed` or the setting `seed_manifest_path`, or write the file."
    return (Problem(name, what, hint, code="no-such-file"),)


def _is_at(location: str, problem: Problem) -> bool:
    """Whether the problem is about the place itself; `tools.py:NAME` is in `tools.py`."""
    places = (location, location.rpartition(":")[0])
    return problem.file in [Path(os.path.normpath(place)).as_posix() for place in places if place]
