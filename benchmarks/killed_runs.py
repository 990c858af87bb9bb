"""Runs and dashboards that are killed, or told to end, at random moments: is anything lost or left?

    python -m benchmarks.killed_runs [--kills 300] [--signals 100] [--seed 1]

Each moment is one of `evaltui run`, `evaltui run --resume` and the dashboard in a pseudo-terminal,
a third each; in a third of each the agent is a program that is started for each case. After it no
file may be torn, no process left and nothing locked; what was printed is not asked for again by
`evaltui run --resume`, which prints the rest. After a signal that can be heard, once or twice, the
terminal is as before; after a kill nobody is left to put it back. Prints the counts, and each
finding with its moment; `--only` tries one moment again.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.left_by_killed import left_processes, printed_ids, torn_files
from benchmarks.project_folder import write_project
from benchmarks.resume import CountingServer
from tests.terminal import EVALTUI, Terminal, plain_environment

CASES, SUITES, CONCURRENCY, LATENCY_S = 48, 3, 4, 0.02
LIMIT_S = 60.0
"""A start that takes longer waits for something that the killed one held."""
KILL = (signal.SIGKILL,)
HEARD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
MARK = "EVALTUI_KILLED_RUN"
"""In the environment of everything that a moment starts."""
PRIVATE_MODES = (1000, 1002, 1003, 1006, 1015, 1004, 1049, 2004)
"""Mouse, focus, alternate screen and marked pastes: off when nothing is left switched on."""
CURSOR = 25
ASK = """import http.client, json, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("POST", "/chat", sys.stdin.read(), {"Content-Type": "application/json"})
print(connection.getresponse().read().decode())
"""
"""The program: it hands the question on to the server that counts."""
COMMAND = """[agents.mine]
type = "command"
command = [{python}, "ask.py", "{port}"]
is_free = true
"""
PASSED = re.compile(r"✓[^│\n]*?(gs-get-weather-\d{5})")


class Moment(NamedTuple):
    """What is interrupted, how, and when."""

    number: int
    what: str
    signals: tuple[signal.Signals, ...]
    share: float
    """Of the time that an undisturbed one takes, from its start."""
    answers: int
    """How many its agent has to have given besides; 0: whatever it gave."""
    pause_s: float
    """Between two signals."""
    is_program: bool = False
    """Whether a program is asked, which could be left running."""

    @property
    def how(self) -> str:
        return "+".join(one.name for one in self.signals)


def moments(kills: int, signals: int, seed: int) -> list[Moment]:
    """The same for the same numbers."""
    draw = random.Random(seed)
    made: list[Moment] = []
    for number in range(kills + signals):
        sent: tuple[signal.Signals, ...] = KILL
        if number >= kills:
            first = draw.choice(HEARD)
            sent = (first,) if draw.random() < 0.5 else (first, draw.choice((first, *HEARD)))
        # Most of the time of a short run is its start, most of what can go wrong comes after it.
        share, answers = draw.choice(
            ((draw.uniform(0.0, 1.05), 0), (0.0, draw.randint(1, CASES)), (0.0, CASES))
        )
        what = ("run", "resume", "dashboard")[number % 3]
        pause_s = draw.choice((0.0, 0.002, 0.05, 0.3))
        is_program = number // 3 % 3 == 0
        made.append(Moment(number, what, sent, share, answers, pause_s, is_program))
    return made


class Series:
    """All moments, one after the other; the agent answers from a thread of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = CountingServer(LATENCY_S)
        self._takes: dict[str, float] = {}
        self.findings: list[tuple[Moment, str]] = []
        self.counts: Counter[str] = Counter()
        self.midway: Counter[str] = Counter()
        """Those at which some results had been shown, and not all."""

    def try_one(self, moment: Moment) -> None:
        root = self._folder / f"{moment.number}"
        root.mkdir()
        self._write(root, is_program=moment.is_program)
        shown: set[str] = set()
        if moment.what == "dashboard":
            wrong = self._dashboard(root, moment, shown)
        else:
            wrong = self._command(root, moment, shown)
        wrong += [f"torn: {name}" for name in torn_files(root)]
        wrong += [f"left running: {name}" for name in left_processes(MARK, root)]
        wrong += self._rest(root, moment, shown)
        self.findings += [(moment, one) for one in wrong]
        self.counts[f"{moment.what} {moment.how}"] += 1
        self.midway[moment.what] += 0 < len(shown) < CASES

    def _write(self, root: Path, *, is_program: bool) -> None:
        write_project(root, CASES, SUITES)
        if is_program:
            (root / "ask.py").write_text(ASK)
            of = {"python": json.dumps(sys.executable), "port": self._server.port}
            (root / "evaltui.toml").write_text(COMMAND.format(**of))

    def _options(self, root: Path) -> list[str]:
        agent = [f"http://127.0.0.1:{self._server.port}/chat"]
        if (root / "ask.py").exists():
            agent = ["mine", "--trust"]
        known = ["--agent", *agent, "--registry", "tools.json", "--output-dir", "results"]
        return [*known, "--concurrency", str(CONCURRENCY)]

    def _start(self, root: Path, *more: str) -> "subprocess.Popen[bytes]":
        with (root / "out.txt").open("wb") as out, (root / "err.txt").open("wb") as err:
            return subprocess.Popen(
                [*EVALTUI, "run", *self._options(root), *more],
                cwd=root,
                env={**os.environ, MARK: str(root)},
                stdout=out,
                stderr=err,
                restore_signals=True,
            )

    def _command(self, root: Path, moment: Moment, shown: set[str]) -> list[str]:
        more: tuple[str, ...] = ()
        typical = self._typical("run", is_program=moment.is_program)
        if moment.what == "resume":  # there is something to go on with
            first = self._start(root)
            self._wait_for_answers(CASES // 4, first)
            first.kill()
            first.wait()
            shown |= printed_ids((root / "out.txt").read_bytes())
            more = ("--resume",)
        process = self._start(root, *more)
        self._wait(process, moment.share * typical)
        # Less is left to be asked where a run is gone on with.
        self._wait_for_answers(moment.answers - len(shown), process)
        self._settle(moment, time.sleep)
        code = self._send(process, moment)
        shown |= printed_ids((root / "out.txt").read_bytes())
        said = (root / "err.txt").read_text("utf-8", "replace")
        ends = {0, 1, 2} | {end for one in moment.signals for end in (-one, 128 + one)}
        wrong = [f"exit code {code}: {said[-600:]}"] if code not in ends else []
        # A second Ctrl+C breaks off whatever is under way: Python says where.
        return wrong + ([f"said {said[-1500:]}"] if "own." in said else [])

    def _dashboard(self, root: Path, moment: Moment, shown: set[str]) -> list[str]:
        """It runs by itself what never ran; asked to run it again, it would ask again."""
        known = {**plain_environment(), MARK: str(root)}
        typical = self._typical("dashboard", is_program=moment.is_program)
        at = time.monotonic() + (moment.share * typical if moment.share else LIMIT_S)
        goal = self._server.answered.total() + (moment.answers or CASES * 2)
        program = Terminal([*EVALTUI, *self._options(root)], root, environment=known)
        try:
            while time.monotonic() < at and self._server.answered.total() < goal:
                program.read(min(0.02, max(0.0, at - time.monotonic())))
            self._settle(moment, program.read)
            shown |= set(PASSED.findall(program.text))
            for number, sent in enumerate(moment.signals):
                time.sleep(moment.pause_s if number else 0)
                os.kill(program.pid, sent)
            code = program.ends(LIMIT_S)
            if moment.signals == KILL:
                shown |= set(PASSED.findall(program.text))
                # Nobody is left who could put the terminal back: docs/decisions/0017.
                return ["the terminal was put back"] if program.after_dashboard else []
            is_on = [mode for mode in PRIVATE_MODES if program.modes.get(mode)]
            is_on += [] if program.modes.get(CURSOR, True) else [CURSOR]
            wrong = [f"modes left: {is_on}"] if is_on else []
            if b"Traceback" in program.written:
                wrong.append(f"said {bytes(program.after_dashboard[-1500:])!r}")
            ends = {0} | {end for one in moment.signals for end in (-one, 128 + one)}
            return wrong + ([f"exit code {code}"] if code not in ends else [])
        except AssertionError as error:
            return [str(error)[:300]]
        finally:
            program.close()

    def _rest(self, root: Path, moment: Moment, shown: set[str]) -> list[str]:
        """Go on with what was interrupted, to its end: what is wrong with that."""
        before = Counter(self._server.answered)
        process = self._start(root, "--resume")
        try:
            code = process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return [f"the next start has not ended after {LIMIT_S:.0f} s"]
        out, said = (root / "out.txt").read_bytes(), (root / "err.txt").read_text("utf-8")
        after = {number_of(message) for message in self._server.answered - before}
        wrong = []
        if again := after & {int(name.rpartition("-")[2]) for name in shown}:
            wrong.append(f"asked again though shown: {sorted(again)}")
        known = shown | printed_ids(out)
        if "No run was interrupted" in said:
            # Of the dashboard only the rows in sight are known.
            if 0 < len(known) < CASES and moment.what != "dashboard":
                wrong.append(f"{CASES - len(known)} cases are unprinted, and nothing is left")
        elif code not in (0, 1):
            wrong.append(f"the next start: exit code {code}: {said[-600:]}")
        elif len(printed_ids(out)) != CASES:
            wrong.append(f"the next start printed {len(printed_ids(out))} of {CASES} cases")
        return wrong + [f"torn: {name}" for name in torn_files(root, is_over=True)]

    def _send(self, process: "subprocess.Popen[bytes]", moment: Moment) -> int:
        for number, sent in enumerate(moment.signals):
            self._wait(process, moment.pause_s if number else 0)
            process.send_signal(sent)
        try:
            return process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return 99

    def _wait(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.001)

    def _wait_for_answers(self, count: int, process: "subprocess.Popen[bytes]") -> None:
        goal = self._server.answered.total() + count
        while self._server.answered.total() < goal and process.poll() is None:
            time.sleep(0.0005)

    def _settle(self, moment: Moment, rest: Callable[[float], object]) -> None:
        """After an answer: until it is recorded, printed, the last one, written, or nothing yet."""
        if moment.answers:
            longest = 0.4 if moment.answers == CASES else 0.03
            rest(random.Random(moment.number).random() * longest)

    def _typical(self, what: str, *, is_program: bool) -> float:
        """Seconds of an undisturbed one of this kind, from start to end."""
        kind = f"{what} of a program" if is_program else what
        if kind not in self._takes:
            root = self._folder / f"typical {kind}"
            root.mkdir()
            self._write(root, is_program=is_program)
            began = time.monotonic()
            if what == "dashboard":
                program = Terminal([*EVALTUI, *self._options(root)], root)
                program.shows(f"✓{CASES}", limit_s=LIMIT_S)
                program.close()
            else:
                self._start(root).wait()
            self._takes[kind] = time.monotonic() - began
        return self._takes[kind]


def number_of(message: str) -> int:
    """Of the case that asks it."""
    return int("".join(filter(str.isdigit, message)) or -1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--signals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one moment")
    flags = parser.parse_args()
    # A job in the background is deaf to Ctrl+C, and so would be what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="evaltui-killed-") as name:
        series = Series(Path(name))
        for moment in moments(flags.kills, flags.signals, flags.seed):
            if flags.only in (None, moment.number):
                known = len(series.findings)
                series.try_one(moment)
                for found, wrong in series.findings[known:]:
                    print(json.dumps([found.number, found.what, found.how, found.share, wrong]))
                sys.stdout.flush()
    for what, count in sorted(series.counts.items()):
        print(f"  {what:<32} {count:>4}")
    print("midway:", ", ".join(f"{what} {count}" for what, count in series.midway.items()))
    print(f"{sum(series.counts.values())} moments, {len(series.findings)} findings")
    return 1 if series.findings else 0


if __name__ == "__main__":
    sys.exit(main())
