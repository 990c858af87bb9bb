"""Random histories of runs that end in the middle and are gone on with: one limit for all of them.

Each run is a process, which ends as by Ctrl+C or is killed; whoever answers keeps the bill.
"""

import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.projects import write_tools
from tests.session.bill import Bill, BillOnDisk
from tests.session.billed_run import NOTHING_LEFT, BilledRun, execute

pytestmark = pytest.mark.slow

HISTORIES = 3
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.session.billed_run"])
LIMITS = ["of the session", "of the profile", "of [judge]"]
RUBRIC = [{"dimension": "kind", "maxScore": 1, "criteria": "1: kind. 0: else."}]


def write_project(root: Path, chance: Random, limit: float, of: str) -> None:
    """The settings there say `concurrency` already; the rest is left to chance."""
    write_tools(root, [{"name": "look", "description": "Looks.", "parameters": {}}])
    is_judged = of == "of [judge]"
    more = {"rubric": RUBRIC} if is_judged else {"stubs": {"look": "seen"}, "expect": {}}
    cases = [
        {"id": f"c{n}", "input": {"message": f"m{n}"}, **more}
        for n in range(chance.randint(15, 30))
    ]
    (root / "evals").mkdir()
    name = f"look.{'rubric' if is_judged else 'golden'}.json"
    (root / "evals" / name).write_text(json.dumps({"cases": cases}))
    own = f"max_cost_usd = {limit!r}\n"
    text = own if of == "of the session" else ""
    text += f'agent = "mine"\ntrials = {chance.choice((1, 1, 3))}\n'
    text += '[agents.mine]\ntype = "billed"\n' + (own if of == "of the profile" else "")
    if is_judged:
        text += f'is_billed = false\n[judge]\ntype = "billed"\n{own}'
    settings = root / "evaltui.toml"
    settings.write_text(settings.read_text() + text)


def history(root: Path, seed: int, of: str, *, tells: bool) -> tuple[float, Bill, Bill, int]:
    """The limit; the bill of a run with all that went on with it, and that of one begun anew after
    them; how many of them were gone on with."""
    chance = Random(seed)
    limit, concurrency = chance.uniform(0.05, 5.0), chance.choice((1, 2, 4, 8))
    most = limit / (chance.choice((4, 10)) if tells else concurrency)
    root.mkdir()
    (root / "evaltui.toml").write_text(f"concurrency = {concurrency}\n")
    write_project(root, chance, limit, of)
    bill, anew = root.with_name(f"{root.name}.bill"), root.with_name(f"{root.name}.anew")
    resumed = 0

    def one(file: Path, dies_at: int, *, resumes: bool) -> int | None:
        seed, is_killed = chance.randint(0, 10**9), chance.random() < 0.8
        run = BilledRun(root, file, seed, most, tells, resumes, dies_at, is_killed)
        process = _PROCESSES.Process(target=execute, args=(run,))
        process.start()
        process.join()
        assert process.exitcode in (0, -9, NOTHING_LEFT)
        return process.exitcode

    ends = [chance.randint(2, 8) for _ in range(chance.randint(1, 4))]
    for number, dies_at in enumerate([*ends, 0]):
        code = one(bill, dies_at, resumes=number > 0)
        if code == NOTHING_LEFT:
            break
        resumed += number > 0
    one(anew, 0, resumes=False)
    return limit, BillOnDisk(bill).read(), BillOnDisk(anew).read(), resumed


def histories(
    folder: Path, of: str, *, tells: bool, count: int = HISTORIES
) -> Iterator[tuple[float, Bill, Bill]]:
    resumed = 0
    for seed in range(count):
        limit, bill, anew, times = history(folder / str(seed), seed, of, tells=tells)
        resumed += times
        yield limit, bill, anew
    assert resumed, "runs were gone on with"


@pytest.mark.parametrize("of", LIMITS)
def test_with_a_known_worst_case_all_runs_together_never_exceed_it(tmp_path: Path, of: str) -> None:
    shares = []
    for limit, bill, anew in histories(tmp_path, of, tells=True):
        for one in (bill, anew):
            assert one.excess_usd == 0
            assert one.usd <= limit + 1e-9
        shares.append((bill.usd / limit, (bill.usd + anew.usd) / limit))
    assert max(share for share, _ in shares) > 0.5, "the limits were neared"
    assert max(both for _, both in shares) > 1, "a run that is not resumed begins anew"


@pytest.mark.parametrize("of", LIMITS)
def test_without_one_they_do_by_what_answers_cost_above_their_reservations(
    tmp_path: Path, of: str
) -> None:
    for limit, bill, anew in histories(tmp_path, of, tells=False):
        for one in (bill, anew):
            assert one.usd <= limit + one.excess_usd + 1e-9
            assert one.usd <= 2 * limit + 1e-9, "no answer costs more than limit / concurrency"
