"""What `evaltui baseline pin` does about fresh trials: it makes and pins them, or offers to."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from evaltui.cli.agreement import agree, cost
from evaltui.cli.baseline_refusals import refusals_said
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.reporters.ansi import plain
from evaltui.session import Session
from evaltui.session.fresh_pins import USUAL_TRIALS
from evaltui.tui.render.words import count

LEFT = {"action": "not pinned"}
"""In the row of each case that was to be pinned and is not."""


async def pin_fresh(
    session: Session, flags: Namespace, agent: str, keys: Sequence[CaseKey]
) -> list[dict[str, object]]:
    """Run the cases so often as --trials says, and pin what came of it."""
    if why := session.fresh_pins.why_not(agent):
        raise UserError(f"No trials were made: {why}.", "Pin without --trials.")
    estimate = session.requests.estimate(keys, (agent,), flags.trials)
    asked = session.fresh_pins.asked(keys, agent)
    what = f"{count(len(asked), 'case')} of `{agent}`, {count(flags.trials, 'trial')} each"
    if len(asked) < len(keys):
        what += f", and {len(keys) - len(asked):,} that are only read"
    agree(what, estimate, session.config, is_agreed=flags.yes)
    before = session.baselines.inputs(agent, prints := SamePrints())
    try:
        with refusals_said(session):
            made = await session.fresh_pins.pin(keys, agent, flags.trials, flags.name)
    except UserError as error:  # a limit that ended the run is a problem of the run
        others = session.store.problems.others
        raise UserError(error.what, error.hint, [*error.problems, *others]) from error
    known = session.baselines.inputs(agent, prints)
    both = [key for key in made.pinned if key in before and key in known]
    _say_kept(
        [
            key
            for key in both
            if before[key].fresh.count and is_alike(before[key].same, known[key].same)
        ]
    )
    for key, why in made.fewer.items():
        own = count(made.pinned[key].count, "trial")
        said = f"`{key}` is pinned with {own} of {flags.trials:,}: {why}"
        sys.stderr.write(f"{plain(said)}\n")
    trials, of = sum(of.count for of in made.pinned.values()), {"agent": agent, "name": flags.name}
    done = {"action": "pinned", **of, "cases": len(made.pinned), "trials": trials}
    left = ({**LEFT, **of, "case": str(key), "reason": why} for key, why in made.left.items())
    return [done, *left]


def offer_trials(session: Session, agent: str, keys: Sequence[CaseKey]) -> None:
    """What was pinned because of how it looked proves nothing; trials of the pin before do."""
    if session.fresh_pins.why_not(agent):
        return
    pins = session.baselines.inputs(agent, SamePrints())
    kept = [key for key in keys if key in pins and pins[key].fresh.count]
    _say_kept(kept)
    keys = session.fresh_pins.asked([key for key in keys if key not in kept], agent)
    if not keys:
        return
    estimate = session.requests.estimate(keys, (agent,), USUAL_TRIALS)
    sys.stderr.write(
        f"`{agent}` may answer otherwise the next time, and what was pinned counts for no proof. "
        f"`evaltui baseline pin --trials {USUAL_TRIALS}` makes fresh trials that do: "
        f"{estimate.cases:,} trials, {cost(estimate)}.\n"
    )


def _say_kept(keys: Sequence[CaseKey]) -> None:
    if keys:
        cases = "1 case has" if len(keys) == 1 else f"{len(keys):,} cases have"
        sys.stderr.write(f"{cases} the same inputs as before: their fresh trials still count.\n")
