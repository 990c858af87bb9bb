"""Scenarios over HTTP: told as they stand in their files, checked, and written there."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.api.served import COUNT, LENGTH, LINES, RAIN, RETURNS, ended, serving, write
from tests.workspaces import DATA, HELLO, PROJECT, REFUND, write_entities, write_workspace

KEY = f"{RETURNS}::Returns"

BY_HAND = """[ {
  "name": "Returns",
  "maxMessages": 4,
  "persona": {"lines":["Look up order SO-1", "Thanks"]},
  "evaluators": [ {"type":"response-length",  "config":{"max": 1e+5}} ]
} ]
"""


def read(root: Path, file: str) -> Any:
    return json.loads((root / file).read_text(encoding="utf-8"))


def all_below(root: Path) -> set[Path]:
    return {*root.rglob("*")}


async def test_they_are_listed_as_they_stand_in_their_files(root: Path) -> None:
    async with serving(root) as client:
        (listed,) = (await client.get("/api/scenarios")).json()
        assert listed == {"id": "Returns", "key": KEY, "file": RETURNS, **RAIN, "problems": []}
        for name in ("Returns", KEY):
            assert (await client.get(f"/api/scenarios/{name}")).json() == listed


async def test_what_is_told_of_one_can_be_sent_back(root: Path) -> None:
    before = (root / RETURNS).read_bytes()
    async with serving(root) as client:
        told = (await client.get("/api/scenarios/Returns")).json()
        assert (await client.put("/api/scenarios/Returns", json=told)).json() == told
    assert (root / RETURNS).read_bytes() == before


async def test_the_fields_that_are_sent_are_merged_and_only_their_lines_change(root: Path) -> None:
    before = (root / RETURNS).read_text().splitlines()
    async with serving(root) as client:
        more = {"evaluators": [{**LENGTH, "config": {"max": 300}}, COUNT]}
        answer = await client.put("/api/scenarios/Returns", json=more)
        assert (answer.status_code, answer.json()["persona"]) == (200, {"lines": LINES})
        after = (root / RETURNS).read_text().splitlines()
        changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        assert changed == [('          "max": 400', '          "max": 300')]
        await client.put("/api/scenarios/Returns", json={"maxMessages": 4})
        await client.put("/api/scenarios/Returns", json={"maxMessages": None})
    assert (root / RETURNS).read_text().splitlines() == after


async def test_one_field_out_and_another_in_leaves_the_lines_of_all_others(root: Path) -> None:
    (root / RETURNS).write_text(BY_HAND)
    async with serving(root) as client:
        change = {"description": "More rain", "maxMessages": None}
        assert (await client.put("/api/scenarios/Returns", json=change)).status_code == 200
        after = BY_HAND.replace('  "maxMessages": 4,\n', "")
        after = after.replace("} ]\n", '} ],\n  "description": "More rain"\n', 1)
        assert (root / RETURNS).read_text() == after
        longer = {"evaluators": [{**LENGTH, "config": {"max": 1e5}}, COUNT]}
        assert (await client.put("/api/scenarios/Returns", json=longer)).status_code == 200
    assert (root / RETURNS).read_text() == after.replace(
        "} ]", '}, {"type": "tool-call-count"} ]', 1
    )


async def test_only_a_null_that_is_sent_takes_a_field_out(root: Path) -> None:
    before = BY_HAND.replace('"maxMessages": 4', '"maxMessages": null,\n  "note": null')
    (root / RETURNS).write_text(before)
    async with serving(root) as client:
        for change, after in (
            (
                {"description": "Rain"},
                before.replace("} ]\n", '} ],\n  "description": "Rain"\n', 1),
            ),
            ({"description": None}, before),
            ({"note": None}, before.replace(',\n  "note": null', "")),
        ):
            assert (await client.put("/api/scenarios/Returns", json=change)).status_code == 200
            assert (root / RETURNS).read_text() == after


async def test_one_can_get_another_name_but_not_that_of_another(root: Path) -> None:
    write(root, RETURNS, [RAIN, {**RAIN, "name": "Other"}])
    async with serving(root) as client:
        answer = await client.put("/api/scenarios/Returns", json={"name": "Other"})
        assert (answer.status_code, read(root, RETURNS)[0]["name"]) == (400, "Returns")
        answer = await client.put("/api/scenarios/Returns", json={"name": "Back"})
        assert (answer.status_code, answer.json()["key"]) == (200, f"{RETURNS}::Back")
        assert (await client.get("/api/scenarios/Returns")).status_code == 404


async def test_all_mistakes_come_at_once_as_the_command_line_tells_them(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {"type": "response-length", "config": {"max": "many"}}
    change = {"evaluators": [wrong, {"type": "regx"}], "maxMessages": "x"}
    before = (root / RETURNS).read_bytes()
    async with serving(root) as client:
        changed = await client.put("/api/scenarios/Returns", json=change)
        added = await client.post("/api/scenarios", json={**RAIN, "name": "New", **change})
    assert (changed.status_code, added.status_code) == (400, 400)
    assert (root / RETURNS).read_bytes() == before
    assert not (root / "evals/new.scenario.json").exists()
    write(root, RETURNS, [{**RAIN, **change}])
    run_command(["scenario", "validate", "--json", "-C", str(root)])
    errors = json.loads(capsys.readouterr().out)["errors"]
    wanted = {(one["pointer"].removeprefix("/0"), one["message"], one["hint"]) for one in errors}
    assert len(wanted) == 3
    for answer in (changed, added):
        problems = answer.json()["error"]["problems"]
        assert {(one["pointer"], one["message"], one["hint"]) for one in problems} == wanted


@pytest.mark.parametrize("gone", ["evaluators", "name"])
async def test_what_a_scenario_needs_cannot_be_taken_out(root: Path, gone: str) -> None:
    async with serving(root) as client:
        for nothing in (None, [] if gone == "evaluators" else ""):
            answer = await client.put("/api/scenarios/Returns", json={gone: nothing})
            assert answer.status_code == 400, nothing
    assert read(root, RETURNS) == [RAIN]


async def test_a_mistake_of_another_one_is_not_in_the_way(root: Path) -> None:
    broken = {**RAIN, "name": "Broken", "evaluators": [{"type": "regx"}]}
    write(root, RETURNS, [RAIN, broken])
    async with serving(root) as client:
        answer = await client.put("/api/scenarios/Returns", json={"maxMessages": 4})
        assert answer.status_code == 200
        (problem,) = (await client.get("/api/scenarios/Broken")).json()["problems"]
        assert (problem["pointer"], problem["severity"]) == ("/1/evaluators/0/type", "error")


async def test_a_new_one_gets_a_file_by_its_name_or_goes_into_one(root: Path) -> None:
    async with serving(root) as client:
        added = await client.post("/api/scenarios", json={**RAIN, "name": "Money back!"})
        assert (added.status_code, added.json()["file"]) == (201, "evals/money_back.scenario.json")
        assert read(root, "evals/money_back.scenario.json") == {**RAIN, "name": "Money back!"}
        again = await client.post("/api/scenarios", json={**RAIN, "name": "money back"})
        assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
        into = await client.post("/api/scenarios", json={**RAIN, "name": "Two", "file": RETURNS})
        assert (into.status_code, into.json()["key"]) == (201, f"{RETURNS}::Two")
        assert read(root, RETURNS) == [RAIN, {**RAIN, "name": "Two"}]
        taken = await client.post("/api/scenarios", json={**RAIN, "file": RETURNS})
        assert taken.status_code == 400
        assert len((await client.get("/api/scenarios")).json()) == 3


async def test_of_several_with_one_id_the_key_tells_which(root: Path) -> None:
    write(root, "evals/b.scenario.json", RAIN)
    async with serving(root) as client:
        answer = await client.get("/api/scenarios/Returns")
        assert (answer.status_code, KEY in answer.json()["error"]["hint"]) == (409, True)
        assert (await client.get(f"/api/scenarios/{KEY}")).status_code == 200


async def test_one_with_an_id_is_found_by_its_name_too_unless_that_is_the_id_of_another(
    root: Path,
) -> None:
    named = [{**RAIN, "id": "sc-0"}, {**RAIN, "id": "sc-1", "name": "sc-0"}]
    write(root, RETURNS, [*named, {**RAIN, "id": "sc-2", "name": "Twice"}])
    write(root, "evals/b.scenario.json", {**RAIN, "id": "sc-3", "name": "Twice"})
    async with serving(root) as client:
        for asked, id_ in (("Returns", "sc-0"), ("sc-0", "sc-0"), ("sc-1", "sc-1")):
            assert (await client.get(f"/api/scenarios/{asked}")).json()["id"] == id_
        changed = await client.put("/api/scenarios/Returns", json={"maxMessages": 4})
        assert (changed.status_code, changed.json()["key"]) == (200, f"{RETURNS}::sc-0")
        several = await client.get("/api/scenarios/Twice")
        assert (several.status_code, f"{RETURNS}::sc-2" in several.text) == (409, True)


@pytest.mark.parametrize(
    "file",
    [
        *("../out.scenario.json", "/tmp/out.scenario.json", "evals/../../out.scenario.json"),
        *("evals\\..\\out.scenario.json", "evals//a.scenario.json", "link/out.scenario.json"),
        *("evals/.hidden.scenario.json", ".git/a.scenario.json", "evals/.scenario.json"),
        *("evals/a.json", "evaltui.toml", "", 5, ["a"], "evals/a\0.scenario.json"),
    ],
)
async def test_nothing_is_written_outside_of_the_project(
    root: Path, file: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / "link").symlink_to(elsewhere)
    there = set(root.parent.rglob("*.json"))
    async with serving(root) as client:
        answer = await client.post("/api/scenarios", json={**RAIN, "name": "X", "file": file})
    assert answer.status_code in (400, 403)
    assert set(root.parent.rglob("*.json")) == there
    assert not [*elsewhere.iterdir()]


async def test_a_link_that_leads_out_is_not_written_through(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    theirs = tmp_path_factory.mktemp("theirs") / "a.json"
    theirs.write_text(json.dumps(RAIN))
    before = theirs.read_bytes()
    (root / "evals/out.scenario.json").symlink_to(theirs)
    (root / "evaltui.toml").write_text('evals = ["evals/*.json"]\noutside = ["/"]\n')
    async with serving(root, trust=True) as client:
        id_ = "evals/out.scenario.json::Returns"
        assert (await client.get(f"/api/scenarios/{id_}")).status_code == 200
        answer = await client.put(f"/api/scenarios/{id_}", json={"maxMessages": 4})
    assert (answer.status_code, theirs.read_bytes()) == (403, before)


async def test_where_no_eval_file_would_be_found_none_is_written(root: Path) -> None:
    (root / "evaltui.toml").write_text('evals = ["evals/*.json"]\n')
    async with serving(root) as client:
        new = {**RAIN, "name": "X", "file": "other/x.scenario.json"}
        answer = await client.post("/api/scenarios", json=new)
    assert (answer.status_code, (root / "other").exists()) == (400, False)
    assert "Say in `file` where it belongs" in answer.text


@pytest.mark.parametrize(
    ("file", "status"),
    [
        ("evals/new/deep/x.scenario.json", 400),  # a scenario without a name
        ("evals/results/x.scenario.json", 400),
        ("node_modules/x.scenario.json", 400),
        (f"{RETURNS}/x.scenario.json", 409),
    ],
)
async def test_what_is_refused_leaves_nothing(root: Path, file: str, status: int) -> None:
    async with serving(root) as client:
        before = all_below(root)
        new = {**RAIN, "name": "" if "new" in file else "X", "file": file}
        answer = await client.post("/api/scenarios", json=new)
        assert (answer.status_code, all_below(root)) == (status, before)
        assert answer.json()["error"]["hint"]


async def test_changes_at_the_same_time_are_all_kept(root: Path) -> None:
    write(root, RETURNS, [{**RAIN, "name": f"S{number}"} for number in range(8)])
    async with serving(root) as client:
        changes = (
            client.put(f"/api/scenarios/S{number}", json={"maxMessages": number + 2})
            for number in range(8)
        )
        assert {one.status_code for one in await asyncio.gather(*changes)} == {200}
    assert [one["maxMessages"] for one in read(root, RETURNS)] == [*range(2, 10)]


@pytest.mark.parametrize("file", [None, "evals/new/money.scenario.json"])
async def test_of_two_that_make_the_same_file_at_once_one_wins(
    root: Path, file: str | None
) -> None:
    new = {**RAIN, "name": "Money back", **({"file": file} if file else {})}
    async with serving(root) as client:
        made = await asyncio.gather(*(client.post("/api/scenarios", json=new) for _ in range(2)))
        won, lost = sorted(made, key=lambda one: one.status_code)
        assert (won.status_code, won.json()["name"]) == (201, "Money back")
        assert (lost.status_code, lost.json()["error"]["code"]) == (409, "conflict")
        assert len((await client.get("/api/scenarios")).json()) == 2


async def test_those_of_an_evalstudio_workspace_are_told_and_left_to_it(root: Path) -> None:
    write_workspace(root)
    scenarios = root / DATA / "scenarios.json"
    before = scenarios.read_bytes()
    async with serving(root) as client:
        told = (await client.get("/api/scenarios")).json()
        theirs = [one for one in told if one["file"] != RETURNS]
        assert [one["name"] for one in theirs] == ["Refund", "Hello"]
        answer = await client.put(f"/api/scenarios/{theirs[0]['key']}", json={"maxMessages": 9})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-allowed")
    assert scenarios.read_bytes() == before


async def test_to_a_workspace_of_evalstudio_none_is_added_and_it_says_where(
    tmp_path: Path,
) -> None:
    write_workspace(tmp_path)
    before = all_below(tmp_path)
    async with serving(tmp_path) as client:
        for path in ("/api/scenarios", f"/api/projects/{PROJECT}/scenarios"):
            for file in ({}, {"file": f"{DATA}/scenarios.json"}, {"file": "x.scenario.json"}):
                answer = await client.post(path, json={**RAIN, "name": "X", **file})
                told = answer.json()["error"]
                assert (answer.status_code, told["code"]) == (403, "not-allowed")
                assert "EvalStudio's own file, which is read and never written" in told["message"]
                assert told["hint"] == "Add the scenario in EvalStudio."
    assert all_below(tmp_path) == before


async def test_a_scenario_of_a_workspace_is_run_with_all_its_personas_by_its_key(
    tmp_path: Path,
) -> None:
    write_workspace(tmp_path)
    async with serving(tmp_path, agent=("embedded",)) as client:
        refund, _ = (await client.get("/api/scenarios")).json()
        assert refund["id"] == "s-refund"
        asked = {"paths": [refund["key"]]}
        (row,) = (await client.post("/api/runs", json=asked)).json()["runs"]
        run = await ended(client, row["id"])
        assert [one["id"] for one in run["cases"]] == ["Refund (Ann)", "Refund (Bob)"]


async def test_mistakes_of_a_scenario_of_a_workspace_are_told_with_it(tmp_path: Path) -> None:
    write_workspace(tmp_path)
    write_entities(tmp_path, "scenarios", {**REFUND, "maxMessages": "four"}, HELLO)
    async with serving(tmp_path) as client:
        refund, hello = (await client.get("/api/scenarios")).json()
        assert [one["pointer"] for one in refund["problems"]] == ["/0/maxMessages"]
        assert hello["problems"] == []


async def test_what_was_saved_by_hand_is_known_at_once(root: Path) -> None:
    async with serving(root) as client:
        assert len((await client.get("/api/scenarios")).json()) == 1
        write(root, RETURNS, [RAIN, {**RAIN, "name": "By hand"}])
        assert len((await client.get("/api/scenarios")).json()) == 2
        write(root, "evals/new.scenario.json", {**RAIN, "name": "In a new file"})
        assert len((await client.get("/api/scenarios")).json()) == 3


async def test_names_without_latin_letters_get_a_file_each(root: Path) -> None:
    async with serving(root) as client:
        for name, file in (("退货", "scenario"), ("💥", "scenario_2"), ("..", "scenario_3")):
            added = await client.post("/api/scenarios", json={**RAIN, "name": name})
            assert (added.status_code, added.json()["name"]) == (201, name)
            assert added.json()["file"] == f"evals/{file}.scenario.json"
        for wrong in (5, None):
            answer = await client.post("/api/scenarios", json={**RAIN, "name": wrong})
            assert answer.status_code == 400
            assert "name" in answer.json()["error"]["problems"][0]["message"]


@pytest.mark.parametrize("name", ["a\0b", "\x1b[2Ja"])
async def test_a_name_that_acts_on_terminals_is_refused_with_what_to_do(
    root: Path, name: str
) -> None:
    before = all_below(root / "evals")
    async with serving(root) as client:
        added = await client.post("/api/scenarios", json={**RAIN, "name": name})
        renamed = await client.put("/api/scenarios/Returns", json={"name": name})
    for answer in (added, renamed):
        assert answer.status_code == 400
        assert "holds the character" in answer.text and "Write it without" in answer.text
    assert all_below(root / "evals") == before
