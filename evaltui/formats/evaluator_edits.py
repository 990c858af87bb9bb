"""Edits of the evaluators that judge cases of a file: all, or some of them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.case import CaseBody, ContractCase, RubricCase, ScenarioCase, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit, file_edit
from evaltui.core.key_path import KeyPath
from evaltui.core.same_json import canonical
from evaltui.json_text.edit import read_value, replace_value

EVALUATORS = "evaluators"
_Entries = list[Any]


class PlacedEvaluator(Struct, frozen=True):
    """One evaluator with its settings, and the cases that it judges."""

    use: EvaluatorUse
    cases: tuple[str, ...]


class EvaluatorPlaces(Struct, frozen=True):
    """The cases of one file, as it was read: each edit is made only while the file is as it was.

    Every method that makes an edit raises UserError when it makes no sense.
    """

    file: Path
    content: bytes
    kind: type[CaseBody]
    """Of its cases."""
    case_ids: tuple[str, ...] = ()
    """Of the cases that are meant; empty for all cases of the file."""

    @property
    def name(self) -> str:
        return self.case_ids[0] if self.is_of_one else self.file.name

    @property
    def is_of_one(self) -> bool:
        """Whether one case is meant by its name."""
        return len(self.case_ids) == 1

    @property
    def case_count(self) -> int:
        return len(self._cases())

    def placed(self) -> tuple[PlacedEvaluator, ...]:
        """In the order of the file; alike are those of the same type with the same settings."""
        found: dict[str, tuple[EvaluatorUse, list[str]]] = {}
        for _, case in self._cases():
            for entry in _entries(case):
                use = _use(entry)
                if use is not None:
                    found.setdefault(_identity(use), (use, []))[1].append(_id_of(case))
        return tuple(PlacedEvaluator(use, tuple(cases)) for use, cases in found.values())

    def added(self, use: EvaluatorUse) -> FileEdit:
        """To every case that does not have it yet."""

        def change(entries: _Entries) -> _Entries:
            return entries if _has(entries, use) else [*entries, _written(use)]

        return self._edited(f"Add `{use.type}` to `{self.name}`", change)

    def changed(self, before: EvaluatorUse, after: EvaluatorUse) -> FileEdit:
        """Other settings wherever it stands with these."""

        def change(entries: _Entries) -> _Entries:
            return [_resettled(entry, after) if _is(entry, before) else entry for entry in entries]

        return self._edited(f"Configure `{before.type}` of `{self.name}`", change)

    def removed(self, use: EvaluatorUse) -> FileEdit:
        """From every case that has it with these settings."""

        def change(entries: _Entries) -> _Entries:
            return [entry for entry in entries if not _is(entry, use)]

        return self._edited(f"Remove `{use.type}` from `{self.name}`", change)

    def _edited(self, title: str, change: Callable[[_Entries], _Entries]) -> FileEdit:
        after = self.content
        for path, case in self._cases():
            entries = _entries(case)
            wanted = change(entries)
            if canonical(wanted) == canonical(entries):
                continue
            if wanted:
                after = replace_value(after, (*path, EVALUATORS), wanted)
                continue
            rest = {key: value for key, value in case.items() if key != EVALUATORS}
            self._refuse_unjudged(rest)
            after = replace_value(after, path, rest)
        if after == self.content:
            raise UserError("Nothing changes: it says so already.")
        return file_edit(self.file, self.content, after, title)

    def _refuse_unjudged(self, case: dict[str, Any]) -> None:
        """A case that nothing judges would be a mistake in the file."""
        besides = BESIDES[self.kind]
        if not besides.judges(case):
            hint = f"Add another evaluator first, or write `{besides.key}` into the file."
            raise UserError(f"Nothing else judges `{_id_of(case)}`.", hint)

    def _cases(self) -> list[tuple[KeyPath, dict[str, Any]]]:
        value = read_value(self.content)
        prefix: KeyPath = ()
        for key in ("cases", "scenarios"):
            if isinstance(value, dict) and isinstance(value.get(key), list):
                prefix, value = (key,), value[key]
        listed = isinstance(value, list)
        items = value if isinstance(value, list) else [value]
        found: list[tuple[KeyPath, dict[str, Any]]] = [
            ((*prefix, index) if listed else (), case)
            for index, case in enumerate(items)
            if isinstance(case, dict) and (not self.case_ids or _id_of(case) in self.case_ids)
        ]
        if not found:
            what = f"`{self.name}` is no longer" if self.is_of_one else "There is no such case"
            raise UserError(f"{what} in the file.", "It is read again when you save it.")
        return found


class _Besides(Struct, frozen=True):
    """What judges a case besides evaluators, as its file has it."""

    judges: Callable[[dict[str, Any]], bool]
    key: str = ""
    """That which may be written where nothing does."""


def _by_expect(case: dict[str, Any]) -> bool:
    return case.get("expect") is not None or bool(case.get("rubric"))


def _by_criteria(case: dict[str, Any]) -> bool:
    criteria = (case.get("successCriteria"), case.get("failureCriteria"))
    return any(isinstance(one, str) and one.strip() for one in criteria)


BESIDES: Mapping[type[CaseBody], _Besides] = {
    ContractCase: _Besides(_by_expect, "expect"),
    RubricCase: _Besides(_by_expect, "expect"),
    ScenarioCase: _Besides(_by_criteria, "successCriteria"),
    TraceCase: _Besides(lambda _: True),  # its judges
}


def _id_of(case: dict[str, Any]) -> str:
    return str(case.get("id") or case.get("case_id") or case.get("name") or "")


def _entries(case: dict[str, Any]) -> _Entries:
    entries = case.get(EVALUATORS)
    if entries is not None and not isinstance(entries, list):
        what = f"`{EVALUATORS}` of `{_id_of(case)}` is not a list."
        raise UserError(what, "Correct the file first.")
    return entries or []


def _use(entry: Any) -> EvaluatorUse | None:
    """`None` for what is no evaluator; it stays as it is."""
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
        return None
    config = entry.get("config")
    return EvaluatorUse(entry["type"], config if isinstance(config, dict) else {})


def _identity(use: EvaluatorUse) -> str:
    return canonical([use.type, use.config])


def _is(entry: Any, wanted: EvaluatorUse) -> bool:
    use = _use(entry)
    return use is not None and _identity(use) == _identity(wanted)


def _has(entries: _Entries, use: EvaluatorUse) -> bool:
    return any(_is(entry, use) for entry in entries)


def _written(use: EvaluatorUse) -> dict[str, Any]:
    return {"type": use.type, "config": dict(use.config)} if use.config else {"type": use.type}


def _resettled(entry: dict[str, Any], use: EvaluatorUse) -> dict[str, Any]:
    """With other settings; whatever else stands there stays."""
    if use.config:
        return entry | {"config": dict(use.config)}
    return {key: value for key, value in entry.items() if key != "config"}
