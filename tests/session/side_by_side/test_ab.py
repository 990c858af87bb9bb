"""Two states side by side, in one run and in random order."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.ab_words import lines
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError, UserError
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.trials import Trials
from evaltui.session.money.estimate import Estimate, Estimator
from evaltui.store.faults import DOWN
from tests.project.commits.test_tools_at import git
from tests.projects import case, write_suite, write_tools
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import Simulated, World, simulate, simulated_project


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


async def test_both_sides_are_asked_in_random_order_that_a_seed_makes_again(
    tmp_path: Path, world: World
) -> None:
    root, orders = simulated_project(tmp_path, 4), list[list[tuple[str, str]]]()
    for seed in (1, 1, 2):
        async with opened(root, agent=["mine", "other"]) as (session, _):
            plan = await session.ab.plan("other", "mine", trials=3, seed=seed)
            report = await session.ab.run(plan)
        orders.append([(name, request.key.case) for name, request in world.asked])
        world.asked.clear()
        assert {str(pair.sides) for pair in report.pairs.values()} == {"3/3 → 3/3"}
    assert orders[0] == orders[1] != orders[2]
    names = [name for name, _ in orders[0]]
    assert names != sorted(names) and names != sorted(names, reverse=True)
    assert len({*orders[0][:8]}) == 8, "each case once on each side before any is asked again"


async def test_that_states_are_being_compared_is_known_as_long_as_they_are(
    tmp_path: Path, world: World
) -> None:
    async with opened(simulated_project(tmp_path, 1), agent=["mine", "other"]) as (session, _):
        during: list[bool] = []

        def rate(_name: str, _request: AgentRequest) -> float:
            during.append(session.is_comparing)
            return 1.0

        world.rate = rate
        assert not session.is_comparing
        await session.ab.run(await session.ab.plan("other", "mine", trials=1, seed=1))
        assert (set(during), session.is_comparing) == ({True}, False)


async def test_an_agent_is_not_compared_with_itself(tmp_path: Path, world: World) -> None:
    async with opened(simulated_project(tmp_path, 1)) as (session, _):
        with pytest.raises(UserError) as refused:
            await session.ab.plan("mine", "mine")
    assert refused.value.what == "`mine` would be compared with itself."
    assert not world.asked


async def test_a_profile_that_is_not_under_test_is_told_apart_from_a_commit(
    tmp_path: Path, world: World
) -> None:
    async with opened(simulated_project(tmp_path, 1)) as (session, _):
        with pytest.raises(UserError, match="`other` is an agent of the settings") as refused:
            await session.ab.plan("other")
    assert "`evaltui ab other`" in str(refused.value)
    assert not world.asked


@pytest.mark.parametrize(
    ("settings", "what", "hint"),
    [
        ("agent = ", "Nothing was run: the settings cannot be used", ""),
        (
            'agent = "mine"\n[agents.mine]\ntype = "simulated"\ncost_usd = "much"\n',
            "There is no agent to ask.",
            "Correct its profile first.",
        ),
    ],
)
async def test_where_nobody_can_be_asked_it_says_why(
    tmp_path: Path, world: World, settings: str, what: str, hint: str
) -> None:
    root = simulated_project(tmp_path, 1)
    (root / "evaltui.toml").write_text(settings)
    async with opened(root) as (session, _):
        with pytest.raises(UserError) as refused:
            await session.ab.plan("HEAD")
    assert refused.value.what.startswith(what)
    assert refused.value.hint == hint
    assert not world.asked


async def test_the_agent_of_now_is_the_one_that_is_named_and_else_the_first(
    tmp_path: Path, world: World
) -> None:
    async with opened(simulated_project(tmp_path, 1), agent=["mine", "other"]) as (session, _):
        named, first = await session.ab.plan("mine", "other"), await session.ab.plan("other")
        sides = [(plan.before.name, plan.now.name) for plan in (named, first)]
        assert sides == [("mine", "other"), ("other", "mine")]
    assert not world.asked


async def test_attempts_of_one_case_never_share_a_recording(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 1)
    async with opened(root, agent=["mine", "other"], cassettes="auto") as (session, _):
        plan = await session.ab.plan("other", "mine", trials=3)
        await session.ab.run(plan)
    assert sorted((name, request.trial) for name, request in world.asked) == [
        (name, trial) for name in ("mine", "other") for trial in range(3)
    ]


async def test_what_is_worse_is_proven_and_nothing_is_kept(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 3)
    world.rate = lambda name, request: float(name == "other" or not request.key.case.endswith("1"))
    async with opened(root, agent=["mine", "other"]) as (session, ear):
        ear.heard.clear()
        report = await session.ab.run(await session.ab.plan("other", "mine", trials=10))
        assert [key.case for key in report.worse] == ["gs-001"]
        assert (report.better, report.moved(is_up=False)) == ((), {})
        assert report.pairs[report.worse[0]].sides.now == Trials(0, 10)
        assert not any(row.result for row in session.store.board("mine").rows.values())
        assert not ear.runs()
    assert not (root / "evals/results").exists()


async def test_answers_tell_that_agents_are_not_down_any_more(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 3)

    def refuse(*_: object) -> float:
        raise AgentError("HTTP 400", category="agent_error")

    async with opened(root, agent=["mine", "other"]) as (session, _):
        world.rate = refuse
        await session.run(all_keys(session))
        assert {one.code for one in session.store.problems.shown} == {DOWN}
        world.rate = lambda *_: 1.0
        await session.ab.run(await session.ab.plan("other", "mine", trials=1))
        assert not session.store.problems.shown


async def test_only_undecided_cases_are_tried_again(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 5)
    world.rate = lambda name, request: float(name == "other" or not request.key.case.endswith("1"))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=2)
        assert not (await session.ab.run(plan)).worse
        world.asked.clear()
        report = await session.ab.run(plan, confirms=True)
    assert [key.case for key in report.worse] == ["gs-001"]
    sides = {key.case: str(pair.sides) for key, pair in report.pairs.items()}
    assert sides.pop("gs-001") == "5/5 → 0/5"
    assert set(sides.values()) == {"2/2 → 2/2"}


@pytest.mark.parametrize("down", [("mine", "other"), ("mine",), ("other",)])
async def test_a_case_that_is_not_answered_is_not_tried_for_ever(
    tmp_path: Path, world: World, down: tuple[str, ...]
) -> None:
    root = simulated_project(tmp_path, 3)

    def rate(name: str, request: AgentRequest) -> float:
        if request.trial >= 2 and name in down:
            raise ConnectionError("down")
        return float(name == "other" or not request.key.case.endswith("1"))

    world.rate = rate
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=2)
        report = await session.ab.run(plan, confirms=True)
    (pair,) = [pair for key, pair in report.pairs.items() if key.case == "gs-001"]
    assert pair.errors == len(down)
    assert report.calls == len(world.asked) == plan.calls + 2


async def test_what_confirming_may_cost_at_most_is_part_of_the_estimate(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 3, "[regressions]\nmax_trials = 6")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    world.rate = lambda name, request: float(name == "other" or not request.key.case.endswith("1"))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        await session.run(all_keys(session))
        plan = await session.ab.plan("other", "mine", trials=2)
        first, most = (session.ab.estimate(plan, confirms=confirms) for confirms in (False, True))
        assert (first.cases, most.cases) == (plan.calls, 2 * 6 * 3)
        assert first.cost_usd == pytest.approx(0.12)
        assert most.cost_usd == pytest.approx(0.36)
        world.asked.clear()
        told: list[tuple[int, int] | None] = []
        rate = world.rate

        def noting(name: str, request: AgentRequest) -> float:
            told.append(session.ab.progress)
            return rate(name, request)

        world.rate = noting
        await session.ab.run(plan, confirms=True)
        assert first.cases < len(world.asked) <= most.cases
        assert {of for _, of in filter(None, told)} == {most.cases}, "from the first to the last"


async def test_muted_cases_are_not_asked_and_prove_nothing(tmp_path: Path, world: World) -> None:
    muted = '[mute]\n"evals/find_order.golden.json::gs-001" = "known"'
    root = simulated_project(tmp_path, 3, muted)
    world.rate = lambda name, request: float(name == "other" or not request.key.case.endswith("1"))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=10)
        assert [key.case for key in plan.keys] == ["gs-000", "gs-002"]
        report = await session.ab.run(plan)
    assert not report.worse
    assert "1 muted case not asked" in "\n".join(lines(report))


async def test_a_case_that_nobody_can_be_asked_is_none_of_a_comparison(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 2)
    rubric = {**case("gs-rubric", "find_order", "find_order"), "rubric": {"tone": "It is kind."}}
    del rubric["expect"]
    write_suite(root, "kind", [rubric])
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=1)
        chosen = {key.case for key in plan.keys}
        assert chosen == {"gs-000", "gs-001"}, "there is no judge"
        await session.ab.run(plan)
    assert {request.key.case for _, request in world.asked} == chosen


async def test_a_pass_of_nothing_is_a_trial_of_neither_side(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 1)
    nothing = {**case("gs-nothing", "find_order", "find_order"), "expect": {}}
    write_suite(root, "nothing", [nothing])
    async with opened(root, agent=["mine", "other"]) as (session, _):
        report = await session.ab.run(await session.ab.plan("other", "mine", trials=2))
    assert {request.key.case for _, request in world.asked} == {"gs-000", "gs-nothing"}
    found = {key.case: (str(pair.sides), pair.reason) for key, pair in report.pairs.items()}
    assert found == {"gs-000": ("2/2 → 2/2", ""), "gs-nothing": ("0/0 → 0/0", "nothing asserted")}


async def test_one_comparison_at_a_time_which_can_be_cancelled_from_its_first_moment(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 2)
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=3)
        first = asyncio.create_task(session.ab.run(plan))
        await asyncio.sleep(0)
        assert session.ab.is_on
        with pytest.raises(UserError, match="being compared already"):
            await session.ab.run(plan)
        seen = [session.ab.progress]
        session.ab.cancel()
        report = await first
        assert [*seen, session.ab.progress] == [(0, plan.calls), None]
    assert (report.calls, report.stopped) == (0, "it was cancelled")
    assert not world.asked


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
async def test_a_commit_is_asked_with_its_own_definitions(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 2)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    write_tools(root, [{"name": "find_order", "description": "Is no use.", "parameters": {}}])
    world.rate = lambda _, request: float(
        request.registry.tools["find_order"].description == "Finds."
    )
    async with opened(root) as (session, _):
        report = await session.ab.run(await session.ab.plan("HEAD", trials=10))
    assert len(report.worse) == 2
    assert report.before.startswith("HEAD (")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
async def test_an_agent_that_is_not_given_the_definitions_has_no_commits(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path)
    text = (root / "evaltui.toml").read_text()
    (root / "evaltui.toml").write_text(
        text.replace("[agents.other]", "reads_registry = false\n[agents.other]")
    )
    async with opened(root) as (session, _):
        with pytest.raises(UserError, match="is not given the definitions"):
            await session.ab.plan("HEAD")
        assert "`mine` is not given the definitions" in session.ab.why_no_commit("mine")
    assert not world.asked


async def test_an_endpoint_has_no_commits_since_no_definitions_are_sent_to_it(
    tmp_path: Path,
) -> None:
    root = simulated_project(tmp_path)
    profile = 'agent = "mine"\n[agents.mine]\ntype = "http"\nurl = "http://localhost:9/chat"\n'
    (root / "evaltui.toml").write_text(profile)
    async with opened(root) as (session, _):
        with pytest.raises(UserError, match="is not given the definitions") as refused:
            await session.ab.plan("HEAD")
        assert "of the endpoint that has the other version" in refused.value.hint


@pytest.mark.parametrize("at_once", [1, 3])
async def test_so_many_are_asked_at_once_as_the_settings_say(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    root, on, most = simulated_project(tmp_path, 6), 0, 0
    own = Simulated.respond

    async def counted(agent: Simulated, request: AgentRequest) -> AgentResponse:
        nonlocal on, most
        on += 1
        for _ in range(50):  # in which every other that may begin does
            most = max(most, on)
            await asyncio.sleep(0)
        on -= 1
        return await own(agent, request)

    monkeypatch.setattr(Simulated, "respond", counted)
    async with opened(root, agent=["mine", "other"], concurrency=at_once) as (session, _):
        await session.ab.run(await session.ab.plan("other", "mine", trials=1))
    assert (most, len(world.asked)) == (at_once, 12)


async def test_how_far_it_is_can_be_asked_at_any_moment(tmp_path: Path, world: World) -> None:
    heard: list[tuple[int, int] | None] = []
    async with opened(simulated_project(tmp_path, 2), agent=["mine", "other"]) as (session, _):

        def rate(_name: str, _request: AgentRequest) -> float:
            heard.append(session.ab.progress)
            return 1.0

        world.rate = rate
        assert session.ab.others("mine") == ("other",)
        assert session.ab.why_no_commit("mine") == ""
        await session.ab.run(await session.ab.plan("other", "mine", trials=3))
    told = [one for one in heard if one is not None]
    assert len(told) == len(heard) == 12
    assert (told, {of_all for _, of_all in told}) == (sorted(told), {12})
    assert told[0][0] == 0 < told[-1][0]


async def test_it_is_paid_from_the_one_budget(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 3, "max_cost_usd = 0.05")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=4)
        assert session.ab.estimate(plan).asks_first
        report = await session.ab.run(plan)
    assert len(world.asked) == report.calls == 5
    assert report.cut_short.startswith("19 of 24 trials were not made: `max_cost_usd` of $0.05 is")
    assert report.document()["trials"] == 24


async def test_what_an_attempt_did_cost_that_was_broken_off_is_told_too(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 0, "max_cost_usd = 0.05")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    talk = {
        "name": "Twice",
        "persona": {"name": "Ann", "lines": ["find_order", "find_order"]},
        "evaluators": [{"type": "response-length", "config": {"max": 400}}],
    }
    (root / "evals/talk.scenario.json").write_text(json.dumps(talk))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        report = await session.ab.run(await session.ab.plan("other", "mine", trials=4))
    assert (len(world.asked), report.calls) == (5, 2), "of the third only the first turn"
    assert report.cost_usd == pytest.approx(0.05)
    assert "6 of 8 trials were not made" in report.cut_short


@pytest.mark.usefixtures("world")
async def test_a_case_that_is_asked_once_is_estimated_once(tmp_path: Path) -> None:
    root = simulated_project(tmp_path, 3)
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', '"simulated"\ncost_usd = 0.01'))
    async with opened(root, agent=["mine", "other"]) as (session, _):
        await session.run(all_keys(session))
        every = await session.ab.plan("other", "mine", trials=5)
        plan = replace(every, certain=frozenset(every.keys[:2]))
        whole, found = session.ab.estimate(every), session.ab.estimate(plan)
        assert whole.cost_usd == pytest.approx(2 * 15 * 0.01)
        assert found.cases == 2 * 7
        assert found.cost_usd == pytest.approx(2 * 7 * 0.01)
        assert whole.seconds is not None
        assert found.seconds == pytest.approx(whole.seconds * 7 / 15)


@pytest.mark.usefixtures("world")
async def test_two_sides_take_twice_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = Estimate(6, None, 30.0)
    monkeypatch.setattr(Estimator, "estimate", lambda *_, **__: once)
    async with opened(simulated_project(tmp_path, 3), agent=["mine", "other"]) as (session, _):
        plan = await session.ab.plan("other", "mine", trials=2)
        assert session.ab.estimate(plan).seconds == 60.0
