"""A throw-away project with as many golden cases as asked for."""

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.clients import MESSAGE

EXPECT = {
    "toolsCalled": ["get_weather"],
    "noToolErrors": True,
    "responseNonEmpty": True,
    "responseContains": ["sunny"],
}
WRONG = {**EXPECT, "responseContains": ["rain"]}


def cases(count: int, first: int = 0, failing_every: int = 0) -> list[dict[str, Any]]:
    return [
        {
            "id": f"gs-get-weather-{number:05d}",
            "description": f"Weather, number {number}",
            "input": {"message": MESSAGE.format(number)},
            "expect": WRONG if failing_every and number % failing_every == 0 else EXPECT,
        }
        for number in range(first, first + count)
    ]


def write_project(root: Path, count: int, suites: int = 1, failing_every: int = 0) -> None:
    """`count` cases, numbered through, in `suites` eval files, and one tool."""
    (root / "evals").mkdir()
    tool = {"name": "get_weather", "description": "Current weather of a city."}
    (root / "tools.json").write_text(json.dumps([tool]), encoding="utf-8")
    first = 0
    for number in range(suites):
        size = count // suites + (number < count % suites)
        suite = cases(size, first, failing_every)
        first += size
        serial = f"_{number:03d}" if number else ""
        (root / "evals" / f"get_weather{serial}.golden.json").write_text(
            json.dumps({"metadata": {"toolName": "get_weather"}, "cases": suite}),
            encoding="utf-8",
        )


@contextlib.contextmanager
def project_folder(count: int, suites: int = 1, failing_every: int = 0) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evaltui-bench-") as name:
        root = Path(name)
        write_project(root, count, suites, failing_every)
        yield root
