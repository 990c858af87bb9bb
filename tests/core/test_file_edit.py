"""The diff that is shown is the change that is made."""

import re
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.file_edit import diff_lines, file_edit

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=30)
OTHER_LINES = st.lists(st.sampled_from(["e", "f", "g"]), max_size=30)
"""Without any of LINES: with lines that repeat on both sides a change can be told in other ways."""


def patched(old: Sequence[str], diff: Sequence[str]) -> list[str]:
    """Apply a unified diff by its line numbers."""
    new: list[str] = []
    at = 0
    for line in diff[2:]:
        hunk = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@", line)
        if hunk:
            start = int(hunk[1]) - (0 if hunk[2] == "0" else 1)
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            at += 1
            if line.startswith(" "):
                new.append(line[1:])
    return new + list(old[at:])


@given(LINES, LINES)
def test_patching_the_old_gives_the_new(old: list[str], new: list[str]) -> None:
    assert patched(old, diff_lines(old, new, "old", "new")) == new


@given(LINES, st.lists(st.sampled_from("xy"), max_size=2), OTHER_LINES)
def test_three_lines_around_one_change(before: list[str], new: list[str], after: list[str]) -> None:
    diff = diff_lines([*before, "-old-", *after], [*before, *new, *after], "old", "new")
    assert len(diff) <= 2 + 1 + 1 + len(new) + 6


def test_new_file() -> None:
    edit = file_edit(Path("a.json"), None, b"{\n}\n", "make")
    assert edit.is_new
    assert edit.before == b""
    assert edit.diff == ("--- /dev/null", "+++ a.json", "@@ -0,0 +1,2 @@", "+{", "+}")


def test_an_empty_file_is_there_already() -> None:
    edit = file_edit(Path("a.json"), b"", b"{}\n", "fill")
    assert not edit.is_new, "it must still be there, and empty, once the edit is made"
    assert edit.diff[:2] == ("--- a.json", "+++ a.json")


def test_a_change_at_the_begin_is_shown_from_its_first_line() -> None:
    old, new = [f"old {n}" for n in range(9)], [f"new {n}" for n in range(9)]
    end = ["the same"] * 9
    diff = diff_lines(old + end, new + end, "old", "new")
    assert [line for line in diff if line.startswith("-old")] == [f"-{line}" for line in old]
    assert patched(old + end, diff) == new + end


def test_a_change_at_the_end_is_shown_to_its_last_line() -> None:
    same = ["the same"] * 9
    diff = diff_lines([*same, "old"], [*same, "new"], "old", "new")
    assert diff[3:] == [*[" the same"] * 3, "-old", "+new"]


def test_a_line_that_is_there_once_more_is_one_added_line_and_equal_texts_have_no_diff() -> None:
    assert diff_lines(["a", "a"], ["a", "a", "a"], "old", "new")[3:] == [" a", " a", "+a"]
    assert diff_lines(["a", "a"], ["a", "a"], "old", "new") == []
