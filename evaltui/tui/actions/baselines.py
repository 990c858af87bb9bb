"""Baselines: pin, unpin, named ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.result import CaseStatus
from evaltui.store.counts import Counts
from evaltui.tui.render.pin_age import pin_age
from evaltui.tui.render.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaltui.core.baseline import NamedBaseline
    from evaltui.core.case import CaseKey
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.screens.picker import Choice


def pin(controller: DashboardController) -> None:
    _pin(controller, controller.selection)


def menu(controller: DashboardController) -> None:
    """Everything about baselines that has no key of its own."""
    from evaltui.tui.screens.menu import Menu

    selection, everything = controller.selection, tuple(controller.board.rows)
    moved = controller.session.baselines.moved_cases(controller.agent)
    gone = controller.session.baselines.gone(controller.agent)

    def answer(choice: str) -> None:
        baselines, agent = controller.session.baselines, controller.agent
        begin = controller.session.background.begin
        match choice.split(":", 1):
            case ["pin"]:
                _pin(controller, selection)
            case ["suite"]:
                _pin(controller, _of_suite(selection, everything))
            case ["all"]:
                _pin(controller, everything)
            case ["name"]:
                pin_named(controller)
            case ["move"]:
                begin(baselines.move(agent, moved))
                said = count(len(moved), "case")
                controller.say(f"Moved the baseline of {said} to the new name; z undoes it.")
            case ["unpin"]:
                begin(baselines.unpin(selection, agent))
                chosen = count(len(selection), "case")
                controller.say(f"Unpinned {chosen}{_of(controller)}; z undoes it.")
            case ["unpin-all"]:
                begin(baselines.unpin(everything, agent))
                controller.say(f"Unpinned all cases{_of(controller)}; z undoes it.")
            case ["unpin-gone"]:
                begin(baselines.unpin(gone, agent))
                said = count(len(gone), "deleted case")
                controller.say(f"Unpinned {said}{_of(controller)}; z undoes it.")
            case ["use", name]:
                begin(baselines.use(name, agent))
                controller.say(f"Compared with `{name}`{_of(controller)} now.")

    choices = [*_to_pin(controller, len(moved)), *_to_unpin(controller, len(gone))]
    choices += _to_compare(controller)
    controller.ask(Menu(f"Baselines{_of(controller)}", choices), answer)


def _to_pin(controller: DashboardController, moved: int) -> Iterator[Choice]:
    """`moved`: how many pinned cases have another name by now."""
    from evaltui.tui.screens.picker import Choice

    selection, everything = controller.selection, tuple(controller.board.rows)
    suite = selection[0].suite if selection else ""
    members = count(len(_of_suite(selection, everything)), "case")
    chosen, heading = count(len(selection), "case"), "Pin"
    yield Choice("pin", f"The selection ({chosen})", "p", heading=heading)
    yield Choice("suite", f"The suite ({members})", "s", suite, heading=heading)
    yield Choice("all", f"Pin all {count(len(everything), 'case')}", "a", heading=heading)
    yield Choice("name", "All under a name", "n", heading=heading)
    if moved:
        yield Choice("move", f"Move pins to renamed cases ({moved:,})", "m", heading=heading)


def _to_unpin(controller: DashboardController, gone: int) -> Iterator[Choice]:
    """`gone`: how many pinned cases are deleted by now."""
    from evaltui.tui.screens.picker import Choice

    pinned = {row.key for row in controller.board.rows.values() if row.baseline is not None}
    not_chosen = "" if pinned.intersection(controller.selection) else "none of them is pinned"
    not_any = "" if pinned else "nothing is pinned"
    chosen, heading = count(len(controller.selection), "case"), "Unpin"
    yield Choice("unpin", f"The selection ({chosen})", "u", heading=heading, why_not=not_chosen)
    yield Choice("unpin-all", "Unpin all", "U", heading=heading, why_not=not_any)
    if gone:
        yield Choice("unpin-gone", f"Deleted cases ({gone:,})", "d", heading=heading)


def _to_compare(controller: DashboardController) -> Iterator[Choice]:
    from evaltui.tui.screens.picker import Choice

    in_force = {baseline.name for baseline in controller.board.standards.baselines.values()}
    now = controller.layout.ages.now
    for number, one in enumerate(controller.session.baselines.named(controller.agent), 1):
        yield Choice(
            f"use:{one.name}",
            one.name,
            str(number) if number < 10 else "",
            _facts(one, now, is_in_force=one.name in in_force),
            heading="Compare with",
        )


def _of_suite(
    selection: tuple[CaseKey, ...], everything: tuple[CaseKey, ...]
) -> tuple[CaseKey, ...]:
    """All cases of the suite in which the selection begins."""
    suite = selection[0].suite if selection else ""
    return tuple(key for key in everything if key.suite == suite)


def _facts(baseline: NamedBaseline, now: float, *, is_in_force: bool) -> str:
    """`in force · 42 cases · 3h ago`, or `41 3h ago, 1 4s ago`."""
    age = pin_age(baseline.moments, now)
    parts = ("in force" if is_in_force else "", count(baseline.cases, "case"), age)
    return " · ".join(part for part in parts if part)


def no_results(controller: DashboardController) -> str | None:
    if not any(controller.selected_rows()):
        return "no case is chosen"
    if not any(row.result is not None for row in controller.selected_rows()):
        return "there is no result to pin; r runs it"
    if all(row.suite.is_unread for row in controller.selected_rows()):
        return "the file cannot be read now; correct it first"
    return None


def pin_named(controller: DashboardController) -> None:
    """Pin all that is shown, be it of now or of the past, under a name that is asked for."""
    from evaltui.tui.screens.prompt import Prompt

    controller.ask(
        Prompt("Name of the baseline", "", hint="E.g. before-the-rewrite", why_not=_no_name),
        lambda name: _pin(controller, tuple(controller.board.rows), name),
    )


def _pin(controller: DashboardController, keys: tuple[CaseKey, ...], name: str = "") -> None:
    """Pin what has a result; what failed becomes the norm only when that was asked for."""
    known = [controller.board.rows[key] for key in keys if key in controller.board.rows]
    rows = [row for row in known if not row.suite.is_unread]
    if known and not rows:
        controller.warn("Nothing was pinned: the file cannot be read now; correct it first.")
        return
    unread = len(known) - len(rows)
    results = [row.result for row in rows if row.result is not None]
    everything = tuple(one.key for one in results)
    passing = tuple(one.key for one in results if one.shown_status is CaseStatus.PASSED)
    shown = Counts.of(rows)
    made = Counts.of_results(results, is_muted=lambda _: False)
    failing = made.failed + made.errors
    if not everything:
        controller.warn("There is no result to pin; r runs the cases.")
        return

    def write(chosen: tuple[CaseKey, ...]) -> None:
        travel = controller.time_travel
        if travel.is_past:
            travel.pin(chosen, name, lambda: say(chosen))
            return
        session = controller.session
        session.background.begin(session.baselines.pin(chosen, controller.agent, name))
        say(chosen)

    def say(chosen: tuple[CaseKey, ...]) -> None:
        said = f"Pinned {count(len(chosen), 'case')}{_of(controller)} as "
        said += f"`{name}`" if name else "baseline"
        with_failing = f", {failing:,} failing" if failing and chosen is everything else ""
        undo = "Esc and z undo it" if controller.time_travel.is_past else "z undoes it"
        left = f", but not {count(unread, 'case')} of unreadable files" if unread else ""
        controller.say(f"{said}{with_failing}{left}; {undo}.")

    fresh = () if name else tuple(_fresh_trials(controller, everything))
    if not failing and not fresh:
        write(everything)
        return
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    all_of_them = "It" if len(everything) == 1 else f"All {len(everything):,}"
    choices = [
        Choice(
            "passing",
            f"Passing {made.passed:,} only",
            "p",
            f"not {made.nothing_asserted:,} that assert nothing" if made.nothing_asserted else "",
        ),
        Choice("all", f"{all_of_them} all the same", "a", "later failures are then no regression"),
    ]
    if not passing:
        del choices[0]
    counting = shown.failed + shown.errors
    muted = failing - counting
    title = f"Pins {count(counting, 'failing case')}" + f" and {muted:,} muted" * bool(muted)
    title += f", {shown.regressed:,} of them regressed" if shown.regressed else ""
    if not failing:
        title = f"Pins {count(len(everything), 'case')}"
        choices = [Choice("all", "As they are", "a", "cannot prove a regression")]

    def answer(choice: str) -> None:
        if choice == "fresh":
            controller.session.background.begin(_pin_fresh(controller, everything))
        else:
            write(passing if choice == "passing" else everything)

    controller.ask(Menu(title, [*choices, *fresh], again={"b": "all"}), answer)


def _fresh_trials(controller: DashboardController, keys: tuple[CaseKey, ...]) -> Iterator[Choice]:
    """The offer to try them so often first, where an agent may answer otherwise the next time."""
    session, agent = controller.session, controller.agent
    if agent not in session.store.sampled or controller.time_travel.is_past:
        return
    if session.why_not_run or session.fresh_pins.why_not(agent):
        return
    if not (keys := session.fresh_pins.asked(keys, agent)):
        return
    from evaltui.session.fresh_pins import USUAL_TRIALS
    from evaltui.tui.screens.picker import Choice
    from evaltui.tui.screens.which_run import cost

    said = cost(session.requests.estimate(keys, (agent,), USUAL_TRIALS))
    title = f"After {USUAL_TRIALS} fresh trials of each, {said}"
    yield Choice("fresh", title, "f", "can prove a later regression")


async def _pin_fresh(controller: DashboardController, keys: tuple[CaseKey, ...]) -> None:
    from evaltui.core.errors import UserError
    from evaltui.session.fresh_pins import USUAL_TRIALS

    session, agent = controller.session, controller.agent
    try:
        made = await session.fresh_pins.pin(keys, agent, USUAL_TRIALS)
    except UserError as error:
        controller.warn(str(error))
        return
    trials = sum(of.count for of in made.pinned.values())
    cases = count(len(made.pinned), "case")
    said = f"Pinned {cases}{_of(controller)} with {count(trials, 'trial')}; z undoes it."
    if not made.left:
        controller.say(said)
        return
    why = next(iter(made.left.values())).rstrip(".")
    controller.warn(f"{said} {count(len(made.left), 'case')} could not be pinned: {why}.")


def _of(controller: DashboardController) -> str:
    """` of @mini` where there are several agents: each has baselines of its own."""
    return f" of @{controller.agent_name}" if controller.is_several else ""


def _no_name(text: str) -> str | None:
    is_good = bool(text) and all(letter.isalnum() or letter in "-_." for letter in text)
    return None if is_good else "letters, digits, `-`, `_` and `.`"
