"""A child begins by saying what it has; one that does not is ended, and why is told."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.child.lines import LineChild
from evaltui.evaluators import handshake
from evaltui.evaluators.handshake import SLOW, Described, start_child, why_not
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.net.secret_mask import SecretMask
from tests.evaluators.loaded import source

HAS = json.dumps({"evaluators": [{"type": "mine", "label": "Mine", "kind": "metric"}]})
SECRET = "sk-live-0123456789abcdef"


class Known(set[LineChild]):
    def __init__(self) -> None:
        self.have_some = asyncio.Event()

    def add(self, child: LineChild) -> None:
        super().add(child)
        self.have_some.set()


def command(root: Path, code: str, mode: str = "jsonl") -> PluginEntry:
    """A program that reads the first line and then does this."""
    words = (sys.executable, "-IS", "-c", f"import sys; sys.stdin.readline(); {code}")
    return PluginEntry(source({"command": words, "mode": mode}), root)


def saying(line: str) -> str:
    return f"print({line!r}, flush=True); sys.stdin.read()"


async def begun(entry: PluginEntry, known: set[LineChild] | None = None) -> Described:
    mask = SecretMask()
    mask.add(SECRET)
    return await start_child(entry, None, mask, known)


async def test_who_has_evaluators_is_there_to_judge(tmp_path: Path) -> None:
    known: set[LineChild] = set()
    found = await begun(command(tmp_path, saying(HAS)), known)
    assert found.said == json.loads(HAS)
    assert found.child is not None and found.child.is_alive
    assert known == {found.child}
    await found.child.end()


async def test_a_program_for_one_judgement_each_is_not_kept(tmp_path: Path) -> None:
    known: set[LineChild] = set()
    found = await begun(command(tmp_path, saying(HAS), "oneshot"), known)
    assert (found.said, found.child, known) == (json.loads(HAS), None, set())


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (saying("hello"), "it wrote something other than a line of JSON to stdout"),
        (saying("[]"), "it wrote something other than a JSON object"),
        (saying("{}"), "it names no `evaluators`"),
        (saying('{"fault": "load", "why": "no module"}'), "no module"),
        (f"sys.exit('lost {SECRET}')", "its process ended with exit code 1: lost ***"),
    ],
)
async def test_who_has_none_has_ended_and_why_is_told(
    tmp_path: Path, code: str, why: str, started: list[LineChild]
) -> None:
    entry = command(tmp_path, code)
    found = await begun(entry)
    assert found.child is None
    assert not started[0].is_alive
    assert why_not(found, entry) == f"`{entry.text}` could not be loaded: {why}"


async def test_a_program_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    entry = PluginEntry(source({"command": ("no-such-program",)}), tmp_path)
    found = await begun(entry)
    assert why_not(found, entry).startswith("`no-such-program` cannot be started: ")


async def test_a_program_whose_name_is_none_is_told_why(tmp_path: Path) -> None:
    entry = PluginEntry(source({"command": ("no\0program",)}), tmp_path)
    assert why_not(await begun(entry), entry).endswith(" cannot be started: embedded null byte")


async def test_one_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[LineChild]
) -> None:
    monkeypatch.setattr(handshake, "LOAD_S", 0.2)
    found = await begun(command(tmp_path, "sys.stdin.read()"))
    assert found.said["fault"] == SLOW
    assert not started[0].is_alive


@pytest.mark.parametrize(("timeout_s", "wanted"), [(0.01, 0.1), (0.2, 0.2), (9.0, 0.4)])
async def test_a_command_that_judges_quickly_says_quickly_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timeout_s: float, wanted: float
) -> None:
    monkeypatch.setattr(handshake, "LOAD_S", 0.4)
    monkeypatch.setattr(handshake, "QUICK_S", 0.1)
    hangs = (sys.executable, "-IS", "-c", "import time; time.sleep(60)")
    entry = PluginEntry(source({"command": hangs, "timeout_s": timeout_s}), tmp_path)
    assert (await begun(entry)).said["why"] == f"it was not loaded within {wanted:g} s"


async def test_who_is_asked_can_be_ended_by_somebody_else(tmp_path: Path) -> None:
    known = Known()
    asking = asyncio.create_task(begun(command(tmp_path, "sys.stdin.read()"), known))
    await known.have_some.wait()
    (child,) = known
    child.kill()
    assert "its process " in (await asking).said["why"]
    assert known == set()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[LineChild]:
    """Every child that is started."""
    found: list[LineChild] = []
    start = LineChild.start

    async def noted(argv: Any, **options: Any) -> LineChild:
        found.append(await start(argv, **options))
        return found[-1]

    monkeypatch.setattr(LineChild, "start", noted)
    return found
