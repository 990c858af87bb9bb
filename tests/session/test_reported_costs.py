"""Costs that answers tell count against the limit, whatever kind of agent tells them."""

import json
import sys
from pathlib import Path

import pytest

from evaltui.cli.agreement import cost
from evaltui.session.money.estimate import FEW
from tests.agents.servers import always, answer, serving
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_paid_agents import PAID, finished, watching
from tests.session.test_session import all_keys, opened

LIMIT_USD = 0.1
EACH_USD = 0.01
CASES = 30
AT_ONCE = 4


async def number_run(root: Path, *profile: str) -> int:
    """How many of the cases ran before the limit was reached."""
    make_project(root)
    for suite in (root / "evals").glob("*.json"):
        suite.unlink()
    write_suite(root, "find_order", [{**ORDERS[0], "id": f"gs-{n}"} for n in range(CASES)])
    head = ('agent = "mine"', f"max_cost_usd = {LIMIT_USD}", f"concurrency = {AT_ONCE}")
    (root / "evaltui.toml").write_text("\n".join((*head, "[agents.mine]", *profile)))
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert len(all_keys(session)) == CASES
        rows = session.store.board("mine").rows.values()
        return sum(row.result is not None for row in rows)


def is_stopped_in_time(ran: int) -> bool:
    """Of a free agent nothing is reserved for those that are asked before one told its cost."""
    return LIMIT_USD / EACH_USD <= ran < LIMIT_USD / EACH_USD + AT_ONCE


@pytest.mark.parametrize("told", [{"costUsd": EACH_USD}, {"usage": {"cost_usd": EACH_USD}}])
@pytest.mark.parametrize("is_free", [True, False])
async def test_of_an_endpoint(tmp_path: Path, told: dict[str, object], is_free: bool) -> None:
    told = {"response": "x", "toolCalls": []} | told
    async with serving(always(answer(told))) as server:
        free = f"is_free = {json.dumps(is_free)}"
        ran = await number_run(tmp_path, 'type = "http"', f'url = "{server.url}"', free)
        assert len(server.asked) == ran
    assert is_stopped_in_time(ran)


async def test_an_endpoint_that_is_free_and_tells_no_cost_is_asked_all(tmp_path: Path) -> None:
    async with serving(always(answer({"response": "x", "toolCalls": []}))) as server:
        ran = await number_run(tmp_path, 'type = "http"', f'url = "{server.url}"')
    assert ran == CASES


async def test_what_a_free_endpoint_told_is_expected_of_it_again(tmp_path: Path) -> None:
    told = {"response": "x", "toolCalls": [], "costUsd": EACH_USD}
    async with serving(always(answer(told))) as server:
        root = make_project(tmp_path)
        profile = f'type = "http"\nurl = "{server.url}"'
        (root / "evaltui.toml").write_text(f'agent = "mine"\n[agents.mine]\n{profile}\n')
        async with opened(root) as (session, _):
            keys = all_keys(session)
            once = session.requests.estimate(keys, ("mine",))
            before = session.requests.estimate(keys, ("mine",), 20)
            assert cost(before) == "cost not known yet"
            await session.run(keys[:1])
            after = session.requests.estimate(keys, ("mine",), 20)
    assert cost(after) == f"about ${20 * len(keys) * EACH_USD:.2f}"
    assert once.is_taken_free and not once.asks_first, "it runs without asking"
    assert before.is_taken_free and before.asks_first, "but not many times, not known"
    assert not after.is_taken_free, "it told that it costs money"
    assert after.asks_first and after.never_run == 2, "as of any agent that costs money"


async def test_an_endpoint_that_told_a_price_is_asked_as_one_that_costs_money(
    tmp_path: Path,
) -> None:
    """Though its profile is silent about that, and it is on this machine."""
    told = {"response": "x", "toolCalls": [], "costUsd": EACH_USD}
    async with serving(always(answer(told))) as server:
        root = make_project(tmp_path)
        profile = f'[agents.{PAID}]\ntype = "http"\nurl = "{server.url}"\n'
        (root / "evaltui.toml").write_text(
            f'agent = "{PAID}"\nconfirm_above = {2.5 * EACH_USD}\n{profile}'
        )
        async with opened(root) as (session, _):
            await session.run(all_keys(session)[:1])
        async with watching(root, has_run=False) as (session, ear):
            write_tools(root, with_description("find_order", "Finds an order."))
            await ear.until(lambda: bool(ear.runs()))
            assert finished(ear) == [all_keys(session)[0].case], "no other one ever ran"
            await session.run(all_keys(session))
            asked = session.requests.estimate(all_keys(session), (PAID,))
            assert asked.never_run == 0 and asked.asks_first, "it is above `confirm_above`"


async def test_a_start_takes_an_endpoint_on_this_machine_for_free(tmp_path: Path) -> None:
    many = [{**ORDERS[0], "id": f"gs-{n}"} for n in range(FEW + 1)]
    (make_project(tmp_path) / "evals" / "play_music.golden.json").unlink()
    write_suite(tmp_path, "find_order", many)
    async with serving(always(answer({"response": "x", "toolCalls": []}))) as server:
        profile = f'[agents.{PAID}]\ntype = "http"\nurl = "{server.url}"\n'
        (tmp_path / "evaltui.toml").write_text(f'agent = "{PAID}"\n{profile}')
        async with watching(tmp_path, has_run=False) as (_, ear):
            await ear.until(lambda: bool(ear.runs()))
            assert len(server.asked) == len(many)


ANSWER = """
import json, sys

def answer(message=""):
    return {"response": "x", "toolCalls": [], %s}

if __name__ == "__main__":
    for line in sys.stdin if "lines" in sys.argv else [""]:
        print(json.dumps(answer()), flush=True)
"""
PYTHON = ('type = "python"', 'function = "mine.py:answer"')
COMMAND = ('type = "command"', f"command = [{json.dumps(sys.executable)}, 'mine.py']")
LINES = (*COMMAND[:1], COMMAND[1].replace("]", ", 'lines']"), 'mode = "jsonl"')
ADAPTER = (*COMMAND, 'dialect = "adapter"')


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (PYTHON, '"usage": {"cost_usd": 0.01}'),
        pytest.param(PYTHON, '"cost_usd": 0.01', marks=pytest.mark.slow),
        pytest.param(COMMAND, '"costUsd": 0.01', marks=pytest.mark.slow),
        (LINES, '"usage": {"costUsd": 0.01}'),
        (ADAPTER, '"costUsd": 0.01'),
    ],
    ids=["python", "python at the top", "command", "command of lines", "adapter"],
)
async def test_of_a_program_that_is_free(
    tmp_path: Path, profile: tuple[str, ...], told: str
) -> None:
    (tmp_path / "mine.py").write_text(ANSWER % told)
    assert is_stopped_in_time(await number_run(tmp_path, *profile, "is_free = true"))


async def test_of_a_program_that_costs_money(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ANSWER % '"costUsd": 0.01')
    assert await number_run(tmp_path, *LINES) == LIMIT_USD / EACH_USD
