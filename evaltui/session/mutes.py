"""The mutes in force: those of the settings, and those that a key set in any process."""

from collections.abc import Mapping
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import CaseMuted
from evaltui.core.mutes import in_force
from evaltui.disk.mutes import FILE, load_mutes, reread_mutes, set_mutes
from evaltui.files import stamp
from evaltui.session.damage_reports import DamageReports
from evaltui.session.event_bus import EventBus
from evaltui.session.settings_in_force import SettingsInForce


class Mutes:
    """What is muted by a key is kept in a file; what the settings mute stands there."""

    def __init__(
        self, folder: Path, settings: SettingsInForce, events: EventBus, damage: DamageReports
    ) -> None:
        self.file = folder / FILE
        self._settings = settings
        self._events = events
        self._damage = damage
        self._own: dict[str, str] = {}
        self._stamp = (0, 0)
        self._unread: tuple[Problem, ...] = ()

    @property
    def reasons(self) -> dict[str, str]:
        """By `suite::case`, from the settings and from the keyboard."""
        return in_force(self._settings.config.mutes, self._own)

    def own(self, key: CaseKey) -> str:
        """The reason for which a key muted the case, not the settings; empty when none did."""
        return self._own.get(str(key), "")

    def load(self) -> None:
        """Read what was muted before. From any thread."""
        self._stamp = stamp(self.file)
        self._own = load_mutes(self.file, self._damage.report)

    def set(
        self, reasons: Mapping[CaseKey, str], expected: Mapping[CaseKey, str] | None = None
    ) -> None:
        """Mute cases, or unmute those with an empty reason. Raises UserError, also where a key,
        in any process, said something else of one than `expected`; then nothing changes."""
        path = self.file
        try:
            own = set_mutes(path, reasons, self._damage.report, expected)
        except OSError as error:
            what = f"`{path}` cannot be written: {error.strerror}."
            raise UserError(what, "Nothing was muted.") from error
        self._take(own)

    def follow(self) -> tuple[Problem, ...]:
        """Take in what other processes muted; called again and again. Returns why it cannot be
        read now, if so."""
        now = stamp(self.file)
        if now == self._stamp:
            return self._unread
        self._stamp = now
        try:
            own = reread_mutes(self.file)
        except (OSError, ValueError, RecursionError) as error:
            what = f"the mutes cannot be read now: {error}"
            hint = "Those that were read before stay in force until they can be."
            severity, code = Severity.WARNING, "mutes-unreadable"
            self._unread = (Problem(str(self.file), what, hint, severity=severity, code=code),)
        else:
            self._unread = ()
            self._take(own)
        return self._unread

    def _take(self, own: dict[str, str]) -> None:
        """From now on these are muted here; emit what that changes."""
        before, self._own = self.reasons, own
        after = self.reasons
        for name in sorted({name for name, _ in before.items() ^ after.items()}):
            if (key := CaseKey.parse(name)).case:
                self._events.emit(CaseMuted(key, after.get(name, "")))
