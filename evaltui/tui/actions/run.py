"""Running cases: every request that can spend money goes through one guard."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.watch_state import WatchState
from evaltui.store.row_status import RowStatus
from evaltui.tui.render.words import count

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController

FAILED = frozenset({RowStatus.FAILED})
DUE = "due"
"""Why cases run that are not wanted any more once they are not due."""
ONE_AGENT = "only one agent is configured; `[agents]` in `evaltui.toml` adds others"


def selection(controller: DashboardController) -> None:
    run(controller, controller.selection)


def everywhere(controller: DashboardController) -> None:
    """The selection with every agent that can be asked, so that the results side by side are
    equally old."""
    run(controller, controller.selection, agents=_that_can_be_asked(controller))


def due(controller: DashboardController) -> None:
    """Judge again what takes no asking; ask for the rest, and which of it where that differs."""
    requests, agent = controller.session.requests, controller.agent
    asked = requests.due_keys(agent, to_judge=False)
    if judged := [key for key in requests.due_keys(agent) if key not in frozenset(asked)]:
        judge_again(controller, judged)
    if controller.session.why_not_ask(agent):
        return  # the rest stays due, which its rows and Problems say
    every = requests.due_keys(agent, to_judge=False, never_run=False)
    certain = requests.due_keys(agent, possibly=False, to_judge=False, never_run=False)
    never = tuple(key for key in asked if key not in frozenset(every))
    sure, all_due, new = (len(requests.to_run(keys, agent)) for keys in (certain, every, never))
    is_plain = sum(map(bool, (sure, all_due - sure, new))) <= 1
    if is_plain or controller.session.why_not_run:
        run(controller, asked, reason=DUE)
        return
    from evaltui.tui.screens.which_run import CERTAIN, NEVER, due_question

    def answer(choice: str) -> None:
        run(controller, {CERTAIN: certain, NEVER: never}.get(choice, every), reason=DUE)

    question = due_question(sure, all_due - sure, new, whose(controller))
    controller.ask(question, answer)


def judge_again(controller: DashboardController, keys: Collection[CaseKey]) -> None:
    """Judge kept answers again, after asking where a judge costs money that is not known to be
    little."""
    session, agent = controller.session, controller.agent
    estimate = session.requests.judging_estimate(keys, agent)
    if not estimate.asks_first or session.why_not_run:
        session.requests.rejudge(keys, agents=(agent,))
        return
    from evaltui.tui.screens.which_run import cost_question

    def answer(_: str) -> None:
        session.requests.rejudge(keys, agents=(agent,))

    limit = session.config.confirm_above
    on = f", judged again{whose(controller)}"
    controller.ask(cost_question(tuple(keys), estimate, limit, on=on, has_sample=False), answer)


def all_cases(controller: DashboardController) -> None:
    run(controller, tuple(controller.board.rows), reason="all cases")


def failed(controller: DashboardController) -> None:
    run(controller, _with_status(controller, FAILED), reason="failed before", is_by_outcome=True)


def errored(controller: DashboardController) -> None:
    keys = _with_status(controller, {RowStatus.ERROR})
    run(controller, keys, reason="had an error", is_by_outcome=True)


def again(controller: DashboardController) -> None:
    """What is undecided until it is settled, after saying what that takes; else so many times."""
    if controller.session.config.regressions.confirm == "off":
        repeat(controller)
        return
    rows = controller.selected_rows()
    proofs = [row.proof for row in rows if row.proof is not None and row.is_undecided]
    undecided = {proof.key: proof.further for proof in proofs if proof.further is not None}
    if not undecided:
        repeat(controller)
        return
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice
    from evaltui.tui.screens.which_run import cost

    keys, most, chosen = tuple(undecided), max(undecided.values()), (controller.agent,)
    estimate = controller.session.requests.estimate(keys, chosen, most)

    def answer(choice: str) -> None:
        if choice == "times":
            repeat(controller)
            return
        controller.session.requests.rerun(
            keys, agents=chosen, trials=1, reason="undecided", confirms=True, is_repeat=True
        )

    limit = controller.session.config.regressions.max_trials
    which = keys[0].case if len(keys) == 1 else count(len(keys), "undecided case")
    choices = [
        Choice(
            "settle",
            f"Until it is settled: {cost(estimate)} if all fail",
            "s",
            f"at most {limit} each, with those made already",
            heading=f"{count(most, 'more failure')} would prove it",
        ),
        Choice("times", "A number of times", "t"),
    ]
    question = Menu(f"Try {which} again{whose(controller)}", choices, again={"x": "settle"})
    controller.ask(question, answer)


def repeat(controller: DashboardController) -> None:
    """Ask how many times; the pass rate with its interval then tells flaky from broken."""
    from evaltui.tui.screens.prompt import Prompt

    keys = tuple(row.key for row in controller.selected_rows() if row.case.asks_agent)
    if controller.selection and not keys:
        controller.warn("A trace asks no agent: its verdict is the same every time.")
        return

    def answer(text: str) -> None:
        run(controller, keys, trials=int(text), reason=f"{text} times")

    controller.ask(
        Prompt(
            f"Run {count(len(keys), 'case')}{whose(controller)} how many times?",
            "10",
            hint="A case that passes only sometimes is flaky.",
            why_not=_not_a_number,
            takes=r"[0-9]{0,4}",
        ),
        answer,
    )


def run(
    controller: DashboardController,
    keys: Collection[CaseKey],
    *,
    agents: Collection[str] = (),
    trials: int | None = None,
    reason: str = "by hand",
    is_by_outcome: bool = False,
) -> None:
    """Rerun with the agent that is shown, or with `agents`, after asking when it is neither free
    nor known to be cheap. `is_by_outcome`: as of `Requests.rerun`."""
    if not keys:
        return
    keys = tuple(keys)
    chosen = tuple(agents) or (controller.agent,)
    estimate = controller.session.requests.estimate(keys, chosen, trials)
    on = whose(controller)
    if agents:
        is_every = len(chosen) == len(controller.session.agents)
        on = " with every agent" if is_every else " with every agent that can be asked"

    def to_run(wanted: Collection[CaseKey]) -> tuple[CaseKey, ...]:
        return controller.session.requests.to_run(wanted, chosen[0])

    def go(wanted: Collection[CaseKey]) -> None:
        controller.session.requests.rerun(
            wanted,
            agents=chosen,
            trials=trials,
            reason=reason,
            is_while_due=reason == DUE,
            is_repeat=trials is not None,
            is_by_outcome=is_by_outcome,
        )
        if controller.is_several and (counted := to_run(wanted)):
            controller.say(f"Running {count(len(counted), 'case')}{on}.")

    if not estimate.asks_first or controller.session.why_not_run:  # which is said at once
        go(keys)
        return
    from evaltui.tui.screens.which_run import ONE, SAMPLE, cost_question, sample

    row, counted = controller.row, to_run(keys)
    this = row.key if row is not None and row.key in frozenset(counted) else None

    def answer(choice: str) -> None:
        if choice == SAMPLE:
            go(sample(counted))
        else:
            go((this,) if choice == ONE and this is not None else keys)

    question = cost_question(
        counted,
        estimate,
        controller.session.config.confirm_above,
        this=this.case if this is not None else "",
        on=on,
    )
    controller.ask(question, answer)


def whose(controller: DashboardController) -> str:
    """` with @mini` where there are several agents: keys act on the one that is shown."""
    return f" with @{controller.agent_name}" if controller.is_several else ""


def pause(controller: DashboardController) -> None:
    if controller.session.state is WatchState.PAUSED:
        controller.session.watch_loop.resume()
    else:
        controller.session.watch_loop.pause()


def cancel(controller: DashboardController) -> None:
    if controller.session.is_comparing:
        controller.session.ab.cancel()
    controller.session.requests.cancel()


def no_selection(controller: DashboardController) -> str | None:
    return None if any(controller.selected_rows()) else "no case is chosen"


def no_everywhere(controller: DashboardController) -> str | None:
    if not controller.is_several:
        return ONE_AGENT
    if not _that_can_be_asked(controller):
        return controller.session.why_not_ask(controller.agent)
    return no_selection(controller)


def no_cases(controller: DashboardController) -> str | None:
    return None if controller.board.rows else "there are no cases"


def nothing_due(controller: DashboardController) -> str | None:
    session, agent = controller.session, controller.agent
    why = session.why_not_ask(agent)
    if agent not in session.agents:
        return why or "the project is still being read"
    if why:
        return None if session.requests.has_to_judge(agent) else why
    return None if session.requests.has_due(agent) else "nothing is due"


def none_failed(controller: DashboardController) -> str | None:
    return None if controller.board.counts.all.failed else "nothing failed"


def none_errored(controller: DashboardController) -> str | None:
    return None if controller.board.counts.all.errors else "nothing had an error"


def none_to_walk(controller: DashboardController) -> str | None:
    counts = controller.board.counts.all
    return None if counts.failed or counts.errors else "nothing failed"


def not_watching(controller: DashboardController) -> str | None:
    is_on = controller.session.state in (WatchState.WATCHING, WatchState.PAUSED)
    return None if is_on else "it is not watching"


def not_running(controller: DashboardController) -> str | None:
    if controller.session.is_running or controller.session.is_comparing:
        return None
    if controller.is_running:
        return "another process runs it: cancel it there"
    return "nothing is running"


def _that_can_be_asked(controller: DashboardController) -> tuple[str, ...]:
    session = controller.session
    return tuple(agent for agent in session.agents if not session.why_not_ask(agent))


def _with_status(
    controller: DashboardController, kinds: Collection[RowStatus]
) -> tuple[CaseKey, ...]:
    return tuple(row.key for row in controller.board.rows.values() if row.status in kinds)


def _not_a_number(text: str) -> str | None:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        return "a number from 1 to 1000"
    return None
