"""How many small changes of the rules the nearest tests notice.

    pip install 'mutmut>=3.8,<4'
    python benchmarks/mutations.py --sample 200 --seed 1

Copies the checkout, changes one place of `core`, `judging`, `expectations`, `session` or `store` at
a time with mutmut, and runs the tests of these folders that reach it. Prints the share of changes
that a test noticed, of all and by folder, and the names of those that lived; `--show` prints their
differences too. Half of what lives is usually a text or a default that no promise is about: look at
each.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("core", "judging", "expectations", "session", "store")
# The child for patterns is a program of its own, which imports nothing of mutmut's.
CONFIG = """
[tool.mutmut]
source_paths = ["evaltui"]
only_mutate = {only}
do_not_mutate = ["evaltui/expectations/pattern_child.py"]
also_copy = ["themes", "sample_evals", "docs", "README.md", "benchmarks", "scripts", "schemas"]
pytest_add_cli_args = {args}
pytest_add_cli_args_test_selection = {tests}
"""
ARGS = (
    *("-o", "addopts=", "-p", "no:llmock", "-m", "not slow and not external"),
    # They read the names of a class, to which mutmut adds its own.
    "--deselect=tests/core/test_agent.py::test_a_wrapper_passes_on_all_that_can_be_asked",
    "--deselect=tests/core/test_config.py::test_every_setting_has_its_default_here",
)
KILLED, SURVIVED, NO_TESTS, TIMEOUT = "killed", "survived", "no tests", "timeout"
UNTRIED = "not tried"
_BY_EXIT_CODE = {
    None: UNTRIED,
    0: SURVIVED,
    5: NO_TESTS,
    33: NO_TESTS,
    36: TIMEOUT,
    -24: TIMEOUT,
    24: TIMEOUT,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=200, help="changes to try; 0: all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folders", nargs="+", default=FOLDERS, choices=FOLDERS, help="whose rules, by whose tests"
    )
    parser.add_argument("--show", action="store_true", help="print what lived as a difference")
    flags = parser.parse_args()
    if find_spec("mutmut") is None:
        sys.exit("mutmut is not installed here: pip install 'mutmut>=3.8,<4'")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "evaltui"
        _copy(copy, flags.folders)
        _mutmut(copy, "run", "--max-children", "2", "nothing is named like this")
        names = sorted(_outcomes(copy))
        wanted = names
        if flags.sample:
            wanted = random.Random(flags.seed).sample(names, min(flags.sample, len(names)))
        said = _mutmut(copy, "run", "--max-children", "2", *wanted)
        outcomes = _outcomes(copy)
        counts = Counter(outcomes[name] for name in wanted)
        if counts[UNTRIED]:
            untried = f"{counts[UNTRIED]} of {len(wanted)} changes were not tried"
            sys.exit(f"{untried}. mutmut said at its end:\n{said[-2_000:]}")
        noticed = counts[KILLED] + counts[TIMEOUT]
        print(f"{len(wanted)} of {len(names)} changes tried: {noticed} noticed", end="")
        print(f" ({noticed / len(wanted):.0%}), {counts[SURVIVED]} lived", end="")
        print(f", {counts[NO_TESTS]} reached by no near test")
        for folder in flags.folders:
            inside = [outcomes[name] for name in wanted if name.split(".")[1] == folder]
            if inside:
                share = sum(outcome in (KILLED, TIMEOUT) for outcome in inside) / len(inside)
                print(f"{folder:14}{len(inside):5}{share:6.0%}")
        for name in sorted(wanted):
            if outcomes[name] in (SURVIVED, NO_TESTS):
                print(f"{outcomes[name]:9}  {name}")
                if flags.show:
                    print(_mutmut(copy, "show", name))


def _copy(target: Path, folders: Sequence[str]) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    only = [f"evaltui/{folder}/*" for folder in folders]
    tests = [f"tests/{folder}" for folder in folders]
    with (target / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write(
            CONFIG.format(only=json.dumps(only), tests=json.dumps(tests), args=json.dumps(ARGS))
        )


def _mutmut(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout + done.stderr


def _outcomes(folder: Path) -> dict[str, str]:
    """By the change's name."""
    found: dict[str, str] = {}
    for path in (folder / "mutants").rglob("*.meta"):
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        found |= {name: _BY_EXIT_CODE.get(code, KILLED) for name, code in codes.items()}
    return found


if __name__ == "__main__":
    main()
