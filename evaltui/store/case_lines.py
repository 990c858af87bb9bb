"""Cases as JSON, each on one line: what many of them say alike is encoded once."""

from evaltui.core.result import CaseResult
from evaltui.core.verdict import Verdict
from evaltui.store.case_json import case_to_json, verdict_to_json
from evaltui.store.codec import encode

_MOST = 1_000
_LONGEST = 2_000
"""Bytes; a longer verdict is hardly another case's too."""

_encoded: dict[int, tuple[Verdict, bytes]] = {}
"""By identity: the runner gives equal verdicts of a run the same object. Holding the object keeps
its identity from being given to another one."""


def encode_case(case: CaseResult, *, brief: bool = False) -> bytes:
    """One case of a result file; `brief` leaves out verdicts and conversation.

    Half of what a case says are its verdicts, and most cases of a run say the same ones; a case
    is written twice, to the journal and to the result file.
    """
    line = encode(case_to_json(case, brief=brief))
    if brief or not case.verdicts:
        return line
    return line[:-1] + b',"verdicts":[' + b",".join(map(_encode_verdict, case.verdicts)) + b"]}"


def _encode_verdict(verdict: Verdict) -> bytes:
    known = _encoded.get(id(verdict))
    if known is not None:
        return known[1]
    line = encode(verdict_to_json(verdict))
    if len(line) <= _LONGEST:
        if len(_encoded) >= _MOST:
            _encoded.clear()
        _encoded[id(verdict)] = verdict, line
    return line
