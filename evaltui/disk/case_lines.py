"""Cases as JSON, each on one line; nothing that was encoded a moment ago is encoded again."""

from typing import Generic, TypeVar

from evaltui.core.result import CaseResult
from evaltui.core.verdict import Verdict
from evaltui.disk.case_json import case_to_json, verdict_to_json
from evaltui.disk.codec import encode

T = TypeVar("T")


def encode_case(case: CaseResult, *, brief: bool = False) -> bytes:
    """One case of a result file; `brief` leaves out verdicts and conversation.

    A case is written twice, to the journal as it ends and to the result file soon after; and half
    of what it says are its verdicts, of which most cases of a run have the same ones.
    """
    if brief:
        return encode(case_to_json(case, brief=True))
    line = _cases.get(case)
    if line is None:
        line = encode(case_to_json(case))
        if case.verdicts:
            verdicts = b",".join(map(_encode_verdict, case.verdicts))
            line = line[:-1] + b',"verdicts":[' + verdicts + b"]}"
        _cases.keep(case, line)
    return line


def forget_cases() -> None:
    """After a run, whose results are on disk then: what is kept here keeps results alive."""
    _cases.clear()
    _verdicts.clear()


def _encode_verdict(verdict: Verdict) -> bytes:
    line = _verdicts.get(verdict)
    if line is None:
        line = encode(verdict_to_json(verdict))
        _verdicts.keep(verdict, line)
    return line


class _Encoded(Generic[T]):
    """Encodings by the identity of what was encoded, which must not change any more.

    Holding an object keeps its identity from being given to another one. When there are more bytes
    than allowed all are forgotten: then the newest are encoded twice at most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._lines: dict[int, tuple[T, bytes]] = {}

    def get(self, one: T) -> bytes | None:
        found = self._lines.get(id(one))
        return found[1] if found else None

    def keep(self, one: T, line: bytes) -> None:
        self._size += len(line)
        if self._size > self._most:
            self.clear()
            self._size = len(line)
        self._lines[id(one)] = one, line

    def clear(self) -> None:
        self._lines.clear()
        self._size = 0


_cases = _Encoded[CaseResult](8 << 20)
_verdicts = _Encoded[Verdict](1 << 20)
