"""A throw-away project with as many golden cases as asked for."""

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clients import MESSAGE

EXPECT = {
    "toolsCalled": ["get_weather"],
    "noToolErrors": True,
    "responseNonEmpty": True,
    "responseContains": ["sunny"],
}


def cases(count: int) -> list[dict[str, object]]:
    return [
        {
            "id": f"gs-get-weather-{number:05d}",
            "description": f"Weather, number {number}",
            "input": {"message": MESSAGE.format(number)},
            "expect": EXPECT,
        }
        for number in range(count)
    ]


@contextlib.contextmanager
def project_folder(count: int) -> Iterator[Path]:
    """One eval file of `count` cases and one tool."""
    with tempfile.TemporaryDirectory(prefix="evaltui-bench-") as name:
        root = Path(name)
        (root / "evals").mkdir()
        (root / "tools.json").write_text(
            json.dumps([{"name": "get_weather", "description": "Current weather of a city."}]),
            encoding="utf-8",
        )
        (root / "evals" / "get_weather.golden.json").write_text(
            json.dumps({"metadata": {"toolName": "get_weather"}, "cases": cases(count)}),
            encoding="utf-8",
        )
        yield root
