"""Running: every wish that can spend money goes through one guard."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.store.row import Standing
from evaltui.tui.render.words import count
from evaltui.tui.view import PROBLEMS

if TYPE_CHECKING:
    from evaltui.tui.desk import Desk

FAILED = frozenset({Standing.FAILED, Standing.REGRESSED})


def selection(desk: Desk) -> None:
    run(desk, desk.selection)


def everywhere(desk: Desk) -> None:
    """The selection with every agent: what stands side by side is then of one moment."""
    run(desk, desk.selection, agents=desk.session.agents)


def due(desk: Desk) -> None:
    run(desk, desk.session.stale_keys(desk.agent), reason="stale")


def all_cases(desk: Desk) -> None:
    run(desk, tuple(desk.board.rows), reason="all cases")


def failed(desk: Desk) -> None:
    run(desk, _standing(desk, FAILED), reason="failed before")


def errored(desk: Desk) -> None:
    run(desk, _standing(desk, {Standing.ERROR}), reason="had an error")


def again(desk: Desk) -> None:
    """Ask how many times; the pass rate with its interval then tells flaky from broken."""
    from evaltui.tui.screens.prompt import Prompt

    keys = desk.selection

    def answer(text: str) -> None:
        run(desk, keys, trials=int(text), reason=f"{text} times")

    desk.ask(
        Prompt(
            f"Run {count(len(keys), 'case')}{whose(desk)} how many times?",
            "10",
            hint="Passed every time, never, or now and then: then it is flaky.",
            why_not=_not_a_number,
        ),
        answer,
    )


def run(
    desk: Desk,
    keys: Collection[CaseKey],
    *,
    agents: Collection[str] = (),
    trials: int | None = None,
    reason: str = "asked for",
) -> None:
    """Rerun with the agent that is shown, or with `agents`, after asking when the estimate is
    above `confirm_above`."""
    if not keys:
        return
    chosen = tuple(agents) or (desk.agent,)
    estimate = desk.session.estimate(keys, chosen, trials)
    limit = desk.session.config.confirm_above
    on = " with every agent" if agents else whose(desk)

    def go(_: object = None) -> None:
        desk.session.rerun(keys, agents=chosen, trials=trials, reason=reason)
        if desk.is_several:
            desk.say(f"Running {count(len(keys), 'case')}{on}.")

    if estimate.cost_usd is None or estimate.cost_usd <= limit:
        go()
        return
    from evaltui.tui.screens.confirm import cost_guard

    desk.ask(cost_guard(estimate, limit, on), go)


def whose(desk: Desk) -> str:
    """` with @mini` where there are several agents: keys act on the one that is shown."""
    return f" with @{desk.agent_name}" if desk.is_several else ""


def pause(desk: Desk) -> None:
    if str(desk.session.state) == "paused":
        desk.session.resume()
    else:
        desk.session.pause()
    desk.header.refresh()
    desk.footer.refresh()


def cancel(desk: Desk) -> None:
    desk.session.cancel()


def no_selection(desk: Desk) -> str | None:
    return None if desk.selection else "no case is chosen"


def no_everywhere(desk: Desk) -> str | None:
    if not desk.is_several:
        return "only one agent is configured"
    return no_selection(desk)


def no_cases(desk: Desk) -> str | None:
    return None if desk.board.rows else "there are no cases"


def nothing_due(desk: Desk) -> str | None:
    if desk.agent not in desk.session.agents:
        return "the project is still being read"
    return None if desk.session.stale_keys(desk.agent) else "nothing is stale"


def none_failed(desk: Desk) -> str | None:
    return None if any(desk.board.counts[standing] for standing in FAILED) else "nothing failed"


def none_errored(desk: Desk) -> str | None:
    return None if desk.board.counts[Standing.ERROR] else "nothing had an error"


def none_to_walk(desk: Desk) -> str | None:
    return None if any(desk.board.counts[kind] for kind in PROBLEMS) else "nothing failed"


def not_watching(desk: Desk) -> str | None:
    state = str(desk.session.state)
    return None if state in ("watching", "paused") else "it is not watching"


def not_running(desk: Desk) -> str | None:
    return None if desk.is_running else "no run is on"


def _standing(desk: Desk, kinds: Collection[Standing]) -> tuple[CaseKey, ...]:
    return tuple(row.key for row in desk.board.rows.values() if row.standing in kinds)


def _not_a_number(text: str) -> str | None:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        return "a number from 1 to 1000"
    return None
