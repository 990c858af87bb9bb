"""Result files that a killed run did not come to write."""

from collections.abc import Iterator
from pathlib import Path

from evaltui.core.result import SuiteResult
from evaltui.disk.results_folder import files_of_run, suite_of, write_results
from evaltui.session.project_state import ProjectState
from evaltui.session.suite_results import last_result
from evaltui.store.board import Board


def write_missing_results(state: ProjectState, board: Board) -> tuple[Path, ...]:
    """Write a file for each suite whose last run has none. Raises OSError and UserError."""
    folder = state.config.root / state.config.output_dir
    return write_results(folder, tuple(_missing(state, board, folder)))


def _missing(state: ProjectState, board: Board, folder: Path) -> Iterator[SuiteResult]:
    written: dict[str, frozenset[str]] = {}
    for suite in state.project.suites:
        result = last_result(suite, board, state.project.registry, state.history)
        if result is None:
            continue
        run_id = result.run_id
        if run_id not in written:
            written[run_id] = frozenset(map(suite_of, files_of_run(folder, run_id)))
        if suite.id not in written[run_id]:
            yield result
