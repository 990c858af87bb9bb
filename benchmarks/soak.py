"""A day of saves at the dashboard, as fast as it can follow: does anything pile up?

    python -m benchmarks.soak [--saves 2000] [--limit-s 900]

Saves of many kinds in a copy of the samples, in one dashboard. Must: memory after the last save
within 10 % of what it was after 100 (a tenth of the saves in short runs), and no process, thread,
task, file descriptor or inotify watch more.
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from evaltui.watch.polling import PATIENCE_S as WATCH_PATIENCE_S
from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, Line, at_the_line, copy_samples

PATIENCE_S = 20.0


@dataclass(frozen=True)
class Held:
    """What the process holds at one moment."""

    rss_mib: float
    threads: int
    tasks: int
    descriptors: int
    watches: int
    children: int

    @classmethod
    def now(cls) -> "Held":
        gc.collect()
        own = Path("/proc/self")
        pages = int((own / "statm").read_text().split()[1])
        watches = sum(_read(info).count("inotify wd") for info in (own / "fdinfo").iterdir())
        children = sum(len(_read(task / "children").split()) for task in (own / "task").iterdir())
        return cls(
            pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
            threading.active_count(),
            len(asyncio.all_tasks()),
            len(list((own / "fd").iterdir())),
            watches,
            children,
        )

    def __str__(self) -> str:
        return (
            f"{self.rss_mib:7.1f} MiB  {self.threads:3} threads  {self.tasks:3} tasks"
            f"  {self.descriptors:3} descriptors  {self.watches:3} watches"
            f"  {self.children:2} children"
        )


def _read(entry: Path) -> str:
    """Empty where the descriptor or the thread is gone: other threads go on meanwhile."""
    try:
        return entry.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def saves(line: Line) -> Iterator[Callable[[int], None]]:
    """Kinds of saves in turn; each leads to something that can be waited for."""
    eval_text, tool_text = line.read(FIND_ORDER), line.read(FIND_ORDER_TOOL)

    def message(number: int) -> None:
        line.save(FIND_ORDER, eval_text.replace("What is in", f"What ({number}) is in"))

    def half(number: int) -> None:
        line.save(FIND_ORDER, eval_text[: 200 + number % 900])

    def description(number: int) -> None:
        line.save(FIND_ORDER_TOOL, tool_text.replace("one order", f"one order ({number})"))

    def renamed(number: int) -> None:
        path = line.root / FIND_ORDER
        new = path.with_name(path.name + ".tmp.1")
        new.write_text(eval_text.replace("What is in", f"What [{number}] is in"))
        new.replace(path)

    def made(number: int) -> None:
        path = line.root / "evals" / "new" / "extra.golden.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(eval_text.replace("What is in", f"Extra {number}: what is in"))

    def removed(number: int) -> None:  # noqa: ARG001
        path = line.root / "evals" / "new" / "extra.golden.json"
        path.unlink(missing_ok=True)
        path.parent.rmdir()

    return cycle([message, description, half, renamed, message, made, description, removed])


async def soak(count: int, first: int, limit_s: float) -> tuple[Held, Held, int]:
    """What is held after `first` saves and after all, and how many saves there were in time."""
    end = time.monotonic() + limit_s
    with tempfile.TemporaryDirectory(prefix="evaltui-soak-") as folder:
        root = copy_samples(Path(folder) / "samples")
        async with at_the_line(root) as line:
            early: Held | None = None
            done = 0
            for number, save in zip(range(count), saves(line), strict=False):
                if time.monotonic() > end:
                    break
                before = line.session.store.read_at
                save(number)
                await heard(line, before)
                if number % 7 == 0:
                    await line.driver.press("j", "bracketright" if number % 14 else "k")
                done = number + 1
                if done == first:
                    early = await rest(line)
                elif done % 250 == 0:
                    print(f"{done:6}  {Held.now()}", file=sys.stderr, flush=True)
            late = await rest(line)
            return early or late, late, done


async def heard(line: Line, before: float) -> None:
    """Until the save has been read and what it started has ended."""
    async with asyncio.timeout(PATIENCE_S):
        while line.session.store.read_at == before:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        while line.driver.app.dashboard.controller.is_running:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    line.ear.forget()


async def rest(line: Line) -> Held:
    """What is held once nothing is let go of any more: a message goes after a while, and a watch
    that was replaced goes on until it has told all; after many saves several wait in turn."""
    held, patience = Held.now(), time.monotonic() + PATIENCE_S
    while time.monotonic() < patience:
        await asyncio.sleep(4 * WATCH_PATIENCE_S)
        await line.driver.settle()
        before, held = held, Held.now()
        if held.descriptors >= before.descriptors and not line.driver.app.screen.query("Toast"):
            break
    return held


def leaks(early: Held, late: Held) -> list[str]:
    """What grew; empty when nothing did."""
    found = []
    if late.rss_mib > early.rss_mib * 1.1:
        found.append(f"memory grew by {late.rss_mib / early.rss_mib - 1:.0%}")
    for name in ("threads", "tasks", "descriptors", "watches", "children"):
        before, after = getattr(early, name), getattr(late, name)
        # Threads of the pool come as they are needed, up to its size; a watch may be moving.
        slack = {"threads": 4, "descriptors": 3, "watches": 2}.get(name, 1)
        if after > before + slack:
            found.append(f"{name} grew from {before} to {after}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="2,000 saves at one dashboard")
    parser.add_argument("--saves", type=int, default=2000)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--limit-s", type=float, default=900.0)
    options = parser.parse_args()
    started = time.monotonic()
    early, late, done = asyncio.run(soak(options.saves, options.first, options.limit_s))
    print(f"\n{done} saves in {time.monotonic() - started:.0f} s")
    print(f"after {options.first:5}  {early}\nafter {done:5}  {late}")
    found = leaks(early, late)
    print("leaks: " + ("; ".join(found) if found else "none"))
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
