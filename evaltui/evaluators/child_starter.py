"""Starts the children in which the evaluators of one entry judge."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import ChildJob, OpenCheck
from evaltui.evaluators.child_lines import awaited_types, unreadable
from evaltui.evaluators.evaluator_child import EvaluatorChild
from evaltui.evaluators.handshake import CHANGED, Described, start_child, why_not
from evaltui.evaluators.one_shot import run_once
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import error_verdict
from evaltui.net.secret_mask import SecretMask


class ChildStarter:
    """Knows what they load and whom they tell; the host asks and ends them."""

    def __init__(
        self,
        entry: PluginEntry,
        source: bytes,
        mask: SecretMask,
        on_print: Callable[[str, str], None],
        is_as_loaded: Callable[[], bool],
        on_written: Callable[[object], None],
    ) -> None:
        """`is_as_loaded`: whether its files are still those whose verdicts its own are kept as;
        asked in a thread. `on_written`: told of files that they write."""
        self.entry, self._source, self._mask = entry, source, mask
        self._on_print, self._on_written, self.is_as_loaded = on_print, on_written, is_as_loaded

    async def start(
        self,
        on_doubt: Callable[[ChildJob], None],
        on_raised: Callable[[ChildJob, Verdict], None],
        described: Described | None = None,
    ) -> tuple[EvaluatorChild | None, str]:
        """The child, else why there is none."""
        try:
            began = 0.0
            if described is None or described.child is None:
                began = asyncio.get_running_loop().time()
                described = await start_child(self.entry, self._source, self._mask)
                if described.child is not None and not await asyncio.to_thread(self.is_as_loaded):
                    await described.child.end()
                    return None, CHANGED
        except Exception as error:
            return None, unreadable(error)
        if described.child is None:
            return None, why_not(described, self.entry)
        awaited = awaited_types(described.said.get("evaluators"))
        child = EvaluatorChild(
            self.entry, self._mask, self._print, described.child, awaited, on_doubt, on_raised
        )
        child.loaded_since, child.on_written = began, self._on_written
        return child, ""

    async def judge_once(self, check: OpenCheck, raw: Mapping[str, Any]) -> Verdict:
        """By a program that is started for that."""
        try:
            verdict = await run_once(self.entry, check, raw, self._mask, self._print)
            if not await asyncio.to_thread(self.is_as_loaded):
                verdict = error_verdict(check.definition, CHANGED)
        except Exception as error:
            verdict = error_verdict(check.definition, unreadable(error))
        return verdict

    def _print(self, text: str) -> None:
        self._on_print(self.entry.text, text)
