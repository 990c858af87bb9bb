"""What a save changed in the cases, in words: `gs-find-order-001 message`, `2 cases added`."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.suite import Suite

_WORDS = {"expect": "expectation", "body": "kind"}
"""What a person calls a field, where that is not its name."""
_UNSAID = frozenset({"key", "line", "extra"})
"""What may differ in a case that says the same."""


def case_changes(before: Iterable[Suite], now: Iterable[Suite]) -> tuple[str, ...]:
    """Between two readings, edited cases first, then those that came, then those that went.

    A suite that was not read again is the same object and not gone through; nor is one that could
    not be read before, of which nothing but the names of its cases was known.
    """
    then = {suite.id: suite for suite in before}
    edited: dict[str, tuple[str, ...]] = {}
    came: list[str] = []
    gone: list[str] = []
    for suite in now:
        was = then.pop(suite.id, None)
        if was is suite or (was is not None and was.is_unread):
            continue
        known = {case.id: case for case in was.cases} if was is not None else {}
        for case in suite.cases:
            earlier = known.pop(case.id, None)
            if earlier is None:
                came.append(case.id)
            elif not case.is_same_reading(earlier) and (fields := tuple(_fields(earlier, case))):
                edited[case.id] = fields
        gone += known
    gone += [case.id for suite in then.values() for case in suite.cases]
    said = (_edited(edited), _counted(came, "added"), _counted(gone, "removed"))
    return tuple(words for words in said if words)


def is_metadata_alone(files: Iterable[str], before: Iterable[Suite], now: Iterable[Suite]) -> bool:
    """Whether these are suites of which nothing differs between two readings but for which
    description of their tool they say that they were written."""
    then, after = ({suite.id: suite for suite in suites} for suites in (before, now))
    return all(
        file in then
        and file in after
        and then[file].metadata != after[file].metadata
        and _without_metadata(then[file]) == _without_metadata(after[file])
        for file in files
    )


def _without_metadata(suite: Suite) -> Suite:
    cases = tuple(replace(case, line=0) for case in suite.cases)
    return replace(suite, cases=cases, file_hash="", metadata=None)


def _fields(before: Case, now: Case) -> Iterator[str]:
    pairs = (before, now), (before.body, now.body)
    for one, other in pairs if before.body != now.body else pairs[:1]:
        if type(one) is not type(other):
            yield _WORDS["body"]
            return
        for name in one.__struct_fields__:
            is_said = name not in _UNSAID and name != "body"
            if is_said and getattr(one, name) != getattr(other, name):
                yield _WORDS.get(name, name.replace("_", " "))


def _edited(cases: dict[str, tuple[str, ...]]) -> str:
    """`gs-find-order-001 message`, `4 cases expectation`, `3 cases`."""
    if not cases:
        return ""
    fields = set(cases.values())
    what = ", ".join(next(iter(fields))) if len(fields) == 1 else ""
    return f"{_named([*cases])} {what}".rstrip()


def _counted(cases: Sequence[str], what: str) -> str:
    return f"{_named(cases)} {what}" if cases else ""


def _named(cases: Sequence[str]) -> str:
    return cases[0] if len(cases) == 1 else f"{len(cases):,} cases"
