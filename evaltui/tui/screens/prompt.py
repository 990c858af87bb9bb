"""A dialog that asks for one line of text."""

from collections.abc import Callable, Iterable

from textual.widget import Widget
from textual.widgets import Input, Label

from evaltui.tui.render.sentence import sentence
from evaltui.tui.screens.dialog import ESC_CANCELS, Dialog, KeyWords
from evaltui.tui.screens.text_line import TextLine
from evaltui.tui.themes import look_of


class Prompt(Dialog[str]):
    """Answers with the stripped text; `why_not` says what is wrong with it, if anything."""

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        hint: str = "",
        why_not: Callable[[str], str | None] = lambda _: None,
        takes: str | None = None,
    ) -> None:
        """`takes`: a pattern of all that can be typed; anything without one."""
        super().__init__(title, (KeyWords("Enter confirms", "confirm"), ESC_CANCELS))
        self._text, self._hint, self._why_not, self._takes = text, hint, why_not, takes

    def parts(self) -> Iterable[Widget]:
        yield TextLine(self._text, compact=True, restrict=self._takes)
        yield Label(sentence(self._hint, look_of(self.app)), classes="quiet")
        yield Label("", classes="alert", id="wrong", markup=False)

    def on_mount(self) -> None:
        self.query_one("#wrong").display = False

    async def action_confirm(self) -> None:
        await self.query_one(Input).action_submit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        reason = self._why_not(text)
        if reason is None:
            self.dismiss(text)
            return
        wrong = self.query_one("#wrong", Label)
        wrong.update(sentence(reason, look_of(self.app)))
        wrong.display = True
