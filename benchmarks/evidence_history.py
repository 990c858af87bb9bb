"""What the evidence of a long history costs: 20,000 pinned cases, 50 runs of each, a sampled agent.

    python -m benchmarks.evidence_history

Of the first frame nothing: what it asks of the history takes as long as with one run. Of a save the
look-ups of what is about to run, and weighing what came of it.
"""

import argparse
import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.proven_regressions import AGENT, Simulated, World, known, opened, write, write_tools
from evaltui.core.events import CaseFinished, ProjectRead
from evaltui.core.result import CaseResult
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.history.history import History
from evaltui.disk.history.run_record import RunRecord
from evaltui.session import Session

SAVED, ROUNDS = 50, 20
"""Cases that a save affects, and how often it is measured."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=50)
    flags = parser.parse_args()
    with TemporaryDirectory(prefix="evaltui-") as folder:
        asyncio.run(measure(Path(folder), flags.cases, flags.runs))


async def measure(root: Path, cases: int, runs: int) -> None:
    known()
    messages = [f"case {number}" for number in range(cases)]
    world = Simulated.world = World(1)
    world.rates = dict.fromkeys(messages, 0.9)
    write(root, messages)
    write_tools(root, "Finds orders.")
    session = await opened(root)
    results = await _pinned(session)
    print(f"first frame, 1 run: {_first_frame(root):.1f} ms")
    _lengthen(session.history, results, runs)
    await session.close()
    print(f"first frame, {runs} runs: {_first_frame(root):.1f} ms")
    write_tools(root, "Looks orders up.")
    began = time.perf_counter()
    session = await opened(root)
    print(f"opened with all results: {time.perf_counter() - began:.2f} s")
    began = time.process_time()
    await session.evidence(AGENT).load()
    print(f"all evidence read beside it: {time.process_time() - began:.2f} s of the processor")
    await _save(session, results)
    await session.close()


async def _pinned(session: Session) -> list[CaseResult]:
    keys = tuple(session.store.board(AGENT).rows)
    await session.run(keys)
    await session.baselines.pin(keys, AGENT)
    rows = session.store.board(AGENT).rows.values()
    return [row.result for row in rows if row.result is not None]


def _lengthen(history: History, results: list[CaseResult], runs: int) -> None:
    """As if all had run so often, a minute apart."""
    for number in range(2, runs + 1):
        run, at = f"run-{number}", 60.0 * number
        late = (replace(one, run_id=run, finished_at=one.finished_at + at) for one in results)
        history.record(RunRecord(run, number, AGENT, "", "completed", at, at), late)


def _first_frame(root: Path) -> float:
    """All that is read for it, the opening included."""
    folder = root / ".evaltui"
    return median(_took(lambda: read_first_results(folder, AGENT)) for _ in range(5))


async def _save(session: Session, results: list[CaseResult]) -> None:
    """What evidence adds to a save that affects some cases: before they run, and after."""
    evidence, taken = session.evidence(AGENT), list[float]()
    read = ProjectRead(
        session.store.suites, session.store.registry, (), sampled=tuple(session.store.sampled)
    )
    for round_ in range(ROUNDS):
        some = results[round_ * SAVED : (round_ + 1) * SAVED]
        began = time.process_time()
        await evidence.prepare([one.key for one in some], session.project, 1)
        prepared = time.process_time() - began
        session.emit(read)
        for one in some:
            session.emit(CaseFinished("r", replace(one, run_id="r")))
        began = time.process_time()
        evidence.tell()
        taken.append(1000 * (prepared + time.process_time() - began))
    each = f"{median(taken):.1f} ms, at worst {max(taken):.1f} ms"
    print(f"a save of {SAVED} cases: {each} of the processor")


def _took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    main()
