"""Questions before a run: what it may cost, and which of the due cases are meant."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.measured_number import dollars
from evaltui.tui.render.words import count, span
from evaltui.tui.screens.menu import Menu
from evaltui.tui.screens.picker import Choice

if TYPE_CHECKING:
    from evaltui.session.money.estimate import Estimate

ALL, SAMPLE, ONE, CERTAIN, NEVER = "all", "sample", "one", "certain", "never"
SAMPLE_SIZE = 20


def sample(keys: Sequence[CaseKey]) -> tuple[CaseKey, ...]:
    """So many of them, spread evenly."""
    most = min(SAMPLE_SIZE, len(keys))
    return tuple(keys[index * len(keys) // most] for index in range(most))


def cost_question(
    keys: Collection[CaseKey],
    estimate: "Estimate",
    limit: float,
    *,
    this: str = "",
    on: str = "",
    has_sample: bool = True,
) -> Menu:
    """Ask about a run that is neither free nor known to be cheap.

    `this`: the case under the cursor, if it is one of them; `on`: whose run it is.
    """
    choices = [Choice(ALL, f"All {count(len(keys), 'case')}", "a", heading=_why(estimate, limit))]
    if len(keys) == 1:
        choices = [Choice(ALL, "Run it", "a", heading=_why(estimate, limit))]
    if len(keys) > SAMPLE_SIZE and has_sample:
        choices.append(Choice(SAMPLE, f"A sample of {SAMPLE_SIZE}", "s"))
    if this and len(keys) > 1:
        choices.append(Choice(ONE, "This one", "r", this))
    return Menu(f"{_what(len(keys), estimate)}{on}", choices, again={"y": ALL})


def due_question(certain: int, possibly: int, never: int, on: str = "") -> Menu:
    """Ask which of the due cases are meant, where they are of several kinds."""
    choices: list[Choice] = []
    if certain:
        choices.append(Choice(CERTAIN, f"Certain {certain:,}", "c", "a change is known to affect"))
    if certain + possibly:
        choices.append(
            Choice(ALL, f"All {certain + possibly:,}", "a", "including possibly affected ones")
        )
    if never:
        choices.append(Choice(NEVER, f"Never run {never:,}", "n", "have no result yet"))
    return Menu(f"Run which due cases{on}?", choices, again={"R": ALL})


def _what(cases: int, estimate: "Estimate") -> str:
    """`2,002 cases never ran, about 26s, cost unknown`."""
    never = estimate.never_run
    said = f"{count(cases, 'case')} never ran" if never >= cases else count(cases, "case")
    if 0 < never < cases:
        said = f"{said}, {never:,} never ran"
    if estimate.cases > cases:
        said = f"{said}, {estimate.cases:,} trials"
    time = f", about {span(estimate.seconds)}" if estimate.seconds is not None else ""
    return f"{said}{time}, {cost(estimate)}"


def cost(estimate: "Estimate") -> str:
    """`about $0.03`, `free`, `cost unknown`, `cost not known yet`."""
    if estimate.cost_usd is not None:
        return f"about {dollars(estimate.cost_usd, beside=_sums(estimate))}"
    return estimate.without_sum


def _sums(estimate: "Estimate") -> tuple[float, float]:
    """What is told of money at once: none that is not known."""
    return estimate.cost_usd or 0.0, estimate.left_usd or 0.0


def _why(estimate: "Estimate", limit: float) -> str:
    beside, left = _sums(estimate), ""
    if estimate.left_usd is not None:
        left = f"; {dollars(estimate.left_usd, beside=beside, is_left=True)} left to spend"
    if estimate.is_taken_free:
        return "asks first: its profile does not say is_free = true"
    if estimate.is_untold:
        return f"asks first: its answers told no cost (is_free or price says it){left}"
    if estimate.cost_usd is None:
        return f"asks first: cost unknown{left}"
    if estimate.cost_usd > limit:
        return f"asks first above {dollars(limit, beside=beside)} (confirm_above){left}"
    return f"asks first: never run before{left}"
