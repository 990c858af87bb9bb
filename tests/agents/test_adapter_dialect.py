"""What an adapter wrote: text, a JSON value, or a reply that must be whole."""

import pytest

from evaltui.agents.adapter_dialect import read_stdout
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json

WHOLE = '{"assistant_output": "72F", "tool_calls": []}'


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (b" \n", ""),
        (b"72F, [sic]\n", "72F, [sic]\n"),
        (b"[72, half", "[72, half"),
        (b"NaN", "NaN"),
        (b"72", 72),
        (WHOLE.encode(), {"assistant_output": "72F", "tool_calls": []}),
        (f"\ufeff{WHOLE}\n".encode(), {"assistant_output": "72F", "tool_calls": []}),
    ],
)
def test_text_is_the_output_and_a_value_that_value(written: bytes, read: Json) -> None:
    assert read_stdout(written) == read


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b'{"assistant_output": "72F", "tool_calls": [', "begins as a JSON object and is none"),
        (b"{'assistant_output': '72F'}", "begins as a JSON object and is none"),
        (f"{WHOLE}\n{WHOLE}".encode(), "begins as a JSON object and is none"),
        (b'{"assistant_output": NaN}', "`NaN` is not a number in JSON"),
        (b'{"a":' * 5000, "begins as a JSON object and is none"),
        (b'{"tool_calls": [], "assistant_output": "72F", "tool_calls": []}', "`tool_calls` stands"),
        (b'{"tool_calls": [{"tool": "a", "input": {"q": 1, "q": 2}}]}', "`q` stands twice"),
        (b"72\xb0F", "not UTF-8"),
    ],
)
def test_what_is_no_whole_reply_is_no_text_either(written: bytes, said: str) -> None:
    with pytest.raises(AgentError) as refused:
        read_stdout(written)
    assert said in refused.value.what
