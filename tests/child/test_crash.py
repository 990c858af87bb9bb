"""Of what a crashed program wrote the error comes first, not the end of its stack."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.child.crash import error_in
from evaltui.child.process import TAIL_BYTES

PYTHON = """
import os, sys, traceback
def deep(n):
    if n:
        return deep(n - 1)
    raise ValueError("no table")
print("before it", file=sys.stderr)
{call}
"""
NODE = """
const deep = (n) => {{ if (n) return deep(n - 1); throw {error}; }};
console.error("before it");
setTimeout(() => deep(9), 1);
"""


def said_by(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False).stderr


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("deep(9)", "ValueError: no table (mine.py line 6)"),
        (
            "try: deep(9)\nexcept ValueError: traceback.print_exc()\nos.write(2, b'out of memory')",
            "ValueError: no table\nout of memory (mine.py line 6)",
        ),
        ("x = (", "SyntaxError: '(' was never closed (mine.py line 8)"),
        ("os._exit(3)", ""),
    ],
)
def test_of_python(tmp_path: Path, call: str, wanted: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PYTHON.format(call=call))
    assert error_in(said_by(sys.executable, str(path)), 300) == wanted


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        ('new TypeError("no table")', "TypeError: no table (mine.mjs line 2)"),
        ('new Error("no table\\nof prices")', "Error: no table\nof prices (mine.mjs line 2)"),
        (
            'new Error("outer", { cause: new Error("inner") })',
            "Error: outer (mine.mjs line 2)",
        ),
        ("(", "SyntaxError: Unexpected token ';'"),
        ("process.exit(3)", ""),
    ],
)
def test_of_node(tmp_path: Path, error: str, wanted: str) -> None:
    path = tmp_path / "mine.mjs"
    path.write_text(NODE.format(error=error))
    assert error_in(said_by("node", str(path)), 300) == wanted


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_of_node_without_memory() -> None:
    fills = "const kept = []; for (;;) kept.push(new Array(1e5).fill(1.5));"
    said = said_by("node", "--max-old-space-size=16", "-e", fills)
    assert error_in(said, 300) == "its memory ran out (JavaScript heap out of memory)"
    assert error_in(said[-TAIL_BYTES:], 300).startswith("its memory ran out")


def test_it_is_cut_and_where_a_cut_took_the_words_there_are_none() -> None:
    stack = "Error: 0123456789\n    at f (file:///a/b.mjs:3:7)\n\nNode.js v20.1.0"
    assert error_in(stack, 10) == "Error: 012 (b.mjs line 3)"
    assert error_in("\n    at f (file:///a/b.mjs:3:7)\n", 10) == ""
    assert error_in("", 10) == ""
