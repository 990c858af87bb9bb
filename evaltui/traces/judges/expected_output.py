"""Judges that hold the final output against `expected_output`."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import ClassVar

from evaltui.core.case import TraceCase
from evaltui.core.json_or_text import json_or_text
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.near_numbers import is_near
from evaltui.core.reported_number import finite
from evaltui.core.same_json import canonical
from evaltui.core.verdict import Verdict
from evaltui.traces.final_output import final_output
from evaltui.traces.judges.judge import EMPTY, NO_OUTPUT, Judge, limit_of

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_SPACES = re.compile(r"\s+")
OTHER = "final output is not the expected one"
MOST_STEPS = 1_000_000
"""Values that are held against one another in one case: a few seconds."""
_ENTANGLED = "lists within lists could be the expected ones in too many ways to try them all"


class ExpectedJudge(Judge):
    """What the kinds of comparison share."""

    how: ClassVar[str]

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        return () if case.expected_output is None else [case.expected_output]

    def judge(self, case: TraceCase) -> Verdict:
        if case.expected_output is None:
            return self.skipped("no expected output")
        output = final_output(case)
        evidence: dict[str, Json] = {"expected": case.expected_output, "actual": output}
        if output is None:
            return self.failed(NO_OUTPUT, evidence, category="agent_error")
        try:
            is_held = self.holds(case.expected_output, output)
        except EntangledError:
            return self.failed(_ENTANGLED, evidence, category="judge_error")
        if is_held:
            return self.passed(f"final output {self.how} the expected one", evidence)
        why, seen = self.seen(case.expected_output, output)
        return self.failed(why, {**evidence, **seen})

    def holds(self, expected: Json, output: Json) -> bool:
        raise NotImplementedError

    def seen(self, expected: Json, output: Json) -> tuple[str, JsonObject]:  # noqa: ARG002
        """Why the output is not the expected one, and the evidence of it besides the two."""
        return OTHER, EMPTY


class ExpectedOutputJudge(ExpectedJudge):
    """For cases that say nothing else of the output: the expected text is in it, or it is equal."""

    name = "expected_output"
    how = "holds"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        is_judged = cls.is_asked(case) and not cls._is_in_every_output(case)
        return super().demands(case) if is_judged else ()

    @classmethod
    def is_asked(cls, case: TraceCase) -> bool:
        """Whether what is expected of the output is for this judge to look at."""
        return case.expected_output is not None and not cls._is_said_otherwise(case)

    @staticmethod
    def _is_said_otherwise(case: TraceCase) -> bool:
        return bool(case.regex_patterns or case.json_schema)

    @staticmethod
    def _is_in_every_output(case: TraceCase) -> bool:
        expected = case.expected_output
        return isinstance(expected, str) and not normalized(expected)

    def judge(self, case: TraceCase) -> Verdict:
        if self._is_said_otherwise(case):
            return self.skipped("patterns or a schema judge the output")
        if self._is_in_every_output(case):
            return self.skipped("an empty expected output is in every output")
        return super().judge(case)

    def holds(self, expected: Json, output: Json) -> bool:
        if isinstance(expected, str) and isinstance(output, str):
            return normalized(expected) in normalized(output)
        return is_subset(_value(expected), _value(output))


class ExactJudge(ExpectedJudge):
    name = "expected_exact"
    how = "equals"

    def holds(self, expected: Json, output: Json) -> bool:
        return canonical(expected) == canonical(output)


class NormalizedJudge(ExpectedJudge):
    """Case and white space do not count."""

    name = "expected_normalized"
    how = "equals"

    def holds(self, expected: Json, output: Json) -> bool:
        return normalized(_text(expected)) == normalized(_text(output))


class NumericJudge(ExpectedJudge):
    """One number each, within `tolerance` or `relative_tolerance` of the expected one."""

    name = "expected_numeric"
    how = "equals"

    def holds(self, expected: Json, output: Json) -> bool:
        wanted, got = number_in(expected), number_in(output)
        if wanted is None or got is None:
            return False
        # Multiplied as doubles they may be beyond what one holds, or lose a little.
        relative = Fraction(limit_of(self.config, "relative_tolerance", 0.0)) * abs(
            Fraction(wanted)
        )
        absolute = Fraction(limit_of(self.config, "tolerance", 1e-9))
        return is_near(got, wanted, max(absolute, relative))

    def seen(self, expected: Json, output: Json) -> tuple[str, JsonObject]:
        """The numbers that were read, as they are written: `1,200.5` is two."""
        numbers: dict[str, Json] = {
            "expected_numbers": numbers_in(expected),
            "actual_numbers": numbers_in(output),
        }
        if number_in(expected) is None:
            return "expected output is not a single number", numbers
        if number_in(output) is None:
            return "final output does not hold a single number", numbers
        return OTHER, numbers


class SetJudge(ExpectedJudge):
    """The same items in any order and however often; a text is a list of what its commas and lines
    divide."""

    name = "expected_set"
    how = "has the items of"

    def holds(self, expected: Json, output: Json) -> bool:
        return items_of(expected) == items_of(output)


class JsonSubsetJudge(ExpectedJudge):
    """Everything expected is there; objects may have more keys, lists more items."""

    name = "expected_json_subset"
    how = "holds"

    def holds(self, expected: Json, output: Json) -> bool:
        return is_subset(_value(expected), _value(output))


def normalized(text: str) -> str:
    return _SPACES.sub(" ", text).strip().casefold()


def number_in(value: Json) -> int | float | None:
    """The number, or the only one in a text; a whole one is exact, of whatever size."""
    if not isinstance(value, str):
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        return finite(value)
    found = numbers_in(value)
    if len(found) != 1:
        return None
    try:
        return int(found[0])
    except ValueError:  # with a point or an exponent, or of more digits than Python reads
        return finite(float(found[0]))


def numbers_in(value: Json) -> list[str]:
    """All that a text or a number holds, as they are written."""
    if isinstance(value, str):
        return _NUMBER.findall(value)
    return [] if number_in(value) is None else [str(value)]


def items_of(value: Json) -> set[str]:
    value = _value(value)
    if isinstance(value, str):
        return {canonical(part.strip()) for part in re.split(r"[,\n]", value) if part.strip()}
    return {*map(canonical, value if isinstance(value, list | tuple) else [value])}


class EntangledError(Exception):
    """Lists in lists whose items could be told apart in too many ways."""


def is_subset(expected: Json, output: Json) -> bool:
    """Whether everything expected is there, lists in any order. Raises EntangledError."""
    return _Subset().holds(expected, output)


class _Subset:
    def __init__(self) -> None:
        self._steps = 0

    def holds(self, expected: Json, output: Json) -> bool:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise EntangledError
        if isinstance(expected, Mapping):
            return isinstance(output, Mapping) and all(
                key in output and self.holds(value, output[key]) for key, value in expected.items()
            )
        if isinstance(expected, list | tuple):
            return isinstance(output, list | tuple) and self._has_items(expected, output)
        return canonical(expected) == canonical(output)

    def _has_items(self, expected: Sequence[Json], output: Sequence[Json]) -> bool:
        """Equal ones are partners first: whoever fits one of these fits the other too."""
        places: dict[str, list[int]] = {}
        for place, one in enumerate(output):
            places.setdefault(canonical(one), []).append(place)
        wanted = [one for one in expected if not _taken(places, one)]
        rest = [output[place] for place in sorted(chain.from_iterable(places.values()))]
        return len(wanted) <= len(rest) and has_matching(
            len(wanted), len(rest), lambda at, place: self.holds(wanted[at], rest[place])
        )


def _taken(places: Mapping[str, list[int]], wanted: Json) -> bool:
    """Whether an equal one was left, which is taken."""
    equal = places.get(canonical(wanted))
    if equal:
        equal.pop()
        return True
    return False


def _value(value: Json) -> Json:
    """Of a text that holds a list or an object of JSON, that."""
    found = json_or_text(value) if isinstance(value, str) else value
    return found if isinstance(found, list | tuple | Mapping) else value


def _text(value: Json) -> str:
    return value if isinstance(value, str) else canonical(value)


def has_matching(count: int, others: int, fits: Callable[[int, int], bool]) -> bool:
    """Whether `count` things find a partner each among `others`; all go by their places.

    Whoever came first moves on to another partner where one that comes later needs his: the
    first that fits is not always the right one.
    """
    is_fit = cache(fits)
    partner: dict[int, int] = {}
    taken_by: dict[int, int] = {}
    for one in range(count):
        wanted_by: dict[int, int] = {}
        queue, free = [one], None
        for here in queue:  # grows while somebody would have to move on
            for other in range(others):
                if other in wanted_by or not is_fit(here, other):
                    continue
                wanted_by[other] = here
                if other not in taken_by:
                    free = other
                    break
                queue.append(taken_by[other])
            if free is not None:
                break
        while free is not None:
            mover = wanted_by[free]
            taken_by[free] = mover
            before = partner.get(mover)
            partner[mover] = free
            free = before
        if one not in partner:
            return False
    return True
