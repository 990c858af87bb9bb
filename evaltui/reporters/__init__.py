"""Sinks that print or write: each hears the same events as the screen."""

from importlib import import_module
from typing import Protocol, TextIO

from evaltui.core.errors import UserError
from evaltui.core.sink import Sink

REPORTERS = {
    "console": "evaltui.reporters.console:ConsoleReporter",
    "jsonl": "evaltui.reporters.jsonl:JsonlReporter",
    "junit": "evaltui.reporters.junit:JunitReporter",
    "markdown": "evaltui.reporters.markdown:MarkdownReporter",
    "github": "evaltui.reporters.github:GithubReporter",
    "evidence": "evaltui.reporters.evidence:EvidenceReporter",
    "otel": "evaltui.reporters.otel:OtelReporter",
}
PLACES = {"evidence": "runs/1", "otel": "http://localhost:4318"}
"""Reporters that are told a place, a folder or an address, and an example of one."""


class Reporter(Sink, Protocol):
    """A sink with an end: `close` writes what can only be written last."""

    def close(self) -> None: ...


def make_reporter(name: str, out: TextIO | str, **options: bool) -> Reporter:
    """A reporter that writes to `out`, one of PLACES to that; `options` are its own.

    Raises UserError for a name that is not in REPORTERS.
    """
    target = REPORTERS.get(name)
    if target is None:
        raise UserError(
            f"There is no reporter `{name}`.", f"Choose one of: {', '.join(REPORTERS)}."
        )
    module, _, attribute = target.partition(":")
    reporter: Reporter = getattr(import_module(module), attribute)(out, **options)
    return reporter
