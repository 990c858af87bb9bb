"""The list of what is pinned in one folder: which copies there are, as they were read last."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from evaltui.core.agent_name import is_other_version
from evaltui.core.errors import Problem, Severity
from evaltui.disk.baselines.pins import (
    DEFAULT,
    PINS,
    UNREADABLE,
    Pin,
    PinKey,
    read_pins,
    reread_pins,
)
from evaltui.files import stamp


class PinList:
    """Says which pins there are; what is written to the list is given to `take`."""

    def __init__(self, folder: Path, tell: Callable[[Problem], None]) -> None:
        """Of a folder that is not read yet: nothing is pinned. `tell` hears of damaged files."""
        self.folder = folder
        self.unread: Problem | None = None
        """Why the list cannot be read now, while those known before stay in force."""
        self._tell = tell
        self._pins: dict[PinKey, Pin] = {}
        self._places: tuple[Path, ...] = (folder / PINS,)
        """The list and the folders of the copies: all files are written anew under their name."""

    def __iter__(self) -> Iterator[Pin]:
        return iter(self._pins.values())

    def pin(self, agent: str, name: str, suite: str) -> Pin | None:
        return self._pins.get((agent, name, suite))

    def reload(self) -> None:
        """Read the pins again: other processes and version control change them too.

        A damaged list is made anew from the copies that stand beside it.
        """
        self.take(read_pins(self.folder, self._tell))

    def follow(self) -> bool:
        """Read the pins again while somebody else may be writing them.

        Returns whether they could be read; if not, those known stay, and the file is left alone.
        """
        try:
            self.take(reread_pins(self.folder))
        except (OSError, ValueError, RecursionError) as error:
            self.unread = Problem(
                str(self.folder / PINS),
                f"the pinned baselines cannot be read now: {error}",
                "Those that were read before stay in force until it can be read.",
                severity=Severity.WARNING,
                code=UNREADABLE,
            )
            return False
        return True

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """Another one once the list, or a copy that it names, was written by anybody."""
        return tuple(stamp(path) for path in self._places)

    def take(self, pins: Iterable[Pin]) -> None:
        """These are the pins, as they are on disk by now."""
        self.unread = None
        self._pins = {pin.key: pin for pin in pins}
        copies = {(self.folder / pin.file).parent for pin in self}
        self._places = (self.folder / PINS, *sorted(copies))

    def names(self, agent: str) -> tuple[str, ...]:
        """Names with at least one pin of this agent, the default first."""
        names = {pin.name for pin in self if pin.agent == agent}
        return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))

    def name_in_force(self, agent: str, wanted: str) -> str:
        """The name that settings want where something is pinned under it; it may be of a run."""
        is_pinned = any((pin.agent, pin.name) == (agent, wanted) for pin in self)
        return wanted if is_pinned else DEFAULT

    def agents(self, name: str | None = None) -> tuple[str, ...]:
        """Those of which something is pinned, under this name if one is given."""
        return tuple(dict.fromkeys(pin.agent for pin in self if name in (None, pin.name)))

    def pins(self, agent: str, name: str = DEFAULT) -> tuple[Pin, ...]:
        return tuple(pin for pin in self if (pin.agent, pin.name) == (agent, name))

    def of_other_versions(self, agent: str, name: str = DEFAULT) -> tuple[Pin, ...]:
        """What is pinned of earlier versions of the embedded agent and not of this one.

        It is never compared with: another version may decide otherwise.
        """
        own = {pin.suite for pin in self.pins(agent, name)}
        return tuple(
            pin
            for pin in self
            if pin.name == name and pin.suite not in own and is_other_version(pin.agent, agent)
        )
