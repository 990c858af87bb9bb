"""No secret shows half where what a child wrote is too long to be shown whole."""

import shutil
import sys
from pathlib import Path

import pytest

from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.net.secret_mask import SecretMask
from tests.evaluators.loaded import evaluator, load, write
from tests.evaluators.seen import answered, verdict_by

SECRET = "sk-live-4f9a8b7c6d5e"
DIES = """import os
os.write(2, b"{secret}" + b"x" * {behind})
os._exit(1)"""
COMMAND = """
import json, sys
for line in [sys.stdin.read()] if "oneshot" in sys.argv else sys.stdin:
    if json.loads(line)["op"] == "describe":
        one = {"type": "mine", "label": "Mine", "kind": "assertion"}
        print(json.dumps({"evaluators": [one]}), flush=True)
    else:
        sys.exit(SECRET + "x" * 290)
"""
JAVASCRIPT = """
export default { evaluators: [{ type: "mine", label: "Mine", kind: "assertion", evaluate: () => {
  console.log(SECRET + "y".repeat(3990));
  throw new Error("q".repeat(1990) + SECRET);
} }] };
"""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def shows(text: str) -> bool:
    return any(SECRET[at : at + 4] in text for at in range(len(SECRET) - 3))


async def said_by(root: Path, entry: object) -> str:
    """All that is told of an entry: problems, its verdict, what it printed."""
    mask, heard = SecretMask(), []
    mask.add(SECRET)
    loader = EvaluatorLoader(mask)
    loader.on_print = lambda _, text: heard.append(text)
    try:
        loaded = load(root, entry, loader=loader)  # type: ignore[arg-type]
        heard += [f"{one.what} {one.hint}" for _, one in loaded.problems]
        if not heard:
            verdict = await verdict_by("mine", {}, answered(), loaded.registry)
            heard.append(f"{verdict.reason} {verdict.evidence}")
    finally:
        await loader.close()
    return " ".join(heard)


@pytest.mark.parametrize(
    "body",
    [
        DIES.format(secret=SECRET, behind=290),
        f"raise ValueError('q' * 1990 + '{SECRET}')",
        f"raise ValueError('q' * 1978 + '{SECRET}')",
        f"print('{SECRET}' + 'y' * 3990)\nreturn passed('well')",
    ],
)
async def test_an_evaluator(tmp_path: Path, body: str) -> None:
    write(tmp_path, "mine.py", evaluator(body))
    said = await said_by(tmp_path, "./mine.py")
    assert len(said) > 250
    assert not shows(said)


async def test_one_that_cannot_be_loaded(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", DIES.format(secret=SECRET, behind=290))
    said = await said_by(tmp_path, "./mine.py")
    assert "xxx" in said
    assert not shows(said)


@pytest.mark.parametrize("mode", ["oneshot", "jsonl"])
async def test_a_command(tmp_path: Path, mode: str) -> None:
    write(tmp_path, "mine.py", f"SECRET = '{SECRET}'\n{COMMAND}")
    said = await said_by(
        tmp_path, {"command": (sys.executable, "-IS", "mine.py", mode), "mode": mode}
    )
    assert "xxx" in said
    assert not shows(said)


@needs_node
async def test_one_of_evalstudio(tmp_path: Path) -> None:
    write(tmp_path, "mine.mjs", f"const SECRET = '{SECRET}';\n{JAVASCRIPT}")
    said = await said_by(tmp_path, "./mine.mjs")
    assert "yyy" in said
    assert "qqq" in said
    assert not shows(said)


async def test_what_one_printed_is_forgotten_though_a_secret_was_in_it(
    tmp_path: Path,
) -> None:
    text = evaluator(f"print('{SECRET} of the first')\nreturn passed('well')", "first")
    text += evaluator("import os\nos.write(2, b'of the second')\nos._exit(3)", "second")
    write(tmp_path, "mine.py", text)
    mask = SecretMask()
    mask.add(SECRET)
    loader = EvaluatorLoader(mask)
    try:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("first", registry=registry)).reason == "well"
        reason = (await verdict_by("second", registry=registry)).reason
    finally:
        await loader.close()
    assert reason.endswith("exit code 3: of the second")
