"""Notes about a record: unexpected shapes, and what could not be carried over."""

from collections.abc import Iterator

from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.usage import unreadable_figures, usage_attributes
from evaltui.traces.repeated_keys import repeated_keys


class Note(Struct, frozen=True):
    """Something of a record that could not be carried over, and where it stands in the record."""

    kind: str
    """Stable short name, e.g. `empty_trace`."""
    detail: str
    path: KeyPath = ()
    fields: tuple[str, ...] = ()


class Notes:
    """Reads objects, lists and counts of a record, and notes what is none."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def note(
        self, kind: str, detail: str, path: KeyPath = (), fields: tuple[str, ...] = ()
    ) -> None:
        self.notes.append(Note(kind, detail, path, fields))

    def parts(self, part: Part, *keys: str) -> Iterator[Part]:
        """The objects of the lists below these keys; what is no object is noted."""
        for key in keys:
            found = part.value.get(key)
            if found is None:
                continue
            if not isinstance(found, list):
                self.note("not_a_list", f"`{key}` is not a list", (*part.path, key))
                continue
            for index, item in enumerate(found):
                path = (*part.path, key, index)
                if isinstance(item, dict):
                    yield part.inner(item, key, index)
                else:
                    self.note("not_an_object", f"an entry of `{key}` is not an object", path)

    def object(self, part: Part, *keys: str) -> Part:
        """As `Part.part`; what stands there and is no object is noted, once however often read."""
        found = part.part(*keys)
        if not found.value:
            for key in keys:
                if part.value.get(key) and not isinstance(part.value[key], dict):
                    self._once("not_an_object", f"`{key}` is not an object", (*part.path, key))
        return found

    def used(self, part: Part, *keys: str) -> dict[str, Json]:
        """Attributes for the usage below the first of these keys that holds one."""
        found = self.object(part, *keys)
        self.note_figures(found)
        return usage_attributes(found)

    def note_figures(self, usage: Part) -> None:
        """Note each count of tokens and each cost that is none."""
        for key in unreadable_figures(usage):
            self._once(
                "unreadable_number", f"`{key}` is not a number of its kind", (*usage.path, key)
            )

    def note_repeated_keys(self, text: str, part: Part) -> None:
        """Note each key that stands twice in an object of a text that is JSON."""
        for path, _, _ in repeated_keys(text.encode("utf-8", "replace")):
            where = format_key(path)
            self.note("repeated_key", f"`{where}` is written twice in a text of JSON", part.path)

    def _once(self, kind: str, detail: str, path: KeyPath) -> None:
        if (one := Note(kind, detail, path)) not in self.notes:
            self.notes.append(one)
