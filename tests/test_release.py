"""The container file and the release script name what there is."""

import re
import shlex
from pathlib import Path

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


def test_the_commands_of_the_script_are_understood() -> None:
    commands = re.findall(r"^evaltui (?!--version)(.*)$", SCRIPT, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert parse(shlex.split(command)).command
    for suite in re.findall(r"--suite (\S+)", SCRIPT):
        assert (ROOT / suite).is_file()
