"""The command line in a process of its own, and what it left on the disk."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.projects import case, make_project, write_suite

LIMIT_S = 60.0


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "evaltui", *arguments]


def start(root: Path, *arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """`evaltui ARGUMENTS` in `root`, its output captured."""
    return subprocess.Popen(
        command(*arguments),
        cwd=root,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUTF8": "1"},
        **options,
    )


def evaltui(root: Path, *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    with start(root, *arguments, **options) as process:
        out, err = process.communicate(timeout=LIMIT_S)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def tree(folder: Path) -> Mapping[str, str]:
    """Every file and link below `folder` with the hash of what is in it."""
    return {
        path.relative_to(folder).as_posix(): (
            f"-> {path.readlink()}" if path.is_symlink() else sha256(path.read_bytes()).hexdigest()
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def written(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Paths that are new, changed or gone."""
    return sorted(path for path in before.keys() | after if before.get(path) != after.get(path))


def result_documents(root: Path) -> list[dict[str, Any]]:
    """Every result file; one that is not whole JSON raises ValueError."""
    return [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((root / "evals" / "results").glob("*.json"))
    ]


def newest_result(root: Path) -> dict[str, Any]:
    """The result file written last."""
    files = (root / "evals" / "results").glob("*.json")
    document: dict[str, Any] = json.loads(
        max(files, key=lambda p: p.stat().st_mtime_ns).read_text()
    )
    return document


def make_slow_project(root: Path, count: int = 60) -> Path:
    """A project with one suite of many cases, for an agent over HTTP."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    cases = [
        case(f"gs-find-order-{n:03}", f"Look up order SO-{n}", "find_order") for n in range(count)
    ]
    for one in cases:
        del one["stubs"]
    write_suite(root, "find_order", cases)
    return root
