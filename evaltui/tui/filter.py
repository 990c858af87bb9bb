"""The filter language of the cases pane: `status:failed tool:get_weather !tag some text`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from evaltui.core.case import Tier
from evaltui.store.row import Phase, Row, Standing

Test: TypeAlias = Callable[[Row], bool]

PROBLEMS = frozenset({Standing.REGRESSED, Standing.FAILED, Standing.ERROR})


class View(StrEnum):
    """What `F` cycles through."""

    ALL = "all"
    PROBLEMS = "problems"
    REGRESSIONS = "regressions"
    STALE = "stale"
    FLAKY = "flaky"

    def shows(self, row: Row) -> bool:
        match self:
            case View.ALL:
                return True
            case View.PROBLEMS:
                return row.standing in PROBLEMS
            case View.REGRESSIONS:
                return row.regressed
            case View.STALE:
                return row.is_stale
            case View.FLAKY:
                return row.is_flaky

    def next(self) -> "View":
        views = list(View)
        return views[(views.index(self) + 1) % len(views)]


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter as parsed; all of its terms must hold."""

    text: str = ""
    tests: tuple[Test, ...] = ()
    mistake: str = ""
    """What could not be understood, and what can be written instead; the rest still filters."""

    def matches(self, row: Row) -> bool:
        return all(test(row) for test in self.tests)


def parse(text: str) -> Filter:
    """Read a filter. A mistake never raises: the term is left out and named."""
    tests: list[Test] = []
    mistakes: list[str] = []
    for word in _words(text):
        is_negated = word[0] in "!-" and len(word) > 1
        term = word[1:] if is_negated else word
        try:
            test = _test(term)
        except ValueError as error:
            mistakes.append(str(error))
            continue
        tests.append(_negated(test) if is_negated else test)
    return Filter(text.strip(), tuple(tests), "; ".join(mistakes))


def _test(term: str) -> Test:
    name, colon, value = term.partition(":")
    if not colon or name.lower() not in FIELDS:
        if colon and name.isalpha() and value and "/" not in value:
            raise ValueError(f"`{name}:` is unknown; there is {', '.join(FIELDS)}")
        return _contains(term.lower())
    values = [part for part in value.lower().split(",") if part]
    if not values:
        return lambda _: True  # still being typed
    return FIELDS[name.lower()](values)


def _status(values: list[str]) -> Test:
    tests = [_one_status(value) for value in values]
    return lambda row: any(test(row) for test in tests)


def _one_status(value: str) -> Test:
    found = [state for state in _STATES if state.startswith(value)]
    if not found:
        raise ValueError(f"`{value}` is no status; there is {', '.join(_STATES)}")
    return _STATES[value if value in _STATES else found[0]]


def _tier(values: list[str]) -> Test:
    known = [tier for tier in Tier if any(tier.startswith(value) for value in values)]
    if not known:
        raise ValueError(f"`{values[0]}` is no tier; there is {', '.join(Tier)}")
    return lambda row: row.case.tier in known


def _tool(values: list[str]) -> Test:
    wanted = [value.replace("-", "_") for value in values]

    def test(row: Row) -> bool:
        names = tools_of(row)
        return any(value in name for value in wanted for name in names)

    return test


def _suite(values: list[str]) -> Test:
    return lambda row: any(value in row.key.suite.lower() for value in values)


def _id(values: list[str]) -> Test:
    return lambda row: any(value in row.key.case.lower() for value in values)


def _tag(values: list[str]) -> Test:
    return lambda row: any(value in tag for value in values for tag in tags_of(row))


def tools_of(row: Row) -> set[str]:
    """Names in lower snake case of the tools that a case names, by its suite or expectation."""
    names = {row.suite.tool_name}
    expect = row.case.expect or {}
    for key in ("toolsCalled", "toolsAcceptable", "toolsNotCalled"):
        value = expect.get(key)
        for item in value if isinstance(value, list) else ():
            names.update(str(name) for name in (item if isinstance(item, list) else [item]))
    return {name.replace("-", "_").lower() for name in names}


def tags_of(row: Row) -> list[str]:
    """Tags, difficulty and tier of a case, in lower case."""
    tags = row.case.extra.get("tags")
    written = [str(tag).lower() for tag in tags] if isinstance(tags, list) else []
    return [*written, row.case.difficulty.lower(), row.case.tier.value]


def _contains(text: str) -> Test:
    def test(row: Row) -> bool:
        case, result = row.case, row.result
        return (
            text in case.key.case.lower()
            or text in case.description.lower()
            or text in case.message.lower()
            or text in row.suite.tool_name.lower()
            or (result is not None and text in result.error.lower())
            or text in tags_of(row)
        )

    return test


def _negated(test: Test) -> Test:
    return lambda row: not test(row)


def _words(text: str) -> list[str]:
    """Split at blanks; double quotes hold a phrase together."""
    words: list[str] = []
    word, is_quoted = "", False
    for letter in text:
        if letter == '"':
            is_quoted = not is_quoted
        elif letter.isspace() and not is_quoted:
            words.append(word)
            word = ""
        else:
            word += letter
    return [word for word in (*words, word) if word]


_STATES: dict[str, Test] = {
    "failed": lambda row: row.standing in (Standing.FAILED, Standing.REGRESSED),
    "passed": lambda row: row.result is not None and row.result.status == "passed",
    "error": lambda row: row.standing is Standing.ERROR,
    "regressed": lambda row: row.regressed,
    "stale": lambda row: row.is_stale,
    "flaky": lambda row: row.is_flaky,
    "skipped": lambda row: row.standing is Standing.SKIPPED,
    "new": lambda row: row.newly_passed,
    "unknown": lambda row: row.result is None,
    "muted": lambda row: row.result is not None and bool(row.result.muted),
    "queued": lambda row: row.phase is Phase.QUEUED,
    "running": lambda row: row.phase is Phase.RUNNING,
    "problem": lambda row: row.standing in PROBLEMS,
}
FIELDS: dict[str, Callable[[list[str]], Test]] = {
    "status": _status,
    "is": _status,
    "tool": _tool,
    "tier": _tier,
    "suite": _suite,
    "id": _id,
    "tag": _tag,
}
