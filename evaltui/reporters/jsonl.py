"""Every event as one JSON line: a recorded run, playable with `evaltui --replay`."""

import json
from typing import TextIO

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    DetailLoaded,
    Event,
    EvidenceWeighed,
    RunFinished,
    RunStarted,
)
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.proof import Proof
from evaltui.core.result import CaseStatus
from evaltui.disk.codec import encode_event
from evaltui.reporters.ansi import inert_json
from evaltui.reporters.framed import FramedOutput
from evaltui.reporters.trials import case_facts, run_facts


class JsonlReporter:
    """Streams; a reader can follow the file while the run is on.

    Events of repeated cases, and ends of runs with some, have their `statistics` added, which a
    replay works out again. A case finishes once: in a run that tries again what is undecided, one
    that failed is told when no more attempts follow, before the end of its run. Earlier results
    that are read from the history are not told: whoever reads lines would take them for new ones.
    """

    def __init__(self, out: TextIO) -> None:
        self._framed = FramedOutput(out)
        self._held: dict[str, dict[CaseKey, CaseFinished]] = {}
        """By run what is told later."""

    def handle(self, event: Event) -> None:
        match event:
            case DetailLoaded():
                return
            case RunStarted(run_id) if event.tries_again:
                self._held[run_id] = {}
            case CaseFinished(run_id, result) if run_id in self._held:
                if result.status is CaseStatus.FAILED:
                    self._held[run_id][result.key] = event
                    return
            case RunFinished(run_id):
                self._tell_held(run_id)
            case _:
                pass
        self._tell(event)

    def close(self) -> None:
        for run_id in tuple(self._held):
            self._tell_held(run_id)
        self._framed.close()

    def _tell_held(self, run_id: str) -> None:
        for held in self._held.pop(run_id, {}).values():
            self._tell(held)

    def _tell(self, event: Event) -> None:
        line = encode_event(event).decode()
        if statistics := _statistics(event):
            line = f'{line[:-1]},"statistics":{json.dumps(statistics)}}}'
        self._framed.add(inert_json(line) + "\n")
        self._framed.show()


def _statistics(event: Event) -> dict[str, Json]:
    match event:
        case CaseFinished(_, result):
            return case_facts(result)
        case RunFinished():
            return run_facts(case for suite in event.suites for case in suite.cases)
        case EvidenceWeighed(_, proofs):
            known = (one for one in proofs if one.sides.baseline.count and one.sides.now.count)
            return {str(one.key): _e_values(one) for one in known}
        case _:
            return {}


def _e_values(proof: Proof) -> JsonObject:
    """Of one that may be better, and is not proven to be, that of the rise besides."""
    if proof.bar_if_better is None:
        return {"e": proof.e_for_json}
    return {"e": proof.e_for_json, "e_of_rise": proof.e_of_rise_for_json}
