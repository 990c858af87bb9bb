"""A program: the dashboards of folders, one after the other, opened and saved in while nobody
agrees, or agreed to. Prints each path that they opened, listed or had the system watch, as JSON."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.core.case import Case
    from evaltui.session import Session

SEEN: set[str] = set()
OF_PATHS = frozenset({"open", "os.listdir", "os.scandir"})


def hear(event: str, given: tuple[Any, ...]) -> None:
    if event in OF_PATHS and isinstance(given[0], str | bytes | os.PathLike):
        SEEN.add(os.path.realpath(os.fsdecode(given[0])))


def watch_heard(*folders: str, **options: Any) -> Iterator[Any]:
    SEEN.update(map(os.path.realpath, folders))
    WATCHED.extend(folders)
    return WATCH(*folders, **options)


async def use(root: Path, *, agrees: bool) -> None:
    from evaltui.project import missing_grants
    from evaltui.session import Session
    from evaltui.settings.load import load_config
    from tests.driver import driving

    read = load_config(root, {"trust": agrees})
    session = Session(read.config, problems=read.problems)
    async with driving(session, is_alone=False) as driver, asyncio.timeout(30):
        if any(one.kind == "write" for one in missing_grants(read.config)):
            await driver.press("escape", "4")  # it does not open then
            return
        while not WATCHED:
            await driver.settle()
        await driver.press("escape", "escape", "4", "5", "2")
        suite = root / "evals/find_order.golden.json"
        case = json.loads(suite.read_text())["cases"][0]
        suite.write_text(json.dumps({"cases": [case, {**case, "id": "gs-find-order-002"}]}))
        is_known = suite in session.project.files
        while is_known and len(known_cases(session, suite)) < 2:
            await driver.settle()


def known_cases(session: "Session", path: Path) -> "tuple[Case, ...]":
    read = session.project.files[path].suite
    return () if read is None else read.cases


if __name__ == "__main__":
    import watchfiles

    WATCH, WATCHED = watchfiles.watch, list[str]()
    watchfiles.watch = watch_heard  # type: ignore[assignment]
    sys.addaudithook(hear)
    for root in sys.argv[2:]:
        os.chdir(root)
        WATCHED.clear()
        asyncio.run(use(Path(root), agrees=sys.argv[1] == "agrees"))
    sys.stdout.write(json.dumps(sorted(SEEN)))
