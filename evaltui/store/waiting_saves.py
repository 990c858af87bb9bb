"""For which saves cases are due that wait for a key, as where asking costs money."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.staleness import DueCase
from evaltui.store.row import Row


class WaitingSaves(Struct):
    """The one owner of which files a run names that somebody asks for."""

    _files: dict[CaseKey, tuple[str, ...]] = field(default_factory=dict)
    """Of the saves that made each case due since it ran last, in the order of the saves."""

    def note(
        self, files: tuple[str, ...], made: Iterable[DueCase], rows: Mapping[CaseKey, Row]
    ) -> None:
        """The saves of these made these due; `rows`: as they were due until then."""
        due = (key for key in self._files if key in rows and rows[key].due is not None)
        self._files = {key: self._files[key] for key in due}
        for case in made:
            before = self._files.get(case.key, ())
            self._files[case.key] = tuple(dict.fromkeys((*before, *files)))

    def forget(self, key: CaseKey) -> None:
        """The case ran: it waits for nothing any more."""
        self._files.pop(key, None)

    def files_of(self, keys: Iterable[CaseKey], rows: Mapping[CaseKey, Row]) -> tuple[str, ...]:
        """Each file once, in the order in which they were saved first."""
        wanted = {key for key in keys if key in rows and rows[key].due is not None}
        found = (files for key, files in self._files.items() if key in wanted)
        return tuple(dict.fromkeys(file for files in found for file in files))
