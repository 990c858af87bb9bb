"""A dialog with a field for each setting of an evaluator."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, Label, Static, TextArea

from evaltui.core.json_value import Json
from evaltui.evaluators.config_fields import ConfigField, FieldKind, FieldMistake
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.sentence import sentence
from evaltui.tui.screens.dialog import ESC_CANCELS, Dialog, KeyWords
from evaltui.tui.screens.text_line import TextLine
from evaltui.tui.themes import look_of

Config = dict[str, Json]
ReadConfig = Callable[[dict[str, str]], tuple[Config, Sequence[FieldMistake]]]


class ConfigForm(Dialog[Config]):
    """Answers with the settings, once there is no mistake in them."""

    is_tall = True
    DEFAULT_CSS = """
    ConfigForm.-tall > #box { height: auto; }
    ConfigForm.-tall VerticalScroll { height: auto; max-height: 70vh; }
    ConfigForm VerticalScroll { scrollbar-gutter: auto; }
    ConfigForm .field { margin-top: 1; }
    ConfigForm Input.-textual-compact { padding: 0 1; }
    ConfigForm TextArea {
        height: auto; min-height: 1; max-height: 9; border: none; padding: 0 1;
        background: $panel; color: $strong;
    }
    ConfigForm OneOf { height: 1; padding: 0 1; background: $panel; color: $strong; }
    ConfigForm OneOf:focus { background: $cursor; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "Go on", show=False, priority=True),
    ]

    def __init__(
        self, title: str, description: str, fields: Sequence[ConfigField], read: ReadConfig
    ) -> None:
        """`read` makes settings, or mistakes, of the texts of all fields by name."""
        super().__init__(
            title, (KeyWords("Tab next field"), KeyWords("ctrl+s continues", "submit"), ESC_CANCELS)
        )
        self._description, self._fields, self._read = description, fields, read
        self._inputs: dict[str, Input | TextArea | OneOf] = {}
        self._wrong: dict[str, Label] = {}
        self._names: dict[str, Label] = {}

    def parts(self) -> Iterable[Widget]:
        yield VerticalScroll(*self._lines(), can_focus=False)

    def on_mount(self) -> None:
        next(iter(self._inputs.values())).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_submit()

    def action_submit(self) -> None:
        config, mistakes = self._read({name: _text(one) for name, one in self._inputs.items()})
        if not mistakes:
            self.dismiss(config)
            return
        for label in self._wrong.values():
            label.display = False
        names = list(self._inputs)
        by_name = {one.name if one.name in names else names[-1]: one for one in reversed(mistakes)}
        for name, mistake in by_name.items():
            self._tell(self._wrong[name], mistake)
        first = next(name for name in names if name in by_name)
        self._inputs[first].focus()
        if isinstance(area := self._inputs[first], TextArea) and by_name[first].line:
            area.move_cursor((by_name[first].line - 1, by_name[first].column - 1))
        # From its name on: what is wrong, below it, may be further than there is room.
        self.call_after_refresh(self._names[first].scroll_visible, top=True, animate=False)

    def _tell(self, label: Label, mistake: FieldMistake) -> None:
        place = f"{mistake.line}:{mistake.column} " if mistake.line else ""
        look = look_of(self.app)
        label.update(sentence(sanitize(f"{place}{mistake.what}", look.is_ascii), look))
        label.display = True

    def _lines(self) -> Iterable[Widget]:
        look = look_of(self.app)
        if self._description:
            text = sanitize(self._description, look.is_ascii)
            yield Label(sentence(text, look), classes="quiet")
        for field in self._fields:
            said = "settings" if not field.name else f"`{field.name}`"
            said += " (needed)" if field.is_required else ""
            said += f"  {field.description}" if field.description else ""
            text = sanitize(said, look.is_ascii)
            self._names[field.name] = Label(sentence(text, look, "$quiet"), classes="field")
            yield self._names[field.name]
            self._inputs[field.name] = made = _widget(field, look.is_ascii)
            yield made
            self._wrong[field.name] = wrong = Label("", classes="alert", markup=False)
            wrong.display = False
            yield wrong


class OneOf(Static, can_focus=True):
    """One of some values, or none: the arrows and blanks turn it, a click too."""

    def __init__(self, field: ConfigField, is_ascii: bool) -> None:
        super().__init__("", markup=False)
        self._choices = field.choices if field.is_required else ("", *field.choices)
        self._unset = _unset(field)
        self._is_ascii = is_ascii
        self.value = field.text

    def on_mount(self) -> None:
        self._show()

    def turn(self, by: int) -> None:
        at = self._choices.index(self.value) + by if self.value in self._choices else 0
        self.value = self._choices[at % len(self._choices)]
        self._show()

    def on_key(self, event: events.Key) -> None:
        by = {"right": 1, "l": 1, "space": 1, "left": -1, "h": -1}.get(event.key, 0)
        if by:
            event.stop()
            self.turn(by)

    def on_click(self) -> None:
        self.turn(1)

    def _show(self) -> None:
        text = sanitize(self.value or self._unset, self._is_ascii)
        at = self._choices.index(self.value) + 1 if self.value in self._choices else 0
        self.update(f"< {text} >  {at or '-'}/{len(self._choices)}")


def _widget(field: ConfigField, is_ascii: bool) -> "Input | TextArea | OneOf":
    if field.kind is FieldKind.CHOICE:
        return OneOf(field, is_ascii)
    hint = sanitize(_unset(field), is_ascii)
    if field.kind is FieldKind.JSON:
        made: Any = TextArea(field.text, compact=True, highlight_cursor_line=False)
        made.placeholder = hint
        made.cursor_blink = False
        return made  # type: ignore[no-any-return]
    return TextLine(field.text, placeholder=hint, compact=True)


def _unset(field: ConfigField) -> str:
    default = f", then {field.default}" if field.default else ""
    kind = "" if field.kind is FieldKind.CHOICE else f"{field.kind.value}; "
    return f"{kind}not set{default}"


def _text(widget: "Input | TextArea | OneOf") -> str:
    return widget.text if isinstance(widget, TextArea) else widget.value
