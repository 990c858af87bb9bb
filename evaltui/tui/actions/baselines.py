"""Baselines: pin, unpin, named ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.render.words import count

if TYPE_CHECKING:
    from evaltui.core.case import CaseKey
    from evaltui.tui.controller import DashboardController


def pin(controller: DashboardController) -> None:
    _pin(controller, _with_results(controller, controller.selection))


def menu(controller: DashboardController) -> None:
    """Everything about baselines that has no key of its own."""
    from evaltui.tui.screens.picker import Choice, Picker

    selection, everything = controller.selection, tuple(controller.board.rows)
    suite = selection[0].suite if selection else ""
    members = tuple(key for key in everything if key.suite == suite)
    names = controller.session.baseline_names(controller.agent)
    choices = [
        Choice("pin", f"Pin the selection ({count(len(selection), 'case')})"),
        Choice("pin-suite", f"Pin the suite ({count(len(members), 'case')})", note=suite),
        Choice("pin-all", f"Pin all {count(len(everything), 'case')}"),
        Choice("name", "Pin all under a name"),
        Choice("unpin", f"Unpin the selection ({count(len(selection), 'case')})"),
        Choice("unpin-all", "Unpin all"),
        *(Choice(f"use:{name}", f"Compare with `{name}`") for name in names),
    ]

    def answer(choice: str) -> None:
        session, agent = controller.session, controller.agent
        match choice.split(":", 1):
            case ["pin"]:
                _pin(controller, _with_results(controller, selection))
            case ["pin-suite"]:
                _pin(controller, _with_results(controller, members))
            case ["pin-all"]:
                _pin(controller, _with_results(controller, everything))
            case ["name"]:
                _ask_name(controller)
            case ["unpin"]:
                session.unpin(selection, agent)
                controller.say(
                    f"Unpinned {count(len(selection), 'case')}{_of(controller)}; z undoes it."
                )
            case ["unpin-all"]:
                session.unpin(everything, agent)
                controller.say(f"Unpinned all cases{_of(controller)}; z undoes it.")
            case ["use", name]:
                session.use_baseline(name, agent)
                controller.say(f"Compared with `{name}`{_of(controller)} now.")

    controller.ask(Picker(f"Baselines{_of(controller)}", choices), answer)


def no_results(controller: DashboardController) -> str | None:
    if not any(controller.selected_rows()):
        return "no case is chosen"
    if not any(row.result is not None for row in controller.selected_rows()):
        return "there is no result to pin; r runs it"
    return None


def _ask_name(controller: DashboardController) -> None:
    from evaltui.tui.screens.prompt import Prompt

    keys = _with_results(controller, tuple(controller.board.rows))

    def answer(name: str) -> None:
        controller.session.pin(keys, controller.agent, name)
        controller.say(
            f"Pinned {count(len(keys), 'case')}{_of(controller)} as `{name}`; z undoes it."
        )

    controller.ask(
        Prompt("Name of the baseline", "", hint="E.g. before-the-rewrite", why_not=_no_name),
        answer,
    )


def _pin(controller: DashboardController, keys: tuple[CaseKey, ...]) -> None:
    if not keys:
        controller.warn("There is no result to pin; r runs the cases.")
        return
    controller.session.pin(keys, controller.agent)
    controller.say(f"Pinned {count(len(keys), 'case')}{_of(controller)} as baseline; z undoes it.")


def _of(controller: DashboardController) -> str:
    """` of @mini` where there are several agents: each has baselines of its own."""
    return f" of @{controller.agent_name}" if controller.is_several else ""


def _with_results(
    controller: DashboardController, keys: tuple[CaseKey, ...]
) -> tuple[CaseKey, ...]:
    rows = controller.board.rows
    return tuple(key for key in keys if key in rows and rows[key].result is not None)


def _no_name(text: str) -> str | None:
    is_good = bool(text) and all(letter.isalnum() or letter in "-_." for letter in text)
    return None if is_good else "letters, digits, `-`, `_` and `.`"
