"""A wheel is complete; the container file and the release script name what there is."""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from evaltui.cli.parser import parse

ROOT = Path(__file__).parent.parent
CONTAINER = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SCRIPT = (ROOT / "scripts" / "release.sh").read_text(encoding="utf-8")


def test_all_that_is_copied_into_the_container_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.*)$", CONTAINER, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert "evaltui" in copied and "pyproject.toml" in copied
    assert [name for name in copied if not (ROOT / name).exists() or name in ignored] == []


def test_the_wheel_has_all_that_it_includes_in_the_container() -> None:
    included = re.search(r"force-include\]\n((?:.+\n)+)", (ROOT / "pyproject.toml").read_text())
    assert included is not None
    for name in re.findall(r"^(\w+) =", included[1], re.MULTILINE):
        assert re.search(rf"^COPY {name} ", CONTAINER, re.MULTILINE), name


@pytest.mark.slow
def test_what_the_script_does_with_what_it_built_ends_well(tmp_path: Path) -> None:
    """All behind the installation, which needs a registry of packages: here it is this checkout."""
    _, found, rest = SCRIPT.partition('export PATH="$place/use/bin:$PATH"\n')
    assert found
    program = tmp_path / "use" / "bin" / "evaltui"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m evaltui "$@"\n')
    program.chmod(0o755)
    used = rest.removesuffix("ls -1 dist\n")
    assert used != rest
    script = f"set -euo pipefail\nplace={shlex.quote(str(tmp_path))}\n{found}{used}"
    ended = subprocess.run(
        ["bash", "-c", script],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "candidate" / "compare" / "gate_decision.json").is_file()


def test_the_commands_of_the_script_are_understood() -> None:
    commands = re.findall(r"^evaltui (?!--version)(.*)$", SCRIPT, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert parse(shlex.split(command)).command
    for suite in re.findall(r"--suite (\S+)", SCRIPT):
        assert (ROOT / suite).is_file()


@pytest.mark.slow
@pytest.mark.external
@pytest.mark.timeout(300)
def test_a_wheel_has_every_file_of_the_package(tmp_path: Path) -> None:
    words = ["-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, *words], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {*archive.namelist()}
    package = ROOT / "evaltui"
    files = {path.relative_to(ROOT).as_posix() for path in package.rglob("*") if path.is_file()}
    wanted = {name for name in files if "__pycache__" not in name}
    assert {
        "evaltui/evaluators/worker/bridge.mjs",
        "evaltui/evaluators/worker/used_files.mjs",
        "evaltui/evaluators/kit/evaltui/__init__.py",
    } < wanted
    assert wanted - packed == set()
