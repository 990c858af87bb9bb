"""The evaluators of a case or of the cases of a suite: add, configure, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.case_body import EvaluatorUse
from evaltui.tui.navigation import PaneId
from evaltui.tui.render.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaltui.core.file_edit import FileEdit
    from evaltui.core.json_value import JsonObject
    from evaltui.evaluators.registry import EvaluatorRegistry, Registered
    from evaltui.formats.evaluator_edits import EvaluatorPlaces, PlacedEvaluator
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.screens.picker import Choice

ADD, CONFIGURE, REMOVE = "add", "configure", "remove"
HEADINGS = {"assertion": "Assertions", "metric": "Metrics"}
UNKNOWN = "Not registered"
WIDTH = 50
"""Cells of a description in a menu."""


def edit(controller: DashboardController) -> None:
    """Of the suite that the focus is on, of those cases of it that the list shows below the heading
    under the cursor, or else of the case there."""
    suite, cases = _target(controller)
    _choose(controller, controller.session.edits.evaluators(suite, *cases))


def no_target(controller: DashboardController) -> str | None:
    target = _target(controller)[0]
    if not target:
        return "there is no case or suite under the cursor"
    known = (one for one in controller.session.store.suites if one.id == target)
    return next((one.why_not_written for one in known), "") or None


def _target(controller: DashboardController) -> tuple[str, tuple[str, ...]]:
    """Suite and cases; none where all of the suite are meant."""
    layout = controller.layout
    place = layout.navigation.pane
    if not layout.is_about_tool:
        if place is PaneId.SUITES and layout.suites.suite:
            return layout.suites.suite, ()
        if place is PaneId.DETAIL and layout.detail.suite:
            return layout.detail.suite, ()
        if place is PaneId.CASES and layout.cases.suite:
            below = tuple(key.case for key in layout.cases.keys_below)
            is_all = len(below) == controller.board.counts.of(layout.cases.suite).total
            return layout.cases.suite, () if is_all else below
    row = controller.row
    return (row.key.suite, (row.key.case,)) if row is not None else ("", ())


def _choose(controller: DashboardController, places: EvaluatorPlaces) -> None:
    """What there is; one is chosen, or to add another."""
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    registry = controller.session.edits.evaluator_registry
    placed = places.placed()
    choices = [Choice(ADD, "Add an evaluator", "a", "assertions decide, metrics measure")]
    for heading in (*HEADINGS.values(), UNKNOWN):
        choices += [
            _choice(one, f"{number}", registry, places)
            for number, one in enumerate(placed)
            if _heading(registry, one.use) == heading
        ]

    def answer(choice: str) -> None:
        if choice == ADD:
            _add(controller, places, registry)
        else:
            _card(controller, places, registry, placed[int(choice)].use)

    title = f"Evaluators of `{places.name}`"
    if not places.is_of_one:
        shown = ", those shown" if places.case_ids else ""
        title += f", {count(places.case_count, 'case')}{shown}"
    controller.ask(Menu(title, choices), answer)


def _choice(
    one: PlacedEvaluator, id_: str, registry: EvaluatorRegistry, places: EvaluatorPlaces
) -> Choice:
    from json import dumps

    from evaltui.tui.screens.picker import Choice

    known = registry.get(one.use.type)
    settings = dumps(one.use.config, ensure_ascii=False) if one.use.config else ""
    share = "" if places.is_of_one else f"{len(one.cases)} of {places.case_count}"
    note = "  ".join(part for part in (share, settings) if part)
    label = known.label if known is not None else one.use.type
    return Choice(id_, label, note=note, heading=_heading(registry, one.use))


def _heading(registry: EvaluatorRegistry, use: EvaluatorUse) -> str:
    known = registry.get(use.type)
    return HEADINGS.get(known.kind, UNKNOWN) if known is not None else UNKNOWN


def _add(
    controller: DashboardController, places: EvaluatorPlaces, registry: EvaluatorRegistry
) -> None:
    from evaltui.tui.screens.picker import Choice, Picker

    choices = [
        Choice(
            one.definition.type,
            one.definition.label,
            note=one.definition.description or "",
            heading=heading,
        )
        for kind, heading in HEADINGS.items()
        for one in registry
        if one.definition.kind == kind
    ]

    def answer(type_: str) -> None:
        known = registry.registered(type_)
        if known is None:
            return
        _configure(controller, places, known, EvaluatorUse(type_), is_new=True)

    controller.ask(Picker(f"Add to `{places.name}`", choices), answer)


def _card(
    controller: DashboardController,
    places: EvaluatorPlaces,
    registry: EvaluatorRegistry,
    use: EvaluatorUse,
) -> None:
    """What it is, and what can be done with it."""
    from textwrap import wrap

    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    known = registry.registered(use.type)
    why_not = ""
    if known is None:
        why_not = "no evaluator of this type is loaded"
    elif not _fields(known, use):
        why_not = "it has no settings"
    said = f"{known.definition.kind}. {known.definition.description or ''}" if known else ""
    choices = [
        Choice(CONFIGURE, "Configure", "c", why_not=why_not),
        Choice(REMOVE, "Remove", "d"),
        *(Choice(f"text:{line}", line, is_text=True) for line in wrap(said, WIDTH)),
    ]

    def answer(choice: str) -> None:
        if choice == REMOVE:
            _preview(controller, places, places.removed(use))
        elif known is not None:
            _configure(controller, places, known, use, is_new=False)

    name = known.definition.label if known is not None else use.type
    controller.ask(Menu(f"`{name}` of `{places.name}`", choices), answer)


def _fields(known: Registered, use: EvaluatorUse) -> bool:
    from evaltui.evaluators.config_fields import fields_of

    return bool(fields_of(known.definition.config_schema, use.config))


def _configure(
    controller: DashboardController,
    places: EvaluatorPlaces,
    known: Registered,
    use: EvaluatorUse,
    *,
    is_new: bool,
    typed: JsonObject | None = None,
) -> None:
    """A form of its settings, where it has some; then the change is shown.

    `typed`: what was typed into it before the change was shown and not agreed to.
    """
    from evaltui.evaluators.config_fields import fields_of, read_fields

    definition = known.definition
    fields = fields_of(definition.config_schema, use.config if typed is None else typed)

    def answer(config: object) -> None:
        assert isinstance(config, dict)
        wanted = EvaluatorUse(use.type, config)

        def go_back(places: EvaluatorPlaces) -> None:
            _configure(controller, places, known, use, is_new=is_new, typed=config)

        made = places.added(wanted) if is_new else places.changed(use, wanted)
        _preview(controller, places, made, go_back if fields else None)

    if not fields:
        answer({})
        return
    from evaltui.tui.screens.config_form import ConfigForm

    controller.ask(
        ConfigForm(
            f"{definition.label} of `{places.name}`",
            definition.description or "",
            fields,
            lambda texts: read_fields(fields, texts, known.schema),
        ),
        answer,
    )


def _preview(
    controller: DashboardController,
    places: EvaluatorPlaces,
    made: FileEdit,
    go_back: Callable[[EvaluatorPlaces], None] | None = None,
) -> None:
    """Shown, written when it is agreed to; then the evaluators again, as they are now. Otherwise
    back to where it was typed; also where the file was changed meanwhile, and nothing written."""
    from evaltui.core.errors import ChangedSinceError
    from evaltui.tui.screens.preview import Preview

    def answer(_: object) -> None:
        edits, root = controller.session.edits, controller.session.config.root
        suite = places.file.relative_to(root).as_posix()
        try:
            edits.apply(made)
        except ChangedSinceError:
            controller.warn(f"`{made.file.name}` changed meanwhile, and nothing was written.")
            if go_back is not None:
                go_back(edits.evaluators(suite, *places.case_ids))
            return
        controller.say(f"Wrote `{made.file.name}`; Esc, then z undoes it.")
        _choose(controller, edits.evaluators(suite, *places.case_ids))

    def leave() -> None:
        if go_back is not None:
            go_back(places)

    controller.ask(Preview(made, controller.session.config.root), answer, leave)
