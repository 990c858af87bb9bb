"""Evaluators from the settings, for suites of traces and packs whose cases name them."""

import asyncio
import re
from argparse import Namespace
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.cli.settings import read_settings
from evaltui.core.errors import UserError
from evaltui.core.verdict import EVALUATOR
from evaltui.traces.reading import TraceSuite, decode_json

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

_KEY = b'"evaluators"'
_FILE = re.compile(EVALUATOR.replace("/", "_") + r"(.+?)(?: \d+)?-[0-9a-f]{8}", re.DOTALL)
"""How the file of an evaluator's verdicts is called; a second one of a type has a number."""


def named_in_suite(suite: TraceSuite) -> Iterator[str]:
    """The types that its cases name; who reads the cases says what is wrong with them."""
    for text in suite.texts:
        if _KEY not in bytes(text):
            continue
        try:
            case = decode_json(bytes(text), suite.file)
        except UserError:
            continue
        uses = case.get("evaluators") if isinstance(case, dict) else None
        for use in uses if isinstance(uses, list) else ():
            if isinstance(use, dict) and isinstance(use.get("type"), str):
                yield use["type"]


@asynccontextmanager
async def of_suite(
    suite: TraceSuite, flags: Namespace
) -> "AsyncIterator[EvaluatorRegistry | None]":
    """Those that come along and those of the settings; `None`: the former are enough.

    Raises UserError where nobody agreed to the latter, or one cannot be loaded.
    """
    async with _with_own(_others_of(suite), flags) as own:
        yield own


def refuse_own(suite: TraceSuite) -> None:
    """Raises UserError for a suite that a cluster cannot judge."""
    if others := _others_of(suite):
        what = f"The evaluator `{min(others)}` is your own, which a cluster does not load."
        raise UserError(what, "Judge the suite here: leave --cluster out, or use --shard.")


def _others_of(suite: TraceSuite) -> set[str]:
    """The evaluators that it names and that do not come along."""
    from evaltui.evaluators.registry import create_registry

    known = create_registry()
    return {one for one in named_in_suite(suite) if not known.get(one)}


@asynccontextmanager
async def of_pack(pack: Path, flags: Namespace) -> "AsyncIterator[EvaluatorRegistry | None]":
    """The same of the evaluators that judged the cases of a pack."""
    from evaltui.evaluators.registry import create_registry

    known = create_registry()
    named = (_FILE.fullmatch(path.stem) for path in (pack / "judges").glob("*.json"))
    others = {found[1] for found in named if found is not None and not known.get(found[1])}
    async with _with_own(others, flags) as own:
        yield own


@asynccontextmanager
async def _with_own(
    others: Iterable[str], flags: Namespace
) -> "AsyncIterator[EvaluatorRegistry | None]":
    config = (await asyncio.to_thread(read_settings, flags)).config if any(others) else None
    if config is None or not config.evaluators:
        yield None
        return
    from evaltui.evaluators.registry import create_registry
    from evaltui.project.load_evaluators import load_named

    registry = create_registry()
    loader = await load_named(registry, config)
    try:
        yield registry
    finally:
        await loader.close()
