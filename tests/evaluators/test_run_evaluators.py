"""A program of one's own runs evaluators: at the same time, summed up as the contract says."""

import asyncio
import sys
from collections import OrderedDict
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import evaltui
from evaltui import (
    EvaluatorContext,
    EvaluatorDefinition,
    create_registry,
    failed,
    load_evaluators,
    measured,
    passed,
    run_evaluators,
)
from evaltui.core.errors import UserError
from evaltui.evaluators.seen_by_evaluators import context_json
from tests.evaluators.seen import answered

SEEN = EvaluatorContext.from_json(context_json(answered("Welcome!")))


def made(type_: str, evaluate: Any, kind: str = "assertion", **more: Any) -> Any:
    return EvaluatorDefinition(type_, type_.title(), kind, evaluate, **more), {}


async def test_the_first_that_does_not_hold_is_the_reason_and_metrics_decide_nothing() -> None:
    told = await run_evaluators(
        [
            made("a", lambda _: passed("fine", 0.9)),
            made("m", lambda _: measured(3, "three"), "metric"),
            made("b", lambda _: failed("not so", 0.2)),
            made("n", lambda _: 1 / 0, "metric"),
            made("c", lambda _: failed("nor so", 0.5)),
        ],
        SEEN,
    )
    assert (told.success, told.score, told.reason) == (False, 0.2, "not so")
    assert told.metrics == {"m": 3.0}
    rows: Any = told.to_json()["evaluatorResults"]
    assert [row["type"] for row in rows] == ["a", "m", "b", "n", "c"]
    assert rows[0] == {
        "type": "a", "label": "A", "kind": "assertion", "success": True, "value": 0.9,
        "reason": "fine",
    }  # fmt: skip
    assert (rows[3]["success"], rows[3]["kind"]) == (False, "metric")
    assert rows[3]["reason"] == "Evaluator error: division by zero"


async def test_each_has_its_own_settings_and_all_have_the_same_context() -> None:
    wanted = EvaluatorDefinition("w", "W", "assertion", lambda ctx: passed(str(dict(ctx.config))))
    told = await run_evaluators([(wanted, {"a": 1}), (wanted, {})], SEEN)
    assert [one.reason for one in told.verdicts] == ["{'a': 1}", "{}"]
    assert SEEN.config == {}


async def test_what_one_changes_no_other_sees() -> None:
    def changes(ctx: EvaluatorContext) -> Any:
        told = ""
        sight: Any = [*ctx.messages, *ctx.last_invocation.messages, ctx.config["words"]]
        for each in sight:
            try:
                each.clear()
            except TypeError as error:
                told = str(error)
        raise ValueError(told)

    def looks(ctx: EvaluatorContext) -> Any:
        return passed(f"{ctx.messages[0]['content']} {ctx.last_response} {ctx.config['words']}")

    said: Any = OrderedDict(role="user", content="Hello?")
    settings = {"words": ["hi"]}
    context = EvaluatorContext([said, {"role": "assistant", "content": "Hello!"}])
    each = [EvaluatorDefinition(one.__name__, "", "assertion", one) for one in (changes, looks)]
    told = await run_evaluators([(one, settings) for one in each], context)
    assert "cannot be changed" in told.verdicts[0].reason
    assert told.verdicts[1].reason == "Hello? Hello! ['hi']"
    assert (said["content"], settings) == ("Hello?", {"words": ["hi"]})


async def test_where_all_hold_it_says_so() -> None:
    told = await run_evaluators([made("a", lambda _: passed("fine"))], SEEN)
    assert (told.success, told.score, told.reason) == (True, None, "All evaluators passed")
    assert "score" not in told.to_json()


async def test_they_judge_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def waits(_: EvaluatorContext) -> Any:
        await both.wait()  # nobody passes alone
        return passed("met")

    async with asyncio.timeout(20):
        told = await run_evaluators([made("a", waits), made("b", waits)], SEEN)
    assert told.success


async def test_one_that_breaks_costs_its_own_verdict() -> None:
    async def hangs(_: EvaluatorContext) -> Any:
        await asyncio.Event().wait()

    async def leaves(_: EvaluatorContext) -> Any:
        sys.exit(3)

    told = await run_evaluators(
        [
            made("hangs", hangs, timeout=0.05),
            made("blocks", lambda _: sleep(0.3), timeout=0.05),
            made("leaves", leaves),
            made("exits", lambda _: sys.exit(4)),
            made("odd", lambda _: 5),
            made("good", lambda _: passed("fine")),
            made("misses", lambda _: dict[str, Any]()["plant"]),
        ],
        SEEN,
    )
    assert [one.reason.removeprefix("Evaluator error: ") for one in told.verdicts][:4] == [
        "timed out after 0.05 s",
        "timed out after 0.05 s",
        "it called sys.exit(3)",
        "it called sys.exit(4)",
    ]
    assert told.verdicts[4].reason.startswith("Evaluator error: it returned int")
    assert told.verdicts[5].reason == "fine"
    assert told.verdicts[6].reason == "Evaluator error: KeyError: 'plant'"


async def test_whatever_one_raises_costs_its_own_verdict_at_once() -> None:
    class Ended(BaseException):
        pass

    def raises(error: BaseException) -> Any:
        def plain(_: EvaluatorContext) -> Any:
            raise error

        return plain

    def waits(error: BaseException) -> Any:
        async def evaluate(_: EvaluatorContext) -> Any:
            raise error

        return evaluate

    told = await run_evaluators(
        [
            made("a", raises(Ended("no match"))),
            made("b", waits(Ended("no match"))),
            made("c", raises(StopIteration("at its end"))),
            made("d", raises(KeyboardInterrupt("pressed"))),
            made("e", waits(asyncio.CancelledError("given up"))),
            made("good", lambda _: passed("fine")),
        ],
        SEEN,
    )
    assert [one.reason.removeprefix("Evaluator error: ") for one in told.verdicts] == [
        "no match",
        "no match",
        "at its end",
        "pressed",
        "given up",
        "fine",
    ]


async def test_who_gives_up_waiting_ends_all_of_them() -> None:
    async def hangs(_: EvaluatorContext) -> Any:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(run_evaluators([made("hangs", hangs)], SEEN), 0.05)


FILE = """from evaltui import define_evaluator, passed

@define_evaluator("mine", label="Mine")
def mine(ctx):
    return passed("seen " + ctx.last_response)
"""


def project(root: Path, name: str = "mine.py") -> Path:
    (root / "mine.py").write_text(FILE)
    path = root / "evaltui.toml"
    path.write_text(f'evaluators = ["./{name}"]\n')
    return path


async def test_those_of_a_project_are_loaded_and_judge(tmp_path: Path) -> None:
    registry = create_registry()
    loaded = await load_evaluators(registry, project(tmp_path), trust=True)
    try:
        definition = registry.get("mine")
        assert definition is not None
        told = await run_evaluators([(definition, {})], SEEN)
        made_here = EvaluatorContext([{"role": "assistant", "content": "Hi!"}])
        both = await run_evaluators([(definition, {}), (definition, {"a": 1})], made_here)
    finally:
        await loaded.close()
    assert told.verdicts[0].reason == "seen Welcome!"
    assert [one.reason for one in both.verdicts] == ["seen Hi!"] * 2
    with pytest.raises(UserError, match='"mine" is already registered'):
        await load_evaluators(registry, project(tmp_path), trust=True)


async def test_what_cannot_be_loaded_is_raised_in_the_words_of_the_contract(
    tmp_path: Path,
) -> None:
    registry = create_registry()
    with pytest.raises(
        UserError, match=r'^Evaluator plugin "./no.py" not found. Make sure you\'ve'
    ):
        await load_evaluators(registry, project(tmp_path, "no.py"), trust=True)
    assert len(registry) == len(create_registry())


async def test_nothing_is_loaded_before_somebody_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    with pytest.raises(UserError, match="not trusted"):
        await load_evaluators(create_registry(), project(tmp_path))


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="no attribute `nothing`"):
        _ = evaltui.nothing
