"""Every event as one JSON line: a recorded run, playable with `evaltui --replay`."""

import json
from typing import TextIO

from evaltui.core.events import CaseFinished, Event, EvidenceWeighed, RunFinished
from evaltui.core.json_value import Json
from evaltui.disk.codec import encode_event
from evaltui.reporters.ansi import inert_json
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.trials import case_facts, run_facts


class JsonlReporter:
    """Streams; a reader can follow the file while the run is on.

    Events of repeated cases, and ends of runs with some, have their `statistics` added, which a
    replay works out again.
    """

    def __init__(self, out: TextIO) -> None:
        self._framed = FramedOutput(out)

    def handle(self, event: Event) -> None:
        line = encode_event(event).decode()
        if statistics := _statistics(event):
            line = f'{line[:-1]},"statistics":{json.dumps(statistics)}}}'
        self._framed.add(inert_json(line) + "\n")
        self._framed.show()

    def close(self) -> None:
        self._framed.close()


def _statistics(event: Event) -> dict[str, Json]:
    match event:
        case CaseFinished(_, result):
            return case_facts(result)
        case RunFinished():
            return run_facts(case for suite in event.suites for case in suite.cases)
        case EvidenceWeighed(_, proofs):
            known = (one for one in proofs if one.sides.baseline.count and one.sides.now.count)
            return {str(one.key): {"e": one.told_e} for one in known}
        case _:
            return {}
