"""What a case mentions: tools, and values of the seed and the snapshot."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from evaltui.core.case import Case
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.result import CaseResult
from evaltui.core.tool import same_tool_name
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.assertion import Assertion
from evaltui.expectations.tokens import Token, find_tokens


def asserted(expect: JsonObject | None) -> list[tuple[type[Assertion], Json]]:
    """The assertions of an `expect` with their values, in the order written; null is absent."""
    return [
        (assertion, value)
        for key, value in (expect or {}).items()
        if value is not None and (assertion := ASSERTIONS.get(key)) is not None
    ]


def asserted_tools(expect: JsonObject | None) -> set[str]:
    """Every tool that the assertions name, as written there."""
    names: set[str] = set()
    for assertion, value in asserted(expect):
        names.update(*assertion.tools(value))
    return names


def mentioned_tools(case: Case) -> frozenset[str]:
    """Every tool named in the expectations or stubs of a case, as written there."""
    return _shared(frozenset(asserted_tools(case.expect).union(case.stubs or ())))


@lru_cache(1024)
def _shared(names: frozenset[str]) -> frozenset[str]:
    """One set for all cases that mention the same: they are kept for each case."""
    return names


def wanted_tools(case: Case) -> frozenset[str]:
    """Tools that are expected, acceptable, asserted on or stubbed."""
    found = [assertion.tools(value).wanted for assertion, value in asserted(case.expect)]
    return frozenset(case.stubs or ()).union(*found)


def forbidden_tools(case: Case) -> frozenset[str]:
    """Tools that may not be called."""
    found = [assertion.tools(value).forbidden for assertion, value in asserted(case.expect)]
    return frozenset().union(*found)


def main_tool(case: Case, suite_tool: str) -> str:
    """The tool that a case is about: that of its suite where it is wanted, or none is; else the
    first that is. The cases of a labeled suite may each be about another one."""
    found = [name for one, value in asserted(case.expect) for name in one.tools(value).wanted]
    if not found or any(same_tool_name(name, suite_tool) for name in found):
        return suite_tool
    return found[0]


def tools_at_issue(case: Case, result: CaseResult | None) -> tuple[str, ...]:
    """The tools to look at first, each once: those of the first verdict that gates, else those
    expected, else those called."""
    verdicts = result.verdicts if result else ()
    gating = next((verdict for verdict in verdicts if verdict.gates), None)
    values = dict(asserted(case.expect))
    found: list[str] = []
    if gating is not None:
        for assertion, value in values.items():
            if assertion.name == gating.check:
                found += assertion.tools_at_issue(value, gating)
    if not found:
        found = [name for one, value in values.items() for name in one.tools(value).wanted]
    if not found and result is not None and result.response is not None:
        found = [call.name for call in result.response.tool_calls]
    return tuple(dict.fromkeys(found))


def expected_of(case: Case) -> Expected:
    """What an agent may be told of the expectations, by all assertions together."""
    each = (assertion.disclosed(value) for assertion, value in asserted(case.expect))
    found = [one for one in each if one is not NOTHING_EXPECTED]
    outputs = [one.output for one in found if one.output is not None]
    return Expected(
        tuple(dict.fromkeys(name for one in found for name in one.required_tools)),
        tuple(dict.fromkeys(name for one in found for name in one.forbidden_tools)),
        any(one.forbids_all_tools for one in found),
        _by_tool(one.required_params for one in found),
        _by_tool(one.forbidden_params for one in found),
        outputs[0] if len(outputs) == 1 else None,
    )


def _by_tool(parts: Iterable[Mapping[str, tuple[str, ...]]]) -> Mapping[str, tuple[str, ...]]:
    merged: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for tool, params in part.items():
            merged[tool] = tuple(dict.fromkeys((*merged.get(tool, ()), *params)))
    return merged


def seed_paths(case: Case) -> tuple[str, ...]:
    """The seed paths a case depends on, each once, sorted."""
    return tuple(sorted({token.path for token in _tokens(case) if token.source == "seed"}))


def needs_snapshot(case: Case) -> bool:
    """Whether something is expected of live values."""
    return any(token.source == "snapshot" for token in _tokens(case))


def _tokens(case: Case) -> Iterator[Token]:
    """The tokens of a case where tokens count (requirement 16)."""
    for assertion, value in asserted(case.expect):
        if assertion.replaces_tokens_in:
            for _, text in assertion.texts(value):
                yield from find_tokens(text)
