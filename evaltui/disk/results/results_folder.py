"""The folder of result files: where each goes, and how a run is found again."""

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from evaltui.core.errors import UserError
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.atomic import safe_name, safe_path, write_atomic
from evaltui.disk.own_folder import make_output_dir
from evaltui.disk.results.result_file import (
    NO_LINES,
    HeadWire,
    Lines,
    parse_head,
    read_suite_result,
    suite_result_chunks,
)
from evaltui.files import open_file

_HEAD = 1 << 16
Fill: TypeAlias = Callable[[SuiteResult], tuple[SuiteResult, Lines]]
"""Finds what is to be written of cases of which only the history knows."""


def _as_it_is(result: SuiteResult) -> tuple[SuiteResult, Lines]:
    return result, NO_LINES


def check_output_dir(output_dir: Path) -> None:
    """Raise UserError when results could not be written there; makes nothing."""
    try:
        output_dir.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # it is made, or what is in its place is told below
    except OSError as error:
        raise UserError(
            f"`{output_dir}` cannot be a folder of results: {error.strerror}.",
            "Choose another with --output-dir.",
        ) from error
    place = next((path for path in (output_dir, *output_dir.parents) if path.exists()), output_dir)
    if not place.is_dir():
        raise UserError(
            f"`{place}` is a file; results need a folder.", "Choose another with --output-dir."
        )
    if not os.access(place, os.W_OK | os.X_OK):
        raise UserError(
            f"The folder `{place}` cannot be written.", "Choose another with --output-dir."
        )


def result_path(output_dir: Path, result: SuiteResult, *, is_shared: bool = False) -> Path:
    """`<toolName>-<tier>-<runId>.json` (contract A53).

    `is_shared` tells apart suites of one run that have tool and tier in common.
    """
    stem = f"{safe_name(result.tool_name or 'suite')}-{result.tier}-{safe_name(result.run_id)}"
    if is_shared:
        stem += "." + sha256(result.suite.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return safe_path(output_dir, stem, suffix=".json")


def write_results(
    output_dir: Path,
    results: Iterable[SuiteResult],
    fill: Fill = _as_it_is,
    known: Lines = NO_LINES,
) -> tuple[Path, ...]:
    """Write each suite's file whole or not at all, in the order given. Raises OSError.

    `known`: what stands elsewhere of some cases already, word for word.
    Safe from any thread: it touches nothing but the files.
    """
    written: list[Path] = []
    taken: set[Path] = set()
    make_output_dir(output_dir)
    for result in results:
        path = result_path(output_dir, result)
        if path in taken or _is_of_another_suite(path, result.suite):
            path = result_path(output_dir, result, is_shared=True)
        taken.add(path)
        write_atomic(path, suite_result_chunks(*fill(result), known))
        written.append(path)
    return tuple(written)


def files_of_run(output_dir: Path, run_id: str) -> tuple[Path, ...]:
    """Every result file of one run, by name; empty when there is none."""
    if not run_id:
        return ()
    run_id = safe_name(run_id)
    return tuple(
        sorted(
            path
            for path in output_dir.glob("*.json")
            if path.stem.endswith(f"-{run_id}") or f"-{run_id}." in path.name
        )
    )


def find_result(output_dir: Path, run_id: str, suite: str) -> Path:
    """The file of one suite in one run. Raises UserError that names what is there instead."""
    others: list[str] = []
    for path in files_of_run(output_dir, run_id):
        found = suite_of(path)
        if found == suite:
            return path
        others.append(found or path.name)
    if others:
        raise UserError(
            f"Run `{run_id}` has no result of `{suite}`.", f"It has: {', '.join(others[:5])}."
        )
    raise UserError(f"No result of run `{run_id}` in `{output_dir}`.", _what_is_there(output_dir))


def suite_of(path: Path) -> str:
    """The suite a result file is about; empty when it does not say."""
    head = read_head(path)
    return head.suite if head else read_suite_result(path, brief=True).suite


def _is_of_another_suite(path: Path, suite: str) -> bool:
    """Whether an earlier part of the same run wrote this file."""
    try:
        head = read_head(path)
    except OSError:
        return False
    return head is not None and head.suite not in ("", suite)


def read_head(path: Path) -> HeadWire | None:
    """What stands before the cases; `None` for a file that is not ours. Raises OSError."""
    with open_file(path) as file:
        return parse_head(file.read(_HEAD))


def newest_first(output_dir: Path) -> list[Path]:
    """Every result file, the last written first."""
    stamped = []
    for path in output_dir.glob("*.json"):
        try:
            stamped.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    return [path for _, path in sorted(stamped, reverse=True)]


def _what_is_there(output_dir: Path) -> str:
    runs: dict[str, None] = {}
    for path in newest_first(output_dir)[:100]:
        try:
            head = read_head(path)
            runs[head.run_id if head else read_suite_result(path, brief=True).run_id] = None
        except (OSError, UserError):
            continue
        if len(runs) == 5:
            break
    if not runs:
        return "There are no results yet: run the evals once without a baseline."
    return f"The latest runs there are: {', '.join(f'`{run}`' for run in runs)}."
