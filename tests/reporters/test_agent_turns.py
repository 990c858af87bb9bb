"""The console tells of one agent after the other, whatever order they answer in."""

import io
import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from evaltui.core.events import CaseFinished, Event, ProjectRead, RunFinished
from evaltui.core.result import CaseStatus
from evaltui.reporters.console import ConsoleReporter
from evaltui.reporters.markdown import MarkdownReporter
from tests.reporters.scene import events, result, suite, tell

SUITES = [suite(name, [f"{name}-{n}" for n in range(3)]) for name in ("one", "two")]
AGENTS = ("embedded/2", "careless", "sonnet")


def heard_of(agent: str) -> list[Event]:
    results = [result(one, case.id, agent=agent) for one in SUITES for case in one.cases]
    return events(SUITES, results, agent=agent)


def mixed(seed: int) -> list[Event]:
    """The project is read and all runs begin; then each agent's events in its own order."""
    runs = {agent: heard_of(agent) for agent in AGENTS}
    told = [next(iter(runs.values()))[0], *(run[1] for run in runs.values())]
    rest = {agent: run[2:] for agent, run in runs.items()}
    by_chance = random.Random(seed)
    while left := [agent for agent, waiting in rest.items() if waiting]:
        told.append(rest[by_chance.choice(left)].pop(0))
    return told


def printed(told: Sequence[Event]) -> list[str]:
    out = io.StringIO()
    tell(ConsoleReporter(out), told)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("seed", range(6))
def test_each_agent_has_its_suites_once_and_then_their_sum(seed: int) -> None:
    lines = [line for line in printed(mixed(seed)) if line.startswith(("═══", "All "))]
    names = {agent for agent in AGENTS for line in lines[:1] if agent in line}
    order = [next(agent for agent in AGENTS if agent in line) for line in lines]
    assert order[:3] == [*names] * 3
    assert [order.count(agent) for agent in AGENTS] == [3, 3, 3]
    assert all(order[at] == order[at + 1] == order[at + 2] for at in (0, 3, 6)), lines
    assert [line.startswith("All 2 suites of") for line in lines] == [False, False, True] * 3


def test_what_is_current_streams_and_the_next_is_shown_as_soon_as_its_turn_comes() -> None:
    out = io.StringIO()
    reporter = ConsoleReporter(out)
    first, second = heard_of(AGENTS[0]), heard_of(AGENTS[1])
    for event in (*first[:3], second[1], second[2], second[3]):
        reporter.handle(event)
    assert "one-0" in out.getvalue() and AGENTS[1] not in out.getvalue()
    for event in first[3:]:
        reporter.handle(event)
    assert isinstance(first[-1], RunFinished)
    *_, last = [line for line in out.getvalue().splitlines() if "one-1" in line]
    assert "✓ one-1" in last
    assert out.getvalue().count("═══ one") == 2
    reporter.handle(second[4])
    assert out.getvalue().count("✓ one-2") == 2


def test_of_runs_that_were_cut_off_everything_is_told() -> None:
    def is_left(event: Event) -> bool:
        is_last = isinstance(event, CaseFinished) and event.result.key.case == "two-2"
        return not is_last and not isinstance(event, RunFinished)

    lines = printed([*filter(is_left, mixed(0))])
    assert sum("✓" in line for line in lines) == 5 * len(AGENTS)
    assert "The run was cut off" in lines[-1]


def test_a_run_of_one_agent_after_its_first_is_told_as_it_comes() -> None:
    run = heard_of(AGENTS[0])
    again = [
        replace(event, result=replace(event.result, run_id="run-2"))
        if isinstance(event, CaseFinished)
        else event
        for event in run[1:]
    ]
    assert sum("✓" in line for line in printed([*run, *again])) == 12


@pytest.mark.parametrize("begins", [0, 1])
def test_an_agent_is_held_against_the_first_of_the_project_whichever_begins(begins: int) -> None:
    runs = [heard_of(agent) for agent in AGENTS[:2]]
    (read, *_), _ = runs
    assert isinstance(read, ProjectRead)
    told = [replace(read, agents=AGENTS), *runs[begins][1:], *runs[1 - begins][1:]]
    (line,) = [line for line in printed(told) if " against " in line]
    assert line.startswith(f"{AGENTS[1]} against {AGENTS[0]}: mean difference")


def test_a_muted_case_is_no_difference_between_agents() -> None:
    results = [result(one, case.id, agent=AGENTS[0]) for one in SUITES for case in one.cases]
    fallen = [replace(result(SUITES[0], "one-0", CaseStatus.FAILED), passes=0), *results[1:]]
    fallen = [replace(one, agent=AGENTS[1]) for one in fallen]
    sides = (events(SUITES, results, agent=AGENTS[0]), events(SUITES, fallen, agent=AGENTS[1]))
    (read, *first), (_, *second) = sides
    assert isinstance(read, ProjectRead)
    name = str(fallen[0].key)
    for mutes, told, is_said in (({}, "lost 1, ", False), ({name: "why"}, "lost 0, ", True)):
        heard = [replace(read, mutes=mutes, agents=AGENTS), *first, *second]
        out = io.StringIO()
        tell(MarkdownReporter(out), heard)
        for lines in (printed(heard), out.getvalue().splitlines()):
            (at,) = [n for n, line in enumerate(lines) if " against " in line]
            assert told in lines[at]
            assert ("without 1 muted case" in "\n".join(lines[at:])) is is_said
