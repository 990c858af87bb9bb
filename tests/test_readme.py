"""What the README promises: its commands, links and flags, and those of the guide."""

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.parser import COMMANDS, make_parser
from evaltui.reporters import REPORTERS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")],
    key=lambda path: path.as_posix(),
)
DEMO = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/evaltui demo"
TESTS = (
    "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest"
)


def blocks(text: str, language: str) -> list[str]:
    return [found.strip() for found in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]


def headings(text: str) -> set[str]:
    """Anchors as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", title.lower()) for title in titles]
    return {title.strip().replace(" ", "-") for title in plain}


def links(page: Path) -> Iterator[tuple[str, str]]:
    """Path and anchor of every link that leads to a file of ours."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def flags(parser: argparse.ArgumentParser) -> set[str]:
    """Every long flag of a parser and its commands."""
    found: set[str] = set()
    for action in parser._actions:
        found.update(option for option in action.option_strings if option.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                found |= flags(inner)
    return found


@cache
def known_flags() -> frozenset[str]:
    return frozenset(flags(make_parser()))


def test_there_are_two_commands_to_set_it_up() -> None:
    assert blocks(README, "sh") == [DEMO, TESTS]


def test_nothing_else_in_the_readme_installs_anything() -> None:
    assert len(re.findall(r"\bpip3? install|\bnpm i|\bapt", README)) == 2


def test_the_commands_stand_on_the_first_screen() -> None:
    first = README.splitlines()[:25]
    assert DEMO in first
    assert TESTS in first


def test_ci_runs_the_second_one_word_for_word() -> None:
    assert TESTS in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for path, anchor in links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        assert target.is_relative_to(ROOT), path
        if anchor:
            assert anchor in headings(target.read_text(encoding="utf-8")), f"{path}#{anchor}"


def test_every_flag_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    assert named
    assert named <= known_flags()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_flag_given_to_evaltui_exists(page: Path) -> None:
    for line in page.read_text(encoding="utf-8").splitlines():
        for call in re.findall(r"(?:`|\$ |bin/|run: )evaltui ([^`]*)", line):
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", call))
            assert named <= known_flags(), line


def test_every_command_that_is_named_exists() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"(?:`|\$ |bin/|run: )evaltui ([a-z][a-z-]*)\b", text):
            assert name in COMMANDS, f"{page.name}: evaltui {name}"


def test_every_exit_code_and_reporter_is_explained() -> None:
    rows = re.findall(r"^\| (\d+) \|", README, re.MULTILINE)
    explained = {ExitCode.OK, ExitCode.FAILED, ExitCode.USAGE, ExitCode.BUG}
    assert {int(row) for row in rows} == explained
    assert [name for name in REPORTERS if f"`{name}" not in README and name not in README] == []


def test_the_picture_is_there_and_holds_no_path_of_a_machine() -> None:
    for image in (ROOT / "docs" / "images").glob("*.svg"):
        text = image.read_text(encoding="utf-8")
        assert "<svg" in text[:400]
        assert not re.search(r"/(?:tmp|home|Users|root|work)\b", text)


def test_the_figures_of_the_router_are_those_of_the_benchmark() -> None:
    told = re.findall(r"^\| .+ \| (\d+) \| (\d+) % \|$", README, re.MULTILINE)
    measured = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .+? \| (\d+) \| ([\d.]+) % \| .*\|.*\|$", measured, re.MULTILINE)
    assert len(told) == 4
    assert told == [(cases, f"{float(share):.0f}") for cases, share in rows]
