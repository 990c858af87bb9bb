"""How a mistake is said: place, key, what is wrong, what to do."""

import pytest

from evaltui.core.errors import (
    AgentError,
    MissingSecretError,
    Problem,
    Severity,
    UserError,
    unread_files,
    without_lint,
)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Problem("a.toml", "There is no file", "Give one."), "a.toml: There is no file. Give one."),
        (Problem("a.toml", "Odd.", line=3), "a.toml:3: Odd."),
        (
            Problem("a.toml", "Odd", "Even it.", 3, 7, "evals[1]"),
            "a.toml:3:7: `evals[1]`: Odd. Even it.",
        ),
        (Problem("", "The disk is full", "Make room."), "The disk is full. Make room."),
        (Problem("", "Odd", key="evals"), "`evals`: Odd."),
        (Problem("", "Is it?", "No."), "Is it? No."),
        (Problem("", "Stop!"), "Stop!"),
        (Problem("", "Cut…"), "Cut…"),
    ],
)
def test_a_problem_in_a_line(problem: Problem, said: str) -> None:
    assert str(problem) == said


def test_a_place_is_what_editors_make_a_link_of() -> None:
    assert Problem("a.json", "x", line=3, column=7).place == "a.json:3:7"
    assert Problem("a.json", "x", line=3).place == "a.json:3"
    assert Problem("a.json", "x").place == "a.json"
    assert Problem("", "x").place == ""
    assert Problem("a.json", "x").severity is Severity.ERROR


def test_a_users_mistake_says_what_to_do() -> None:
    problem = Problem("a", "x")
    error = UserError("There is no agent.", "Name one.", [problem])
    assert str(error) == "There is no agent. Name one."
    assert (error.what, error.hint) == ("There is no agent.", "Name one.")
    assert error.problems == (problem,)
    assert str(MissingSecretError("No key.")) == "No key."
    assert UserError("x").problems == ()


def test_what_an_agents_fault_carries() -> None:
    plain = AgentError("gone")
    assert (str(plain), plain.what, plain.category, plain.retries) == (
        "gone", "gone", "agent_error", 0,
    )  # fmt: skip
    assert (plain.retryable, plain.throttled) == (False, False)
    assert (plain.retry_after_s, plain.max_retries) == (None, None)
    busy = AgentError(
        "busy", "throttle", 2, retryable=True, throttled=True, retry_after_s=1.5, max_retries=4
    )
    assert (busy.category, busy.retries) == ("throttle", 2)
    assert (busy.retryable, busy.throttled) == (True, True)
    assert (busy.retry_after_s, busy.max_retries) == (1.5, 4)


def test_files_are_unread_of_which_nothing_could_be_read() -> None:
    problems = [
        Problem("a.json", "x", code="json-syntax"),
        Problem("b.json", "x", code="prompt-echo"),
        Problem("", "x", code="unreadable"),
    ]
    assert unread_files(problems) == {"a.json"}


def test_of_what_lint_finds_only_what_keeps_a_file_from_being_read_stays() -> None:
    error, warning = Problem("a", "x"), Problem("a", "x", severity=Severity.WARNING)
    remark = Problem("b", "x", code="prompt-echo", severity=Severity.LINT)
    unread = Problem("c", "x", code="json-syntax", severity=Severity.LINT)
    assert without_lint((error, warning, remark)) == (error, warning)
    assert without_lint((error, warning, remark, unread)) == (error, warning, unread)
    assert without_lint(()) == ()
