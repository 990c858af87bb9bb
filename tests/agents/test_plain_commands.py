"""Of which commands all files are known, and that of every other one nobody says so."""

from pathlib import Path

import pytest

from evaltui.agents.plain_commands import is_plain


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("pack", "bin", "svc/app", "src", "vend", "data"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("mine.py", "pack/__main__.py", "svc/app/main.py", "data/a.json"):
        (tmp_path / name).touch()
    (tmp_path / "run.sh").write_text("#!/bin/sh\n# Says it.\ncat data/a.json\n")
    (tmp_path / "bin" / "agent").write_text("#!/usr/bin/env bash\nset -eu\nexec python3 mine.py\n")
    (tmp_path / "bin" / "tool").write_text("#!/usr/bin/env node\n")
    (tmp_path / "bin" / "found").write_text('#!/bin/sh\nexec python3 "$(dirname "$0")/x.py"\n')
    return tmp_path


@pytest.mark.parametrize(
    "argv",
    [
        ["python3", "mine.py"],
        ["/opt/venv/bin/python3.11", "-u", "-X", "utf8", "-W", "ignore", "mine.py", "--any=thing"],
        ["python3", "-Bum", "pack"],
        ["python3", "-mpack"],
        ["python3", "pack"],
        ["python3", "-c", "import mine"],
        ["./mine.py"],
        ["env", "A=1", "python3", "mine.py"],
        ["env", "-S", "python3 mine.py"],
        ["timeout", "20", "nice", "-n", "1", "setsid", "-w", "python3", "mine.py"],
        ["uv", "run", "--no-sync", "mine.py"],
        ["uv", "run", "-m", "pack"],
        ["sh", "run.sh"],
        ["./run.sh"],
        ["bash", "-euo", "pipefail", "--norc", "run.sh"],
        ["bin/agent", "data/a.json"],
        ["cat", "data/a.json"],
        ["sh", "-c", "cd svc && python3 -m app.main | cat 2>/dev/null"],
        ["sh", "-c", 'A=1 exec python3 mine.py "$@" < data/a.json > out; echo \'{"a": *}\''],
        ["sh", "-c", "sh -c 'sh $PWD/run.sh'"],
        ["bash", "-lc", ". ./run.sh\nif true; then sh ./run.sh; fi"],
        ["env", "PYTHONPATH=src:nowhere", "python3", "-m", "pack"],
    ],
)
def test_all_is_known_of(root: Path, argv: list[str]) -> None:
    assert is_plain(argv, root, root)


@pytest.mark.parametrize(
    "argv",
    [
        ["python3"],
        ["python3", "-"],
        ["python3", "gone.py"],
        ["python3", "bin/tool"],
        ["python3", "-m", "gone"],
        ["python3", "-m", "http.server"],
        ["python3", "--future-option", "mine.py"],
        ["mine"],
        ["node", "agent.mjs"],
        ["bin/tool"],
        ["bin/found"],
        ["sh", "bin/tool"],
        ["sh", "gone.sh"],
        ["sh"],
        ["cat", "data"],
        ["env", "-C", "svc", "python3", "-m", "app.main"],
        ["env", "PATH=bin", "python3", "mine.py"],
        ["env", "PYTHONPATH=vend", "python3", "mine.py"],
        ["uv", "run", "--directory", "svc", "python3", "-m", "app.main"],
        ["timeout", "-k", "1", "20", "python3", "mine.py"],
        ["sh", "-c"],
        ["sh", "-c", "python3 - <<E\nimport mine\nE"],
        ["sh", "-c", "cat <(node x.js)"],
        ["sh", "-c", 'echo "$(node x.js)"'],
        ["sh", "-c", "echo `node x.js`"],
        ["sh", "-c", 'python3 "$1"', "x", "mine.py"],
        ["sh", "-c", "P=pack; python3 -m $P"],
        ["sh", "-c", "cat data/*"],
        ["sh", "-c", "sh {run,}.sh"],
        ["sh", "-c", "sh ~/run.sh"],
        ["sh", "-c", "PATH=bin:$PATH agent"],
        ["sh", "-c", "export PYTHONPATH=vend; python3 mine.py"],
        ["sh", "-c", "true; cd svc; cat main.py"],
        ["sh", "-c", "(cd svc; true); cat app/main.py"],
        ["sh", "-c", "cd gone; cat a.json"],
        ["bash", "-c", "pushd svc; python3 -m app.main"],
        ["bash", "-c", "eval 'python3 mine.py'"],
        ["bash", "-c", "f() { sh run.sh; }; f"],
        ["sh", "-c", """sh -c 'sh -c "sh -c \'sh -c true\'"'"""],
        ["sh", "-c", "cat 'never closed"],
    ],
)
def test_nobody_says_that_all_is_known_of(root: Path, argv: list[str]) -> None:
    assert not is_plain(argv, root, root)


@pytest.mark.parametrize(
    ("env", "is_usual"),
    [
        ({}, True),
        ({"MODE": "fast", "PYTHONPATH": "src:."}, True),
        ({"PYTHONPATH": "vend"}, False),
        ({"PATH": "bin"}, False),
        ({"BASH_ENV": "run.sh"}, False),
    ],
)
def test_a_variable_may_decide_which_files_are_found(
    root: Path, env: dict[str, str], is_usual: bool
) -> None:
    assert is_plain(["python3", "mine.py"], root, root, env) is is_usual


def test_a_link_out_of_the_project_is_none_of_its_files(root: Path, tmp_path: Path) -> None:
    away = tmp_path.parent / f"{tmp_path.name}-away"
    away.mkdir()
    (away / "mine.py").touch()
    (root / "link.py").symlink_to(away / "mine.py")
    (root / "own.py").symlink_to(root / "mine.py")
    assert not is_plain(["python3", "link.py"], root, root)
    assert is_plain(["python3", "own.py"], root, root)
