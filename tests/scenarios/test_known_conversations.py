"""Which entries of the history are conversations, and which only judge one again."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history_queries import HistoryEntry
from evaltui.disk.journal.journal_reading import AboutRun
from evaltui.scenarios.known_conversations import KnownConversations

KEY = CaseKey("evals/a.scenario.json", "Rain")


class Past:
    """`H` was held, `R` judged again; the newest first."""

    def __init__(self, entries: str) -> None:
        self._entries = entries

    def agents(self) -> tuple[str, ...]:
        return ("mine",)

    def keys(self, agent: str) -> list[CaseKey]:  # noqa: ARG002
        return [KEY]

    def entries(self, key: CaseKey, agent: str, limit: int) -> list[HistoryEntry]:  # noqa: ARG002
        return [
            HistoryEntry(f"run-{at}", at, CaseStatus.PASSED, 1.0, -at, "", 1, 1, None, sign == "R")
            for at, sign in enumerate(self._entries[:limit])
        ]

    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None:  # noqa: ARG002
        return None

    def about(self, run_id: str) -> AboutRun:  # noqa: ARG002
        return AboutRun()


@pytest.mark.parametrize(
    ("entries", "conversations"),
    [
        ("H", "H"),
        ("RRH", "  H"),
        ("HRH", "H H"),
        ("RHRR", " HR "),  # what these two judged is known by them only
        ("RR", "R "),
        ("", ""),
    ],
)
def test_each_conversation_stands_there_once(entries: str, conversations: str) -> None:
    known = KnownConversations(Past(entries), (), is_scenario_file=lambda _: True)
    found = [" " if one.is_again else sign for sign, one in zip(entries, known, strict=True)]
    assert "".join(found) == conversations
