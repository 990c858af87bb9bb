"""Every figure on the screen is the same figure, whatever was done before."""

import asyncio
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TypeAlias

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UNREADABLE, Severity
from evaltui.store.row import Row
from evaltui.store.row_status import RowStatus
from evaltui.tui import order
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.exit_summary import exit_summary
from evaltui.tui.navigation import PaneId
from evaltui.tui.suite_parts import SuitePart
from tests.driver import Driver
from tests.random_day import RandomDay
from tests.sample_project import Line, at_the_line, copy_samples
from tests.screen_figures import STATUSES, Picture, effects_said, figures, truth

Capsys: TypeAlias = pytest.CaptureFixture[str]


def hold(driver: Driver, *, is_settled: bool = True) -> None:
    """Whatever the screen says in figures is so, and nothing says otherwise."""
    controller = driver.app.dashboard.controller
    board = controller.board
    rows = [*board.rows.values()]
    all_of = truth(rows)
    picture = Picture.of(driver)
    assert sum(n for word, n in all_of.items() if word in STATUSES) == len(rows)

    said = {word: n for word, n in figures(picture.header).items() if n}
    assert said == all_of, f"header {said}, truth {all_of}"

    hold_save(picture.header, rows)

    by_suite: dict[str, list[Row]] = {"": rows}
    for row in rows:
        by_suite.setdefault(row.key.suite, []).append(row)
    parts = [(part.suite.id, [*part.rows]) for part in headings_of(driver)]
    headings = picture.headings()
    for (name, _), (suite, _) in zip(headings, parts, strict=True):
        assert suite.startswith(name.rstrip("…")), (headings, parts)
    said_of = [(line, by_suite.get(suite, [])) for suite, line in picture.suites(board).items()]
    said_of += [(line, of) for (_, line), (_, of) in zip(headings, parts, strict=True)]
    for line, those in said_of:
        wanted = truth(those)
        found = {word: n for word, n in figures(line).items() if n}
        if line.rstrip().endswith(" …"):  # some have no room, and it says so
            wanted = {word: n for word, n in wanted.items() if word in found}
        assert found == wanted, f"suites: {line!r}, truth {wanted}"
    if picture.has_suites:
        assert picture.title(PaneId.SUITES).split(" ")[0] == str(len(by_suite) - 1)

    if PaneId.CASES in picture.panes:
        hold_cases(driver, picture, rows)
    hold_problems(driver, picture, is_settled=is_settled)
    hold_exit(driver, all_of)


def hold_save(header: str, rows: list[Row]) -> None:
    """What the last save did adds up to the cases that ran or were judged because of it."""
    said = re.findall(r"([\d,]+) (?:ran|judged again)\b", header)
    if said:
        of_save = sum(int(number.replace(",", "")) for number in said)
        assert of_save == sum(row.is_of_save for row in rows), header
        if " worse" in header:
            assert effects_said(header) == of_save, header


def hold_cases(driver: Driver, picture: Picture, rows: list[Row]) -> None:
    controller = driver.app.dashboard.controller
    pane = controller.layout.cases
    title = picture.title(PaneId.CASES)
    match = re.match(r"([\d,]*\d)(?:/(\d+))?", title)
    assert match is not None, title
    shown, total = int(match[1]), int(match[2] or match[1])
    assert total == len(rows), f"cases title {title!r}, {len(rows)} cases"
    in_sight = picture.cases(controller.board)
    assert len(in_sight) <= shown, title
    by_id = {row.key.case: row for row in rows}
    for case, word in in_sight.items():
        assert word == by_id[case].status.value or word == "not run", (case, word)
    arrangement = pane.arrangement
    effects = Counter(order.group_id(row).removeprefix("save:") for row in rows)
    if save := re.search(r"this save (\d+)", title):
        assert int(save[1]) == sum(row.is_of_save for row in rows), title
    if "S sorts" not in title and not controller.board.runs.is_on:
        if not arrangement.is_narrowed and arrangement.is_by_save:
            for name, number in picture.save_groups().items():
                assert number == effects[name], (name, number, effects)
        fits = [
            row
            for row in rows
            if (not arrangement.suite or row.key.suite == arrangement.suite)
            and arrangement.view.shows(row)
            and arrangement.filter.matches(row)
        ]
        assert shown == len(fits), f"cases title {title!r}, {len(fits)} fit"
        if not arrangement.is_by_save:
            headings = (heading_of(arrangement, row) for row in fits)
            folded = sum(heading in arrangement.folded for heading in headings)
            said = re.search(r", ([\d,]+) folded", title)
            assert folded == (int(said[1].replace(",", "")) if said else 0), (title, folded)
        if not arrangement.has_headings and len(pane.in_sight) == pane.lines.count:
            assert len(in_sight) == shown, (title, in_sight)
    if place := re.search(r"· (\d+)/(\d+)", title):
        assert 0 < int(place[1]) <= int(place[2]) == shown, title


def hold_problems(driver: Driver, picture: Picture, *, is_settled: bool) -> None:
    controller = driver.app.dashboard.controller
    rows = controller.board.rows.values()
    problems = controller.session.store.problems.shown
    chip = re.search(r"shows (\d+) problem", picture.footer)
    if chip or (not problems):
        assert int(chip[1] if chip else 0) == len(problems), picture.footer
    if named := re.search(r"⚠ (?:(\d+) problems?|(?:(?!  ).)* \+(\d+))(?=  )", picture.header):
        told = int(named[1]) if named[1] else int(named[2]) + 1
        assert told == len(problems), picture.header
    is_error = any(problem.severity is Severity.ERROR for problem in problems)
    assert not is_error or "⚠ " in picture.header or " …" in picture.header, picture.header
    assert controller.is_running or controller.log.problems == len(problems)
    if PaneId.PROBLEMS not in picture.panes or not is_settled:
        return
    title = picture.title(PaneId.PROBLEMS)
    proper = re.match(r"(\d+)(?=,|$)", title)
    said = {word: int(number) for number, word in re.findall(r"([\d,]+) ([a-z]+)", title)}
    assert int(proper[1] if proper else 0) == len(problems), (title, len(problems))
    assert said.get("regressed", 0) == sum(row.regressed for row in rows), title
    assert said.get("moved", 0) == sum(row.moved for row in rows), title
    assert said.get("due", 0) == sum(row.is_due for row in rows), title
    assert said.get("outdated", 0) == len({r.key.suite for r in rows if r.is_outdated}), title
    names = {"regressions": "regressed", "due results": "due", "overlapping tools": "overlapping"}
    names |= {"outdated expectations": "outdated", "moved": "moved"}
    for group, number in picture.groups().items():
        if group in names:
            assert said.get(names[group]) == number, (group, number, title)


def hold_exit(driver: Driver, all_of: dict[str, int]) -> None:
    session = driver.app.dashboard.controller.session
    lines = exit_summary(session)
    if not lines:
        return
    said = {
        re.sub(r"^errors$", "error", word): int(number.replace(",", ""))
        for number, word in re.findall(
            r"(\d[\d,]*) ([a-z][a-z ]*[a-z])", lines[0].partition(": ")[2]
        )
    }
    assert {word: n for word, n in said.items() if n} == all_of, lines[0]
    failures = [line for line in lines if re.match(r"  (?!…)\S", line)]
    more = 0
    for line in lines:
        if found := re.match(r"  … and ([\d,]+) more", line):
            more = int(found[1])
    assert len(failures) + more == all_of.get("failed", 0) + all_of.get("error", 0), lines


def headings_of(driver: Driver) -> list[SuitePart]:
    """Of suites among the cases, those in sight."""
    layout = driver.app.dashboard.controller.layout
    if PaneId.CASES not in layout.navigation.visible:
        return []
    lines = map(layout.cases.arrangement.at, layout.cases.in_sight)
    return [line for line in lines if isinstance(line, SuitePart)]


def heading_of(arrangement: Arrangement, row: Row) -> str:
    """The id of the heading that the case stands below; empty without headings."""
    return order.group_id(row) if arrangement.is_by_save else arrangement.heading_id(row)


async def live(day: RandomDay, actions: int) -> Line:
    """One life of the dashboard; it is left after it saw every save."""
    async with at_the_line(day.root, is_first=not day.done) as line:
        await check(day, line)
        for _ in range(actions):
            await day.act(line)
            await check(day, line)
            if day.random.random() < 0.5:
                await line.driver.pilot.pause(day.random.random() * 0.3)
                await check(day, line)
        line.session.watch_loop.resume()
        await line.reread()
        await line.looked_into()
        await line.driver.app.action_quit()
        hold_exit(line.driver, truth([*line.board.rows.values()]))
        return line


def hold_commands(line: Line, copy: Path, capsys: Capsys) -> None:
    """`evaltui check` and `evaltui run` say of the same files what the dashboard said."""
    shutil.copytree(line.root, copy)
    problems, rows = line.session.store.problems.of_project, line.board.rows.values()
    capsys.readouterr()
    run_command(["check", "-C", str(copy)])
    said = capsys.readouterr().out
    wanted = (
        r"(\d+) problems?: (\d+) errors?, (\d+) warnings?, (\d+) lint findings?"
        r"(?:, (\d+) outdated)?"
    )
    numbers = re.search(wanted, said)
    assert numbers is not None, said
    if broken := [problem for problem in problems if problem.code in UNREADABLE]:
        # The dashboard goes on with the last good version; `check` knows of none.
        assert all(problem.file in said for problem in broken), said
    else:
        found, *of_kinds, outdated = map(int, numbers.groups(default=0))
        assert found == sum(of_kinds) == len(problems), (said, problems)
        assert outdated == len(line.session.store.outdated), said
    if any(problem.severity is Severity.ERROR for problem in problems):
        return  # then nothing is run
    run_command(["run", "--fail-on", "never", "-C", str(copy)])
    said = capsys.readouterr().out
    signs = {case: sign for sign, case in re.findall(r"^  ([✓✗○!]) (\S+)  ", said, re.MULTILINE)}
    words = {RowStatus.PASSED: "✓", RowStatus.FAILED: "✗"}
    for row in rows:
        if row.status in words and not row.is_due:
            assert signs[row.key.case] == words[row.status], (row.key, said)


async def check(day: RandomDay, line: Line) -> None:
    line.driver.app.clear_notifications()  # they cover figures
    for _ in range(20):  # while a run goes on, a pane may wait for its turn to be painted
        await line.driver.settle()
        if not line.driver.app.dashboard.controller.is_running:
            break
    try:
        hold(line.driver)
    except AssertionError as error:
        done = "\n".join(day.done[-12:])
        raise AssertionError(f"{error}\n\nafter\n{done}\n\n{line.driver.text}") from error


def spend(root: Path, seed: int, actions: int, capsys: Capsys) -> None:
    """A day of many actions, in which the dashboard is left and opened again."""
    day = RandomDay(copy_samples(root), seed)
    while len(day.done) < actions:
        line = asyncio.run(live(day, min(20, actions - len(day.done))))
        hold_commands(line, root.with_name(f"copy-{len(day.done)}"), capsys)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("actions", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_figures_never_contradict_one_another(tmp_path: Path, actions: int, capsys: Capsys) -> None:
    spend(tmp_path / "samples", 11, actions, capsys)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("seed", "actions"), [(1, 500), (2, 60)])
def test_figures_never_contradict_one_another_through_hundreds_of_actions(
    tmp_path: Path, seed: int, actions: int, capsys: Capsys
) -> None:
    spend(tmp_path / "samples", seed, actions, capsys)
