"""Data that an evaluator reads as it is loaded is a part of it; what it writes is not."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.result import CaseStatus
from tests.evaluators.loaded import evaluator, load, loading, source, write
from tests.evaluators.seen import verdict_by
from tests.session.running.test_rejudging import asked, statuses, watching
from tests.session.test_evaluators import judged, threshold

LIMITS = """
import glob, json
MOST = sum(json.load(open(one))["most"] for one in glob.glob("limits/*.json"))
"""
BODY = "return passed() if len(ctx.last_response) <= MOST else failed(f'over {MOST}')"


async def test_what_is_read_as_it_is_loaded_is_a_part_of_it(tmp_path: Path) -> None:
    root = judged(tmp_path)
    write(root, "limits/a.json", '{"most": 5}')
    write(root, "checks/length.py", LIMITS + threshold(0).replace("LEAST = 0", "LEAST = MOST"))
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, "limits/a.json", '{"most": 500}')
        await ear.until(lambda: bool(ear.runs()))
        assert set(statuses(session)) == {CaseStatus.FAILED}
        assert "limits/a.json" in ear.started()[0].trigger
    assert asked(root) == 5


async def test_what_it_is_made_of_is_the_same_each_time(tmp_path: Path) -> None:
    write(tmp_path, "limits/a.json", '{"most": 5}')
    write(tmp_path, ".cache/b.json", "{}")
    write(tmp_path, "mine.py", "open('.cache/b.json').close()\n" + LIMITS + evaluator(BODY))
    prints = []
    for _ in range(2):
        async with loading() as loader:
            known = load(tmp_path, "./mine.py", loader=loader)
            assert {path.name for path in known.files} == {"mine.py", "a.json"}
            one = known.registry.registered("mine")
            assert one is not None
            prints.append(one.fingerprint)
    assert prints[0] == prints[1]


@pytest.mark.parametrize(
    "writes", ["open('told.txt', 'a').write('x')", "open(f'{\"told\"}.txt', 'a').write('x')"]
)
@pytest.mark.slow
async def test_one_that_keeps_a_journal_is_not_judged_again_for_it(
    tmp_path: Path, writes: str
) -> None:
    root = judged(tmp_path, 2)
    write(root, "told.txt", "")
    named = "NAME = 'told.txt'\n"
    body = threshold(5).replace("    length =", f"    {writes}\n    length =", 1)
    write(root, "checks/length.py", (named if "f'" in writes else "") + body)
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        await asyncio.sleep(1.0)  # long enough for a save to be seen several times
        assert len(ear.runs()) <= (1 if "f'" in writes else 0)
        assert session.requests.due_keys("paid") == ()


async def test_a_journal_of_its_own_is_no_save_in_the_middle_of_a_run(tmp_path: Path) -> None:
    text = "import os\nJOURNAL = 'told.txt'\n" + evaluator(
        "with open(JOURNAL, 'a') as journal: journal.write('x')\n"
        "if ctx.config.get('ends'): os._exit(3)\nreturn passed('fine')"
    )
    write(tmp_path, "told.txt", "")
    write(tmp_path, "mine.py", text)
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", {}, registry=registry)).reason == "fine"
        assert "exit code 3" in (await verdict_by("mine", {"ends": True}, registry=registry)).reason
        assert (await verdict_by("mine", {}, registry=registry)).reason == "fine"


@pytest.mark.parametrize(
    ("code", "is_part"),
    [
        ("open('kept.txt')", True),
        ("open('kept.txt', 'r')", True),
        ("Path('kept.txt').read_text()", True),
        ("open('kept.txt', 'w')", False),
        ("open('kept.txt', mode='ab')", False),
        ("Path('kept.txt').write_text(text)", False),
        ("(HERE / 'kept.txt').open('a')", False),
        ("require('fs').appendFileSync('kept.txt', text)", False),
    ],
)
def test_names_of_files_that_are_written_are_no_parts(
    tmp_path: Path, code: str, *, is_part: bool
) -> None:
    from evaltui.evaluators.plugin_entry import PluginEntry

    write(tmp_path, "kept.txt", "")
    path = write(tmp_path, "mine.py", f"def mine(ctx):\n    {code}\n")
    files = PluginEntry(source("./mine.py"), tmp_path).made_of().files
    assert path in files
    assert (tmp_path / "kept.txt" in files) is is_part
