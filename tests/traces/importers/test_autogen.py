"""What agents of AutoGen answer is told, also where it is what their tools gave back."""

from typing import Any

import pytest

from tests.traces.importers.fixtures import BY_FRAMEWORK, events_of

ASKED = {"source": "user", "content": "Weather?", "type": "TextMessage"}
CALL = {"id": "c1", "arguments": "{}", "name": "look"}
GIVEN = {"content": "17", "name": "look", "call_id": "c1", "is_error": False}


def said(kind: str, content: Any, source: str = "w") -> dict[str, Any]:
    return {"source": source, "content": content, "type": kind}


RAN = [said("ToolCallRequestEvent", [CALL]), said("ToolCallExecutionEvent", [GIVEN])]
SUMMARY = said("ToolCallSummaryMessage", "It has 17 degrees.")


@pytest.mark.parametrize(
    ("after", "answers"),
    [
        ([], ["It has 17 degrees."]),
        ([said("ThoughtEvent", "Well.")], ["It has 17 degrees."]),
        ([said("TextMessage", "Thanks.", "other")], ["It has 17 degrees.", "Thanks."]),
        ([said("TextMessage", "Mild.")], ["Mild."]),
        ([*RAN, said("ToolCallSummaryMessage", "Still 17.")], ["Still 17."]),
    ],
)
def test_a_summary_of_calls_is_the_answer_unless_its_agent_says_more(
    after: list[Any], answers: list[str]
) -> None:
    for key in ("messages", "events"):
        events = events_of({key: [ASKED, *RAN, SUMMARY, *after]}, BY_FRAMEWORK)
        told = [one["output"] for one in events if one["type"] == "message"]
        assert told[1:] == answers
