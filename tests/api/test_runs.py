"""Runs over HTTP: begun, followed, cancelled; their figures are those of the command line."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.api.run_wanted import run_wanted
from evaltui.cli.main import run_command
from evaltui.core.case import Tier
from evaltui.files import is_there
from evaltui.session import Session
from tests.api.served import LINES, RAIN, RETURNS, ended, events_in, serving, write
from tests.projects import case, write_suite
from tests.workspaces import write_entities, write_workspace

ORDERS = "evals/find_order.golden.json"


async def run_of(client: Any, **wanted: Any) -> dict[str, Any]:
    answer = await client.post("/api/runs", json=wanted)
    assert answer.status_code == 202, answer.text
    (row,) = answer.json()["runs"]
    assert row["status"] == "running"
    return await ended(client, row["id"])


def output_of_command(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    run_command([*words, "--json", "-C", str(root)])
    return capsys.readouterr().out


async def test_its_figures_are_those_of_the_command_line(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = case("gs-find-order-003", "Play the song Yesterday", "find_order")
    write_suite(root, "wrong", [wrong], "find_order")
    lines = await asyncio.to_thread(output_of_command, root, capsys, "run")
    events = [json.loads(line) for line in lines.splitlines()]
    results = [one["result"] for one in events if one["event"] == "CaseFinished"]
    wanted = {":".join(one["key"]): one for one in results}
    files = [json.loads(path.read_text()) for path in (root / "evals/results").glob("*.json")]
    async with serving(root) as client:
        told = await run_of(client)
    assert told["status"] == "completed"
    mine = {f"{one['suite']}:{one['id']}": one for one in told["cases"]}
    assert mine.keys() == wanted.keys()
    for name, one in mine.items():
        assert (one["status"], one.get("error", "")) == (
            wanted[name]["status"],
            wanted[name].get("error", ""),
        )
        said = [(each["check"], each["reason"]) for each in one.get("verdicts", ())]
        assert said == [(each["check"], each["reason"]) for each in wanted[name]["verdicts"]]
    assert told["summary"]["failed"] == 1
    for key in ("totalCases", "passed", "failed", "errored", "skippedCases"):
        assert told["summary"][key] == sum(one["summary"][key] for one in files), key


async def test_what_its_cases_cannot_be_judged_by_is_said_when_it_begins(root: Path) -> None:
    misspelt = {"id": "gs-x-001", "input": {"message": "Hello"}, "expect": {"toolsCaled": ["x"]}}
    write(
        root, "evals/x.golden.json", {"metadata": {"toolName": "find_order"}, "cases": [misspelt]}
    )
    async with serving(root) as client:
        answer = await client.post("/api/runs", json={"paths": ["evals/x.golden.json"]})
        await ended(client, answer.json()["runs"][0]["id"])
    (problem,) = answer.json()["problems"]
    assert (problem["case"], problem["severity"]) == ("gs-x-001", "error")
    assert "`toolsCaled` is not an assertion" in problem["message"]


async def test_of_a_scenario_it_has_the_output_of_the_command_line(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("scenario", "run", str(root / RETURNS))
    (wanted,) = json.loads(await asyncio.to_thread(output_of_command, root, capsys, *words))
    async with serving(root) as client:
        told = await run_of(client, paths=[f"{RETURNS}::Returns"])
    (one,) = told["cases"]
    run = one["run"]
    assert (run["result"], run["status"]) == (wanted["result"], wanted["status"])
    assert run["output"].keys() == wanted["output"].keys()
    assert run["output"]["evaluatorResults"] == wanted["output"]["evaluatorResults"]
    assert run["output"]["metrics"] == wanted["output"]["metrics"] == {"tool-call-count": 0.0}


async def test_the_id_that_the_command_line_lists_is_known(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await asyncio.to_thread(output_of_command, root, capsys, "scenario", "run", str(root / RETURNS))
    words = ("runs", "list")
    (wanted,) = json.loads(await asyncio.to_thread(output_of_command, root, capsys, *words))
    assert wanted["id"] != wanted["runId"]
    async with serving(root) as client:
        answer = await client.get(f"/api/runs/{wanted['id']}")
        assert (answer.status_code, answer.json()) == (200, wanted)
        assert answer.json()["output"]["metrics"] == {"tool-call-count": 0.0}
        no_such = await client.get(f"/api/runs/{wanted['id'][::-1]}")
        assert no_such.status_code == 404


async def test_one_that_evalstudio_kept_is_told_as_the_command_line_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: dict[str, Any] = {
        "id": "9a1b2c3d-0000-4000-8000-000000000001",
        "scenarioId": "s-refund",
        "personaId": "u-ann",
        "connectorId": "c-1",
        "status": "completed",
        "result": {"success": False, "score": 0.2, "reason": "Rude."},
    }
    write_entities(write_workspace(tmp_path), "runs", kept)
    words = ("runs", "show", kept["id"])
    shown = json.loads(await asyncio.to_thread(output_of_command, tmp_path, capsys, *words))
    async with serving(tmp_path) as client:
        for path in (f"runs/{kept['id']}", "runs/9a1b"):
            answer = await client.get(f"/api/{path}")
            assert (answer.status_code, answer.json()) == (200, shown)
    assert (shown["agent"], shown["scenario"]["case"]) == ("Shop", "Refund (Ann)")


async def test_the_beginning_of_an_id_that_the_command_line_prints_is_enough(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(17):  # of so many ids two begin with the same digit
        words = ("scenario", "run", str(root / RETURNS))
        await asyncio.to_thread(output_of_command, root, capsys, *words)
    assert await asyncio.to_thread(run_command, ["runs", "list", "-C", str(root)]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    several = next(one[0] for one in listed if sum(id_[0] == one[0] for id_ in listed) > 1)
    async with serving(root) as client:
        for id_ in listed[:2]:
            answer = await client.get(f"/api/runs/{id_}")
            assert (answer.status_code, answer.json()["id"][: len(id_)]) == (200, id_)
        vague = await client.get(f"/api/runs/{several}")
        assert (vague.status_code, "Give more" in vague.text) == (400, True)


async def test_a_conversation_and_its_run_tell_the_same_after_an_edit(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {**RAIN, "persona": {"name": "Ann", "lines": LINES}, "maxMessages": 4}
    write(root, RETURNS, [short])
    words = ("scenario", "run", str(root / RETURNS))
    (held,) = json.loads(await asyncio.to_thread(output_of_command, root, capsys, *words))
    write(root, RETURNS, [{**short, "persona": {"name": "Bob"}, "maxMessages": 10}])
    async with serving(root) as client:
        (one,) = (await client.get(f"/api/runs/{held['runId']}")).json()["cases"]
        told = (await client.get(f"/api/runs/{held['id']}")).json()
        for key in ("persona", "result", "output", "scenario"):
            assert told[key] == one["run"][key], key
        assert told["persona"] == {"name": "Ann"}
        write(root, RETURNS, [{**short, "name": "Sent back"}])
        assert (await client.get(f"/api/runs/{held['id']}")).json() == told


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({}, 4),
        ({"paths": ORDERS}, 2),
        ({"paths": [f"{ORDERS}::gs-find-order-002", RETURNS]}, 2),
        ({"paths": "evals"}, 4),
        ({"tiers": ["scenario"]}, 1),
        ({"filter": "music"}, 1),
    ],
)
async def test_which_cases_it_runs_can_be_said(
    root: Path, wanted: dict[str, Any], count: int
) -> None:
    async with serving(root) as client:
        told = await run_of(client, **wanted)
    assert told["total"] == len(told["cases"]) == count


@pytest.mark.parametrize(
    ("wanted", "status", "said"),
    [
        ({"paths": "evals/nothing.json"}, 404, "`evals/nothing.json`"),
        ({"paths": f"{ORDERS}::gs-find-order-009"}, 400, "gs-find-order-009"),
        ({"paths": "/etc/passwd"}, 404, "/etc/passwd"),
        ({"filter": "zzz"}, 400, "No case matches"),
        ({"failed": True}, 409, "Nothing failed"),
        ({"agents": ["http://evil.example/"]}, 404, "no agent"),
        ({"trials": 0}, 400, "trials"),
        ({"paths": []}, 400, "`paths` chooses nothing"),
        ({"tiers": []}, 400, "`tiers` chooses nothing"),
        ({"agents": []}, 400, "`agents` chooses nothing"),
        ({"trust": True}, 400, "`trust`"),
        ({"evals": ["/etc/*.json"]}, 400, "`evals`"),
    ],
)
async def test_what_cannot_be_run_is_said_and_nothing_runs(
    root: Path, wanted: dict[str, Any], status: int, said: str
) -> None:
    async with serving(root) as client:
        answer = await client.post("/api/runs", json=wanted)
        assert answer.status_code == status
        assert said in answer.json()["error"]["message"]
        assert (await client.get("/api/runs")).json() == []


def test_every_tier_can_be_chosen() -> None:
    tiers = [tier.value for tier in Tier]
    assert run_wanted({"tiers": tiers}).tiers == tiers


async def test_trials_have_their_statistics(root: Path) -> None:
    async with serving(root) as client:
        told = await run_of(client, paths=RETURNS, trials=3)
    assert told["trials"] == told["cases"][0]["trials"] == 3
    assert told["cases"][0]["statistics"]


async def test_each_agent_has_a_run_of_its_own(root: Path) -> None:
    strict = '[agents.strict]\ntype = "embedded"\ncall_at = 0.9\n'
    (root / "evaltui.toml").write_text(strict)
    async with serving(root) as client:
        answer = await client.post("/api/runs", json={"agents": ["embedded", "strict"]})
        runs = answer.json()["runs"]
        assert len({row["agent"] for row in runs}) == len(runs) == 2
        for row in runs:
            assert (await ended(client, row["id"]))["agent"] == row["agent"]
            listed = (await client.get("/api/runs", params={"agent": row["agent"]})).json()
            assert [one["id"] for one in listed] == [row["id"]]


async def test_those_of_the_command_line_are_listed_too(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await asyncio.to_thread(output_of_command, root, capsys, "run")
    async with serving(root) as client:
        await run_of(client, paths=ORDERS)
        listed = (await client.get("/api/runs")).json()
        assert [(one["number"], one["status"]) for one in listed] == [
            (2, "completed"),
            (1, "completed"),
        ]
        first = (await client.get("/api/runs", params={"limit": 1})).json()
        assert [one["number"] for one in first] == [2]
        for wrong in ("-1", "x", "1001"):
            answer = await client.get("/api/runs", params={"limit": wrong})
            assert (answer.status_code, "limit" in answer.text) == (400, True)
        events = events_in((await client.get(f"/api/runs/{listed[0]['id']}/events")).text)
        (finished,) = [one for one in events if one["event"] == "RunFinished"]
        for key, number in listed[0]["changes"].items():
            told = finished["changes"].get(key, 0)
            assert number == (told if isinstance(told, int) else len(told))
        assert listed[0]["changes"]["as_before"] == 2
        alone = (await client.get(f"/api/runs/{listed[0]['id']}")).json()
        assert alone["changes"] == listed[0]["changes"]
        told = (await client.get(f"/api/runs/{listed[1]['id']}")).json()
        assert (told["number"], len(told["cases"])) == (1, 4)


async def test_its_results_come_in_parts_and_by_status(root: Path) -> None:
    wrong = case("gs-find-order-003", "Play the song Yesterday", "find_order")
    write_suite(root, "wrong", [wrong], "find_order")
    async with serving(root) as client:
        told = await run_of(client)
        path, seen = f"/api/runs/{told['id']}", list[str]()
        offset: int | None = 0
        while offset is not None:
            part = (await client.get(path, params={"offset": offset, "limit": 2})).json()
            seen += [one["key"] for one in part["cases"]]
            offset = part.get("next")
        assert seen == [one["key"] for one in told["cases"]]
        failed = (await client.get(path, params={"status": "failed"})).json()["cases"]
        assert [one["id"] for one in failed] == ["gs-find-order-003"]


async def test_what_it_runs_because_it_failed_counts_as_it_was_planned(root: Path) -> None:
    wrong = case("gs-find-order-003", "Play the song Yesterday", "find_order")
    write_suite(root, "wrong", [wrong], "find_order")

    def planned() -> list[Any]:
        files = (root / "evals/results").glob("*.json")
        last_first = sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)
        cases = [one for file in last_first for one in json.loads(file.read_text())["cases"]]
        return [one.get("planned") for one in cases if one["id"] == wrong["id"]]

    for wanted, known in ({}, None), ({"failed": True, "trials": 2}, {"failures": 1}), ({}, None):
        async with serving(root) as client:
            await run_of(client, **wanted)
        assert planned()[0] == known


async def until_there(path: Path) -> None:
    async with asyncio.timeout(30):
        while not is_there(path):  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.02)


async def test_one_that_is_cancelled_ends_at_once(root: Path, slow: Path) -> None:
    async with serving(root, trust=True) as client:
        (row,) = (await client.post("/api/runs", json={"paths": ORDERS})).json()["runs"]
        await until_there(slow)
        on = (await client.get(f"/api/runs/{row['id']}")).json()
        assert (on["status"], on["cases"], on["total"]) == ("running", [], 2)
        assert (await client.get("/api/runs")).json()[0]["status"] == "running"
        async with asyncio.timeout(20):
            over = await client.post(f"/api/runs/{row['id']}/cancel")
        assert (over.status_code, over.json()["status"]) == (200, "cancelled")
        (listed,) = (await client.get("/api/runs")).json()
        assert (listed["id"], listed["status"], listed["ran"]) == (row["id"], "cancelled", 0)
        assert set(listed["changes"].values()) == {0}
        again = await client.post(f"/api/runs/{row['id']}/cancel")
        assert again.status_code == 409
        events = events_in((await client.get(f"/api/runs/{row['id']}/events")).text)
        assert (events[-1]["event"], events[-1]["end"]) == ("RunFinished", "cancelled")


async def test_the_end_of_the_server_cancels_what_runs(root: Path, slow: Path) -> None:
    async with asyncio.timeout(40):
        async with serving(root, trust=True) as client:
            (row,) = (await client.post("/api/runs", json={"paths": ORDERS})).json()["runs"]
            await until_there(slow)
        async with serving(root, trust=True) as client:
            told = (await client.get(f"/api/runs/{row['id']}")).json()
    assert told["status"] == "cancelled"


@pytest.mark.usefixtures("slow")
async def test_so_many_at_once_and_no_more(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.api.runs.MOST_AT_ONCE", 1)
    async with serving(root, trust=True) as client:
        (row,) = (await client.post("/api/runs", json={"paths": ORDERS})).json()["runs"]
        assert (await client.post("/api/runs", json={})).status_code == 409
        await client.post(f"/api/runs/{row['id']}/cancel")


async def test_those_that_are_asked_for_at_once_are_counted_too(root: Path) -> None:
    async with serving(root) as client:
        asked = (client.post("/api/runs", json={"paths": ORDERS}) for _ in range(12))
        answers = await asyncio.gather(*asked)
        assert sorted(one.status_code for one in answers) == [202] * 4 + [409] * 8
        refused = [one.json()["error"]["message"] for one in answers if one.status_code == 409]
        assert set(refused) == {"4 runs are running."}


async def test_a_server_that_stops_lets_a_run_that_is_over_clear_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close, begun, closed = Session.close, asyncio.Event(), asyncio.Event()

    async def slowly(session: Session) -> None:
        begun.set()
        for _ in range(100):
            await asyncio.sleep(0)
        await close(session)
        closed.set()

    monkeypatch.setattr(Session, "close", slowly)
    async with serving(root) as client:
        assert (await client.post("/api/runs", json={"paths": RETURNS})).status_code == 202
        await begun.wait()
    assert closed.is_set()
