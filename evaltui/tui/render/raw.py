"""Case and result as JSON: everything that is known, in pages."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.tui.render.paper import PAGE, Paper
from evaltui.tui.render.values import paint_json, pretty

FIRST_PAGE = 4_000
"""Characters of each section that are shown at once."""


def write_raw(paper: Paper, case: Case, result: CaseResult | None) -> None:
    _write_section(paper, "case, as read", as_json(case), "raw:case")
    if result is None:
        paper.blank()
        paper.teach("No result yet: `r` runs this case.")
        return
    _write_section(paper, "result, as kept", as_json(result), "raw:result")


def _write_section(paper: Paper, title: str, value: Json, name: str) -> None:
    paper.blank()
    text = pretty(value)
    is_open, triangle = paper.opens(name, True)
    paper.write(
        (f"{triangle} {title}", paper.look.style("strong", bold=True)),
        (f"  {len(text):,} characters", "quiet"),
        fold=name,
        pages=int(is_open),
        copy=lambda: text,
    )
    if is_open:
        for line in _clipped(text, paper, name):
            indent = len(line) - len(line.lstrip(" "))
            paper.write(*paint_json(line[indent:]), indent=2 + indent, hang=2)
        _write_rest(paper, text, name)


def _clipped(text: str, paper: Paper, name: str) -> list[str]:
    return text[: _shown(paper, name)].split("\n")


def _shown(paper: Paper, name: str) -> int:
    return FIRST_PAGE + paper.folds.pages(f"more:{name}") * PAGE


def _write_rest(paper: Paper, text: str, name: str) -> None:
    hidden = len(text) - _shown(paper, name)
    if hidden > 0:
        paper.write(
            (
                f"{paper.look.symbols.cut} {hidden:,} more characters: Enter shows "
                f"{'the rest' if hidden <= PAGE else f'the next {PAGE:,}'}, "
                f"{paper.look.hint('`y` copies all')}",
                "quiet",
            ),
            fold=f"more:{name}",
            pages=paper.folds.pages(f"more:{name}"),
            is_more=True,
            copy=lambda: text,
        )


def as_json(value: object) -> Json:
    """Records as objects, without fields that are empty."""
    if isinstance(value, Struct):
        shown = asdict(value)
        return {name: as_json(item) for name, item in shown.items() if _says_something(item)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_json(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def _says_something(value: object) -> bool:
    return value not in ("", None, (), {})
