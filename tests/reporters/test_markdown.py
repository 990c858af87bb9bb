"""One row stays one row whatever stands in it, and long reports end."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evaltui.core.comparison import RunChanges
from evaltui.core.result import CaseStatus
from evaltui.reporters.markdown import MAX_ROWS, MarkdownReporter
from tests.reporters.scene import AGENT, SETTINGS, events, result, suite, tell


def report(ids: list[str], error: str = "why", **more: object) -> list[str]:
    one = suite("a", ids)
    results = [result(one, id_, CaseStatus.FAILED, error=error) for id_ in ids]
    out = io.StringIO()
    tell(MarkdownReporter(out), events([one], results, **more))  # type: ignore[arg-type]
    return out.getvalue().splitlines()


def cells(line: str) -> int:
    """Columns of a table row as a Markdown reader counts them."""
    return line.replace("\\\\", "").replace("\\|", "").count("|") - 1


@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_no_text_breaks_the_table(text: str) -> None:
    lines = report([text], error=text)
    (row,) = (line for line in lines if "✗ failed" in line)
    assert cells(row) == 3
    assert row.count("`") == (4 if text.split() else 2)
    assert row == lines[-1]


def test_hostile_marks_are_shown_not_obeyed() -> None:
    (row,) = (line for line in report(["a|b`c"], "x | y\n# z\\| <img src=q>") if "✗" in line)
    assert cells(row) == 3
    assert row.endswith("<img src=q>` |"), "it is code"


def test_what_an_agent_says_is_no_link_picture_or_mention() -> None:
    said = "![p](http://a.io/p.png) [l](javascript:x) @everyone #12"
    (row,) = (line for line in report(["a"], said) if "✗ failed" in line)
    assert row.endswith(f"| `{said}` |")


def spoken(text: str) -> str:
    """What a Markdown reader reads as prose: code, which calls nobody and links nowhere, is left
    out."""
    blocks = MarkdownIt("commonmark").enable(["table"]).parse(text)
    inline = [part for block in blocks for part in block.children or ()]
    assert {part.type for part in inline} <= {"text", "code_inline", "softbreak"}
    return " ".join(part.content for part in inline if part.type == "text")


@pytest.mark.parametrize("around", ["", "`", "``", "|", "\\", "\n", "\\|`", " "])
def test_nothing_from_outside_is_more_than_code(around: str) -> None:
    said = f"{around}@everyone #12 GH-12 a/b#3 http://a.io @me{around}"
    ids = [said, f"b{said}", " "]
    one = suite(f"evals/{said}.json", ids)
    results = [result(one, id_, CaseStatus.FAILED, error=said) for id_ in ids]
    keys = tuple(case.key for case in one.cases)
    out = io.StringIO()
    heard = events(
        [one],
        results,
        agent=said,
        mutes={str(keys[0]): said},
        changes=RunChanges(worse=keys, calls_differ=keys),
        staleness_warnings=(said,),
        settings=said,
        regressions=(ids[1],),
    )
    tell(MarkdownReporter(out), heard)
    prose = spoken(out.getvalue())
    assert "evals passed with" in prose
    assert not {"@", "#", "GH", "http"} & {
        sign for sign in ("@", "#", "GH", "http") if sign in prose
    }


def test_regressions_come_first_and_the_list_has_an_end() -> None:
    ids = [f"c-{n:03}" for n in range(MAX_ROWS + 20)]
    lines = report(ids, regressions=("c-119",))
    rows = [line for line in lines if line.startswith("| `c-")]
    assert len(rows) == MAX_ROWS
    assert rows[0] == "| `c-119` | ↓ regressed | `why` |"
    assert "… and 20 more." in lines


def test_the_head_says_how_it_went_and_with_what() -> None:
    lines = report(["a-1"], staleness_warnings=("old | evals",), stale=True)
    assert lines[0] == f"## 0/1 evals passed with `{AGENT}`"
    assert f"`{AGENT}` `{SETTINGS}`" in lines
    assert "| `evals/a.golden.json` | golden | 0 | 1 | 0 | 0 | ⚠ outdated |" in lines
    assert lines[-1] == "- ⚠ `old \\| evals`"


def test_muted_failures_are_in_no_count_and_named_below_the_others() -> None:
    one = suite("a", ["f", "e", "g"])
    results = [
        result(one, "f", CaseStatus.FAILED),
        result(one, "e", CaseStatus.ERROR),
        result(one, "g", CaseStatus.FAILED),
    ]
    mutes = {str(case.key): "a|b" for case in one.cases[:2]}
    changes = RunChanges(worse=(one.cases[0].key, one.cases[2].key), muted=2)
    out = io.StringIO()
    heard = events([one], results, mutes=mutes, changes=changes, regressions=("f", "g"))
    tell(MarkdownReporter(out), heard)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("## 0/1 evals passed")
    assert lines[2] == "1 failed · 0 errors · 2 muted · 1 regressed · 1.5 s"
    assert "2 worse · 0 better · 2 muted" in lines
    assert "worse: `g`" in lines
    assert "| `evals/a.golden.json` | golden | 0 | 1 | 0 | 1 |  |" in lines
    assert lines[-3:] == [
        "| `g` | ↓ regressed | `why g` |",
        "| `e` | ⊘ muted | `why e` · muted: `a\\|b` |",
        "| `f` | ⊘ muted | `why f` · muted: `a\\|b` |",
    ]
