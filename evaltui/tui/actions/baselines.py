"""Baselines: pin, unpin, named ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.render.words import count

if TYPE_CHECKING:
    from evaltui.core.case import CaseKey
    from evaltui.tui.desk import Desk


def pin(desk: Desk) -> None:
    _pin(desk, _with_results(desk, desk.selection))


def menu(desk: Desk) -> None:
    """Everything about baselines that has no key of its own."""
    from evaltui.tui.screens.picker import Choice, Picker

    selection, everything = desk.selection, tuple(desk.board.rows)
    suite = selection[0].suite if selection else ""
    members = tuple(key for key in everything if key.suite == suite)
    names = desk.session.baseline_names(desk.agent)
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
        session, agent = desk.session, desk.agent
        match choice.split(":", 1):
            case ["pin"]:
                _pin(desk, _with_results(desk, selection))
            case ["pin-suite"]:
                _pin(desk, _with_results(desk, members))
            case ["pin-all"]:
                _pin(desk, _with_results(desk, everything))
            case ["name"]:
                _ask_name(desk)
            case ["unpin"]:
                session.unpin(selection, agent)
                desk.say(f"Unpinned {count(len(selection), 'case')}{_of(desk)}; z undoes it.")
            case ["unpin-all"]:
                session.unpin(everything, agent)
                desk.say(f"Unpinned all cases{_of(desk)}; z undoes it.")
            case ["use", name]:
                session.use_baseline(name, agent)
                desk.say(f"Compared with `{name}`{_of(desk)} now.")

    desk.ask(Picker(f"Baselines{_of(desk)}", choices), answer)


def no_results(desk: Desk) -> str | None:
    if not desk.selection:
        return "no case is chosen"
    if not _with_results(desk, desk.selection):
        return "there is no result to pin; r runs it"
    return None


def _ask_name(desk: Desk) -> None:
    from evaltui.tui.screens.prompt import Prompt

    keys = _with_results(desk, tuple(desk.board.rows))

    def answer(name: str) -> None:
        desk.session.pin(keys, desk.agent, name)
        desk.say(f"Pinned {count(len(keys), 'case')}{_of(desk)} as `{name}`; z undoes it.")

    desk.ask(
        Prompt("Name of the baseline", "", hint="E.g. before-the-rewrite", why_not=_no_name),
        answer,
    )


def _pin(desk: Desk, keys: tuple[CaseKey, ...]) -> None:
    if not keys:
        desk.warn("There is no result to pin; r runs the cases.")
        return
    desk.session.pin(keys, desk.agent)
    desk.say(f"Pinned {count(len(keys), 'case')}{_of(desk)} as baseline; z undoes it.")


def _of(desk: Desk) -> str:
    """` of @mini` where there are several agents: each has baselines of its own."""
    return f" of @{desk.agent_name}" if desk.is_several else ""


def _with_results(desk: Desk, keys: tuple[CaseKey, ...]) -> tuple[CaseKey, ...]:
    rows = desk.board.rows
    return tuple(key for key in keys if key in rows and rows[key].result is not None)


def _no_name(text: str) -> str | None:
    is_good = bool(text) and all(letter.isalnum() or letter in "-_." for letter in text)
    return None if is_good else "letters, digits, `-`, `_` and `.`"
