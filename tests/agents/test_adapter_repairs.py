"""The repair loop's adapter contract along the line: expectations out, repairs until one passes."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.adapter_dialect import adapter_request
from evaltui.agents.command import make
from evaltui.core.agent import AgentRequest, PreviousAttempt
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.expected import Expected
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.verdict import Verdict, VerdictStatus
from tests.projects import case, make_project, write_suite
from tests.session.test_session import all_keys, opened, written_by

LOOK = ToolDefinition("look", parameters={"type": "object", "required": ["q"]})
REGISTRY = ToolRegistry({"look": LOOK, "buy": ToolDefinition("buy")})
ADAPTER = """
import json, sys
asked = json.load(sys.stdin)
with open("asked.jsonl", "a") as log:
    log.write(json.dumps(asked) + "\\n")
name = sys.argv[1]
if name == "good" and asked["attempt"] < 1:
    name = "bad"
if name == "bad":
    json.dump({"assistant_output": "no idea", "tool_calls": []}, sys.stdout)
elif name == "crash":
    sys.exit("out of order")
else:
    call = {"tool": "find_order", "arguments": {"order_id": "SO-1"}}
    json.dump({"output": "found", "tool_calls": [call]}, sys.stdout)
"""


def test_assertions_in_the_words_of_the_contract() -> None:
    asked = AgentRequest(
        CaseKey("s", "c"),
        "w",
        REGISTRY,
        expected=Expected(
            ("look",),
            ("buy",),
            required_params={"look": ("q", "unit"), "gone": ("x",)},
            forbidden_params={"look": ("raw",)},
            output="72F",
        ),
    )
    sent = adapter_request(asked, tells_expectations=True, is_repair=False)
    assert sent["policy"] == {"required_tools": ["look"], "forbidden_tools": ["buy"]}
    assert sent["tool_contracts"] == {
        "look": {"required_args": ["q", "unit"], "forbidden_args": ["raw"]},
        "buy": {"required_args": [], "forbidden_args": []},
        "gone": {"required_args": ["x"], "forbidden_args": []},
    }
    assert sent["expected_output"] == "72F"
    quiet = adapter_request(asked, tells_expectations=False, is_repair=False)
    assert quiet["policy"] == {"required_tools": [], "forbidden_tools": []}
    assert quiet["expected_output"] is None


def test_no_tool_may_be_called() -> None:
    asked = AgentRequest(
        CaseKey("s", "c"), "w", REGISTRY, expected=Expected(forbids_all_tools=True)
    )
    sent = adapter_request(asked, tells_expectations=True, is_repair=False)
    assert sent["policy"] == {"required_tools": [], "forbidden_tools": ["look", "buy"]}


def test_an_earlier_attempt_is_told_with_its_verdicts(tmp_path: Path) -> None:
    failed = Verdict("toolsCalled", VerdictStatus.FAILED, "toolsCalled: not look")
    calls = (ToolCall("look", {"q": 1}, True, 0.0, {"hits": 3}), ToolCall("buy", {}))
    asked = AgentRequest(
        CaseKey("s", "c"),
        "w",
        REGISTRY,
        expected=Expected(required_tools=("buy",)),
        previous=(
            PreviousAttempt((failed,), AgentResponse("it", calls), failed.reason),
            PreviousAttempt(error="exit code 7"),
        ),
    )
    options: dict[str, Any] = {"command": ["a"], "dialect": "adapter", "repair_command": ["b"]}
    made = make("mine", options, root=tmp_path, env={})
    sent = json.loads(json.dumps(made.disclosed(asked)))
    assert (sent["mode"], sent["attempt"], made.traits.max_repairs) == ("repair", 2, 2)
    assert sent["policy"]["required_tools"] == ["buy"]
    first, second = sent["previous_attempts"]
    assert (first["attempt"], first["passed"], first["hard_failed"]) == (0, False, True)
    assert first["response"] == {
        "assistant_output": "it",
        "tool_calls": [
            {"tool": "look", "arguments": {"q": 1}}, {"tool": "buy", "arguments": {}}
        ],
        "error": None,
        "metadata": {},
        "side_effects": [
            {
                "tool": "look", "arguments": {"q": 1}, "response": {"hits": 3},
                "source": "tool_responses",
            }
        ],
    }  # fmt: skip
    (judged,) = first["judge_results"]
    assert (judged["judge_id"], judged["passed"]) == ("toolsCalled", False)
    assert judged["reason"] == failed.reason
    assert second["response"]["error"] == "exit code 7"
    assert second["response"]["assistant_output"] is None and second["hard_failed"] is True
    quiet = make("mine", {**options, "send_expectations": False}, root=tmp_path, env={})
    assert (made.traits.sees_expectations, quiet.traits.sees_expectations) == (True, False)
    assert json.loads(json.dumps(quiet.disclosed(asked)))["policy"]["required_tools"] == []


@pytest.mark.parametrize(
    "options",
    [
        {"max_repairs": 1},
        {"dialect": "adapter", "max_repairs": -1},
        {"dialect": "adapter", "repair_command": ""},
        {"dialect": "adapter", "send_expectations": "no"},
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        make("mine", {"command": "a", **options}, root=tmp_path, env={})


async def result_of(root: Path, first: str, repair: str = "", **options: Any) -> CaseResult:
    make_project(root)
    for file in (root / "evals").iterdir():
        file.unlink()
    write_suite(root, "find_order", [case("gs-1", "Look up SO-1", "find_order")])
    (root / "adapter.py").write_text(ADAPTER)

    def words(name: str) -> str:
        return json.dumps([sys.executable, str(root / "adapter.py"), name])

    lines = ['agent = "mine"', "[agents.mine]", 'type = "command"', 'dialect = "adapter"']
    lines += [f"command = {words(first)}"]
    lines += [f"repair_command = {words(repair)}"] if repair else []
    lines += [f"{key} = {json.dumps(value)}" for key, value in options.items()]
    (root / "evaltui.toml").write_text("\n".join(lines))
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        (result,) = ear.runs()[-1].suites[0].cases
        written = written_by(ear.runs()[-1])["cases"][0]
        assert written["passed"] is (result.status is CaseStatus.PASSED)
    return result


def asked_in(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "asked.jsonl").read_text().splitlines()]


async def test_the_first_attempt_that_passes_ends_the_loop(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "good", max_repairs=3)
    assert (result.status, result.trials) == (CaseStatus.PASSED, 1)
    assert [attempt.status for attempt in result.attempts] == [CaseStatus.FAILED, CaseStatus.PASSED]
    assert result.response is not None
    assert "attempt 2 of at most 4 counts" in result.response.notes
    assert any(note.startswith("attempt 1 failed: toolsCalled") for note in result.response.notes)
    first, second = asked_in(tmp_path)
    assert [each["mode"] for each in (first, second)] == ["propose", "propose"]
    assert first["policy"]["required_tools"] == ["find_order"]
    assert first["previous_attempts"] == []
    (before,) = second["previous_attempts"]
    assert before["response"]["assistant_output"] == "no idea"
    assert before["judge_results"][0]["judge_id"] == "toolsCalled"


async def test_another_program_repairs(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "bad", "fine")
    assert result.status is CaseStatus.PASSED
    assert [each["mode"] for each in asked_in(tmp_path)] == ["propose", "repair"]


async def test_the_last_attempt_counts_when_none_passes(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "bad", "bad", max_repairs=2)
    assert (result.status, len(result.attempts)) == (CaseStatus.FAILED, 3)
    assert [each["attempt"] for each in asked_in(tmp_path)] == [0, 1, 2]


async def test_an_attempt_without_an_answer_can_be_repaired(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "crash", "fine")
    assert result.status is CaseStatus.PASSED
    (before,) = asked_in(tmp_path)[1]["previous_attempts"]
    assert "out of order" in before["response"]["error"]


async def test_the_last_fault_is_the_result(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "bad", "crash", max_repairs=1)
    assert result.status is CaseStatus.ERROR
    assert "out of order" in result.error


async def test_nothing_is_repaired_unasked(tmp_path: Path) -> None:
    result = await result_of(tmp_path, "bad")
    assert (result.status, result.attempts) == (CaseStatus.FAILED, ())
    assert len(asked_in(tmp_path)) == 1


async def test_a_recording_keeps_every_attempt(tmp_path: Path) -> None:
    recorded = await result_of(tmp_path, "good", max_repairs=3)
    toml = (tmp_path / "evaltui.toml").read_text()
    for mode in ("record", "replay"):
        (tmp_path / "evaltui.toml").write_text(f'cassettes = "{mode}"\n{toml}')
        (tmp_path / "asked.jsonl").write_text("")
        async with opened(tmp_path) as (session, ear):
            await session.run(all_keys(session))
            (result,) = ear.runs()[-1].suites[0].cases
        assert result.status is recorded.status
        assert len(result.attempts) == 2
        assert len(asked_in(tmp_path)) == (2 if mode == "record" else 0)
