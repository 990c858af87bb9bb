"""Record the streams again: `python -m tests.streams.record`. Only needed when events change."""

from collections.abc import Iterable
from pathlib import Path

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ProblemFound
from evaltui.disk.codec import encode_event
from tests.tui import scene

FOLDER = Path(__file__).resolve().parent
MISTAKE = Problem(
    "evals/send_email.labeled.json",
    "expected `,` or `}`",
    "Add a comma after line 11.",
    line=12,
    column=5,
    code="json",
)


def run_under_way() -> Iterable[Event]:
    """A known board with something of everything, and a run that is half through."""
    made = scene.suites(48)
    yield from scene.opened(made)
    yield ProblemFound(MISTAKE, scene.NOW)
    yield from scene.run(scene.cases_of(made)[:16], done=9, at=scene.NOW)


def run_ended() -> Iterable[Event]:
    """The same board after the run."""
    made = scene.suites(48)
    yield from scene.opened(made)
    yield from scene.run(scene.cases_of(made)[:16], at=scene.NOW)


STREAMS = {"under_way": run_under_way, "ended": run_ended}


def main() -> None:
    for name, events in STREAMS.items():
        lines = b"\n".join(encode_event(event) for event in events())
        (FOLDER / f"{name}.jsonl").write_bytes(lines + b"\n")


if __name__ == "__main__":
    main()
