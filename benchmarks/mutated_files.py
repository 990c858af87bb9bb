"""Files of every kind that evaltui reads, changed at random: it must answer, soon and with a place.

    python -m benchmarks.mutated_files --files 25000 --seed 1

Makes a small project, changes one of its files at a time and lets the program read it. Prints how
many were tried of each kind, and every exception, crash of the process, answer later than 5 s and
problem without a file or a way out, with the number that `--only` tries again.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

from tests.mutated.files import KINDS, make
from tests.mutated.trying import LIMIT_S, Finding, try_one

DEAD_AFTER_S = 6 * LIMIT_S
"""A process that does not even hear its alarm is killed."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=25_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="try this one again, in this process")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600, help="end after so long")
    flags = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="evaltui-mutated-"))
    template = folder / "template"
    template.mkdir()
    sys.stdout.flush()
    make(template)
    if flags.only is not None:
        print(try_one(template, folder / "one", flags.only))
        return 0
    numbers = range(flags.seed * 10_000_000, flags.seed * 10_000_000 + flags.files)
    tried, findings = _all(numbers, template, folder, flags.processes, flags.minutes * 60)
    for finding in findings:
        print(f"\n{finding.seed}  {finding.kind}: {finding.what}")
    print(f"\n{sum(tried.values())} files tried, {len(findings)} findings")
    for kind in KINDS:
        wrong = sum(finding.kind == kind.name for finding in findings)
        print(f"  {kind.name:<14} {tried[kind.name]:>6} {wrong:>4}")
    return 1 if findings else 0


def _all(
    numbers: range, template: Path, folder: Path, processes: int, limit_s: float
) -> tuple[Counter[str], list[Finding]]:
    tried, findings = Counter[str](), list[Finding]()
    ends_at = time.monotonic() + limit_s
    shares = [numbers[index::processes] for index in range(processes)]
    workers = [_Worker(template, folder / str(index), share) for index, share in enumerate(shares)]
    pending = list(workers)
    while pending and time.monotonic() < ends_at:
        for worker in pending.copy():
            for number, finding in worker.news():
                tried[KINDS[number % len(KINDS)].name] += 1
                if finding is not None:
                    findings.append(finding)
                    print(f"{number}  {finding.kind}: {finding.what.splitlines()[0]}", flush=True)
            if worker.is_done:
                pending.remove(worker)
    for worker in workers:
        worker.end()
    return tried, findings


class _Worker:
    """One process after the other: the next goes on behind the file at which the last one ended."""

    def __init__(self, template: Path, place: Path, numbers: range) -> None:
        self._template, self._place, self._left = template, place, numbers
        self._start()

    @property
    def is_done(self) -> bool:
        return not self._left

    def news(self) -> list[tuple[int, Finding | None]]:
        """What was tried since; a process that died or stands still is a finding of its file."""
        if not self._left:
            return []
        number = self._left[0]
        if self._answers.poll(0.2):
            try:
                finding = self._answers.recv()
            except EOFError:
                self._process.join()
                return [self._lost(number, f"crashed with {self._process.exitcode}")]
            self._left, self._since = self._left[1:], time.monotonic()
            return [(number, finding)]
        if time.monotonic() - self._since > DEAD_AFTER_S:
            return [self._lost(number, f"no answer after {DEAD_AFTER_S:.0f} s, killed")]
        return []

    def end(self) -> None:
        self._process.kill()
        self._process.join()

    def _lost(self, number: int, what: str) -> tuple[int, Finding]:
        self.end()
        self._left = self._left[1:]
        if self._left:
            self._start()
        return number, Finding(number, KINDS[number % len(KINDS)].name, what)

    def _start(self) -> None:
        self._answers, theirs = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.Process(
            target=_serve, args=(self._template, self._place, self._left, theirs), daemon=False
        )
        self._process.start()
        theirs.close()
        self._since = time.monotonic()


def _serve(template: Path, place: Path, numbers: range, answers: Connection) -> None:
    for number in numbers:
        answers.send(try_one(template, place, number))


if __name__ == "__main__":
    sys.exit(main())
