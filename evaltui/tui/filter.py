"""The filter language of the cases pane: `status:failed tool:get_weather !tag some text`."""

from msgspec import Struct

from evaltui.store.row import Row
from evaltui.tui.filter_terms import ALONE, Others, Test, test_of


class Filter(Struct, frozen=True):
    """A filter as parsed; a row must pass all of its terms."""

    text: str = ""
    tests: tuple[Test, ...] = ()
    mistake: str = ""
    """What could not be understood, and what can be written instead; the rest still filters."""
    asks_others: bool = False
    """Whether results of agents that are not shown decide about a row."""

    def matches(self, row: Row) -> bool:
        return all(test(row) for test in self.tests)


def parse(text: str, others: Others = ALONE) -> Filter:
    """Read a filter. A mistake never raises: the term is left out and named."""
    asks_others = False
    tests: list[Test] = []
    mistakes: list[str] = []
    for word in _words(text):
        is_negated = word[0] in "!-" and len(word) > 1
        term = word[1:] if is_negated else word
        try:
            test = test_of(term, others)
        except ValueError as error:
            mistakes.append(str(error))
            continue
        tests.append(_negated(test) if is_negated else test)
        asks_others = asks_others or term.startswith("@") or "diff" in term
    return Filter(text.strip(), tuple(tests), "; ".join(mistakes), asks_others)


def _negated(test: Test) -> Test:
    return lambda row: not test(row)


def _words(text: str) -> list[str]:
    """Split at blanks; double quotes hold a phrase together."""
    words: list[str] = []
    word, is_quoted = "", False
    for letter in text:
        if letter == '"':
            is_quoted = not is_quoted
        elif letter.isspace() and not is_quoted:
            words.append(word)
            word = ""
        else:
            word += letter
    return [word for word in (*words, word) if word]
