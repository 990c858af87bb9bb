"""Two states side by side: what is asked before, and the report after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.errors import UserError
from evaltui.tui.render.words import count, span

if TYPE_CHECKING:
    from evaltui.core.ab_report import AbReport
    from evaltui.session.money.estimate import Estimate
    from evaltui.session.side_by_side.ab_plan import AbPlan
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.sessions.session_protocol import SessionProtocol


def compare(controller: DashboardController) -> None:
    """Ask with what; then say what it takes, and ask whether to go on."""
    from evaltui.tui.screens.prompt import Prompt

    begin, ab = controller.session.background.begin, controller.session.ab
    others, why_no_commit = ab.others(controller.agent), ab.why_no_commit(controller.agent)
    if why_no_commit and not others:
        controller.warn(f"{why_no_commit}, and no other agent is under test.")
        return
    agent = f" @{controller.agent_name}" if controller.is_several else ""
    which = "which other agent" if why_no_commit else "which commit, or which other agent"
    agents = f"Also under test: {', '.join(f'`{name}`' for name in others)}." if others else ""
    controller.ask(
        Prompt(
            f"Compare{agent} with {which}?",
            others[0] if why_no_commit else "HEAD",
            hint=agents if why_no_commit else f"E.g. `main` or HEAD~3. {agents}".rstrip(),
            why_not=lambda text: None if text else "name a commit or an agent",
        ),
        lambda against: begin(_plan(controller, against)),
    )


async def _plan(controller: DashboardController, against: str) -> None:
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    session = controller.session
    try:
        plan = await session.ab.plan(against, controller.agent)
    except UserError as error:
        controller.warn(str(error))
        return
    if not plan.keys:
        from evaltui.core.ab_words import tools_in_force

        which = count(plan.cases, "case")
        nothing = f"Nothing that {which} depend on differs from `{against}`."
        controller.say(" ".join((nothing, *tools_in_force(plan.as_now, plan.unread))))
        return
    begin = session.background.begin
    go = f"Run {plan.trials_in_words} a side"
    choices = [Choice("go", go, "a", note=_limit(session, plan, confirms=False))]
    if session.config.regressions.confirm != "off":
        further = f"The same, then rerun undecided cases: {_at_most(session, plan)}"
        note = _limit(session, plan, confirms=True)
        choices.append(Choice("confirm", further, "c", note=note))
    controller.ask(
        Menu(_cost(plan, session.ab.estimate(plan)), choices, again={"y": "go"}),
        lambda choice: begin(_run(controller, plan, confirms=choice == "confirm")),
    )


async def _run(controller: DashboardController, plan: AbPlan, *, confirms: bool) -> None:
    session = controller.session
    controller.say(f"Comparing with {plan.before.name}: {plan.calls:,} trials; c ends it.")
    try:
        report = await session.ab.run(plan, confirms=confirms)
    except UserError as error:
        controller.warn(str(error))
        return
    show(controller, report)


def show(controller: DashboardController, report: AbReport) -> None:
    from evaltui.core.ab_words import lines
    from evaltui.tui.screens.report import Report

    controller.app.push_screen(Report("Side by side", lines(report)))


def _at_most(session: SessionProtocol, plan: AbPlan) -> str:
    """`at most 480 trials, about $1.24`."""
    from evaltui.tui.screens.which_run import cost

    estimate = session.ab.estimate(plan, confirms=True)
    return f"at most {estimate.cases:,} trials, {cost(estimate)}"


def _limit(session: SessionProtocol, plan: AbPlan, *, confirms: bool) -> str:
    """What it cannot prove, and what would; empty where it can prove what there is."""
    reach = session.ab.reach(plan, confirms=confirms)
    if reach.proves_one:
        return ""
    can_confirm = reach.is_confirming_enough and session.config.regressions.confirm != "off"
    return reach.limit if can_confirm else f"{reach.limit}; `--trials {reach.enough}` can"


def _cost(plan: AbPlan, estimate: Estimate) -> str:
    """`12 of 42 cases can differ: 120 trials, about 26s, about $0.31`."""
    from evaltui.tui.screens.which_run import cost

    time = f", about {span(estimate.seconds)}" if estimate.seconds is not None else ""
    can = f"{len(plan.keys):,} of {count(plan.cases, 'case')} can differ"
    return f"{can}: {plan.calls:,} trials{time}, {cost(estimate)}"
