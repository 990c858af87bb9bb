"""Commands that change the user's files: accept, capture, mute, evaluators; each can be undone."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit, TextChange
from evaltui.core.suite import Suite
from evaltui.disk.file_edits import apply_edit, revert_edit
from evaltui.files import is_there, leads_out, read_file
from evaltui.kinds import kind_of
from evaltui.session.project_state import ProjectState
from evaltui.session.running.suite_results import tool_metadata
from evaltui.session.undo import UndoStack
from evaltui.store.row import Row

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry
    from evaltui.formats.evaluator_edits import EvaluatorPlaces

CALLS, DESCRIPTION_HASH = "calls", "description_hash"


class Edits:
    """Every method raises UserError with the reason when it makes no sense now."""

    def __init__(self, state: ProjectState, undo: UndoStack) -> None:
        self._state = state
        self._undo = undo

    def preview_accept(self, key: CaseKey, agent: str, what: str) -> FileEdit:
        """The edit that makes the actual calls, or the description's hash, the expectation.

        `what` is `calls` or `description_hash`. Nothing is written yet.
        """
        from evaltui.formats.editing import accept_calls, accept_description_hash

        row, registry = self._row(key, agent), self._state.project.registry
        path, content = self._file(row.suite)
        if what == DESCRIPTION_HASH:
            tool = registry.find(row.suite.tool_name)
            if tool is None or tool.description_hash is None:
                raise UserError(
                    f"The description of `{row.suite.tool_name}` cannot be read.",
                    "`evaltui tools` says why.",
                )
            edit = accept_description_hash(
                path, content, tool.description_hash, tool.version, registry.size
            )
            then = row.suite.metadata.description_hash if row.suite.metadata else None
            before = self._state.description_of(then) if then else None
            text = TextChange(f"description of {tool.name}", before, tool.description or "")
            return replace(edit, text=text)
        if not row.case.body.has_expect:
            kind = kind_of(row.case)
            what = f"`{key.case}` is {kind.called}, which expects no calls of its own."
            raise UserError(what, kind.instead_of_calls)
        if row.result is None or row.result.response is None:
            raise UserError(f"`{key.case}` has no calls to accept.", "Run it first: press r.")
        return accept_calls(path, content, key.case, row.result.response.tool_calls)

    def preview_capture(
        self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = ""
    ) -> FileEdit:
        """The edit that adds the case to the regression file of the tool that it is about."""
        from evaltui.expectations.mentions import main_tool
        from evaltui.formats.editing import capture_regression, regression_file

        row, registry = self._row(key, agent), self._state.project.registry
        if not row.case.asks_agent:
            kind = kind_of(row.case)
            what = f"`{key.case}` is {kind.called}, which asks no agent."
            raise UserError(what, kind.instead_of_calls)
        suite_path, _ = self._file(row.suite)
        tool_name = row.suite.tool_name
        if row.suite.tier is Tier.LABELED:  # of which each case may be about another tool
            tool_name = main_tool(row.case, tool_name)
        path = regression_file(suite_path, tool_name)
        content = read_file(path) if path.exists() else None
        return capture_regression(
            path,
            content,
            row.case,
            tool_name=tool_name,
            created_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            bug_ref=bug_ref,
            case_id=case_id,
            metadata=tool_metadata(tool_name, registry),
        )

    def preview_promote(
        self, key: CaseKey, agent: str, *, event: int | None, file: str
    ) -> FileEdit:
        """The edit that makes a case of what was asked at an event of a trace, in a file below the
        project's folder."""
        from evaltui.formats.promotion import promote

        row, root = self._row(key, agent), self._state.config.root
        path = root / file
        if leads_out(path, root):
            raise UserError(f"`{file}` is not in this project.", "Name a file below its folder.")
        content = self._content(path, file) if is_there(path) else None
        return promote(path, content, row.case, event)

    def evaluators(self, suite: str, *cases: str) -> "EvaluatorPlaces":
        """Those of these cases as their file is now, or, without a case, of all of the suite.

        What is made of it is written only while the file stays as it is.
        """
        from evaltui.formats.evaluator_edits import EvaluatorPlaces

        known = self._state.project.suite(suite)
        if known is None:
            raise UserError(f"`{suite}` is no longer there.", "It has moved, or cannot be read.")
        _check_ours(known)
        path = self._state.config.root / suite
        return EvaluatorPlaces(path, self._content(path, suite), known.kind, cases)

    @property
    def evaluator_registry(self) -> "EvaluatorRegistry":
        """All evaluators that a case may name now."""
        return self._state.project.evaluator_registry

    def apply(self, edit: FileEdit) -> None:
        """Write it, if the file is still what was read."""
        apply_edit(edit)
        self._undo.did(edit.title, lambda: revert_edit(edit), lambda: apply_edit(edit))

    def mute(self, reason: str, *keys: CaseKey) -> None:
        """Failures of these cases do not count until they are unmuted: one step to undo."""
        self._set_mutes(f"Mute {_named(keys)}", dict.fromkeys(keys, reason))

    def unmute(self, *keys: CaseKey) -> None:
        """Those that the settings mute stay so, which is an error where there is no other."""
        config = self._state.config
        ours = [key for key in keys if str(key) not in config.mutes]
        if not ours:
            raise UserError(
                f"{_named(keys)} {'are' if len(keys) > 1 else 'is'} muted in `{config.file}`.",
                f"Remove {'them' if len(keys) > 1 else 'it'} from `[mute]` there.",
            )
        self._set_mutes(f"Unmute {_named(ours)}", dict.fromkeys(ours, ""))

    def _set_mutes(self, label: str, after: dict[CaseKey, str]) -> None:
        mutes = self._state.mutes
        before = {key: mutes.own(key) for key in after}
        mutes.set(after)
        self._undo.did(label, lambda: mutes.set(before, after), lambda: mutes.set(after, before))

    def _row(self, key: CaseKey, agent: str) -> Row:
        row = self._state.events.store.board(agent).rows.get(key)
        if row is None:
            raise UserError(f"`{key.case}` is no longer there.", "Its file has changed.")
        _check_ours(row.suite)
        return row

    def _file(self, suite: Suite) -> tuple[Path, bytes]:
        path = self._state.config.root / suite.id
        return path, self._content(path, suite.id)

    def _content(self, path: Path, suite: str) -> bytes:
        try:
            return read_file(path)
        except OSError as error:
            raise UserError(
                f"`{suite}` cannot be read: {error.strerror}.", "Restore the file first."
            ) from error


def _named(keys: Sequence[CaseKey]) -> str:
    return f"{len(keys):,} cases" if len(keys) > 1 else f"`{keys[0].case}`"


def _check_ours(suite: Suite) -> None:
    """Raises UserError where the file of the suite is not ours to write."""
    if why := suite.why_not_written:
        raise UserError(f"{why}.", f"Change it in {suite.owner}.")
