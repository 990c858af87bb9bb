"""Changes of what is pinned as they are written to the files, and taken back."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.atomic import safe_path, sweep, write_atomic
from evaltui.disk.baselines.pin_list import PinList
from evaltui.disk.baselines.pinned import refuse_unreadable
from evaltui.disk.baselines.pinned_copy import exchanged
from evaltui.disk.baselines.pins import PINS, Pin, PinKey, encode_pins, told_by_copy
from evaltui.disk.file_lock import writing_in
from evaltui.disk.results.result_file import decode_suite_result
from evaltui.files import RESULTS_LIMIT, is_there, read_file


class PinChange(Struct, frozen=True):
    """The files that a pin or unpin wrote, before and after; both directions are safe to repeat."""

    message: str
    undo: Callable[[], None]
    redo: Callable[[], None]


class WrittenPins:
    """Writes pins and their copies, and has the list know of it. Methods raise OSError."""

    def __init__(self, listed: PinList) -> None:
        self._listed = listed

    def path(self, name: str, agent: str, suite: str) -> Path:
        return safe_path(
            self._listed.folder, name, agent, suite.removesuffix(".json"), suffix=".json"
        )

    def commit(
        self,
        message: str,
        files: Mapping[Path, bytes | None],
        pins: Mapping[PinKey, Pin | None],
        only: Collection[CaseKey] | None,
    ) -> PinChange:
        """Write the change; the lock is held.

        It touches its own pins only, also when undone, and of a suite `only` these cases.
        """
        before_files = {path: _content(path) for path in files}
        before_pins = {key: self._listed.pin(*key) for key in pins}

        def again(
            left: Mapping[Path, bytes | None],
            files: Mapping[Path, bytes | None],
            pins: Mapping[PinKey, Pin | None],
        ) -> Callable[[], None]:
            def write() -> None:
                with writing_in(self._listed.folder):
                    self._listed.reload()
                    self._write(*self._beside_others(left, files, pins, only))

            return write

        self._write(files, pins)
        return PinChange(
            message,
            undo=again(files, before_files, before_pins),
            redo=again(before_files, files, pins),
        )

    def _beside_others(
        self,
        left: Mapping[Path, bytes | None],
        files: Mapping[Path, bytes | None],
        pins: Mapping[PinKey, Pin | None],
        only: Collection[CaseKey] | None,
    ) -> tuple[Mapping[Path, bytes | None], Mapping[PinKey, Pin | None]]:
        """What to write so that cases which others pinned or unpinned meanwhile stay as they are.

        `left` is what the step before wrote: where it still stands, nobody else did anything.
        Raises UserError where a copy that was changed meanwhile cannot be read.
        """
        files, pins = dict(files), dict(pins)
        then = {self._listed.folder / pin.file: pin for pin in pins.values() if pin}
        by_now = {self._listed.folder / pin.file: pin for pin in self._listed}
        for path, wanted in files.items():
            now = _content(path)
            pin = by_now.get(path) or then.get(path)
            if now == left[path] or pin is None:
                continue
            refuse_unreadable(self._listed.folder, pin)
            if only is not None:
                here, there = _told(now, pin), _told(wanted, then.get(path))
                files[path] = exchanged(here, there, only)
                pins[pin.key] = pin if files[path] is not None else None
        return files, pins

    def _write(
        self, files: Mapping[Path, bytes | None], changed: Mapping[PinKey, Pin | None]
    ) -> None:
        """The list last: a copy without its entry is harmless, an entry without its copy is not.

        Entries of others whose copies are gone go too.
        """
        for folder in {self._listed.folder, *(path.parent for path in files)}:
            sweep(folder)
        for path, content in files.items():
            if content is not None:
                write_atomic(path, content)
        known = {pin.key: pin for pin in self._listed}
        pins = {
            key: pin
            for key, pin in {**known, **changed}.items()
            if pin is not None and (key in changed or is_there(self._listed.folder / pin.file))
        }
        write_atomic(self._listed.folder / PINS, encode_pins(pins.values()))
        self._listed.take(pins.values())
        for path, content in files.items():
            if content is None:
                path.unlink(missing_ok=True)


def _told(content: bytes | None, pin: Pin | None) -> SuiteResult | None:
    """A copy, with what its pin says of it."""
    result = None if content is None else decode_suite_result(content)
    return told_by_copy(pin, result) if pin and result else result


def _content(path: Path) -> bytes | None:
    try:
        return read_file(path, RESULTS_LIMIT)
    except FileNotFoundError:
        return None
