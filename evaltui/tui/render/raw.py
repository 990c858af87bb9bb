"""Case and result as JSON: everything that is known, in pages."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.tui.render.text_builder import PAGE, TextBuilder
from evaltui.tui.render.values import paint_json, pretty

FIRST_PAGE = 4_000
"""Characters of each section that are shown at once."""


def write_raw(builder: TextBuilder, case: Case, result: CaseResult | None) -> None:
    _write_section(builder, "case, as read", as_json(case), "raw:case")
    if result is None:
        builder.blank()
        builder.empty_state("No result yet: `r` runs this case.")
        return
    _write_section(builder, "result, as kept", as_json(result), "raw:result")


def _write_section(builder: TextBuilder, title: str, value: Json, name: str) -> None:
    builder.blank()
    text = pretty(value)
    is_open, triangle = builder.opens(name, True)
    builder.write(
        (f"{triangle} {title}", builder.look.style("strong", bold=True)),
        (f"  {len(text):,} characters", "quiet"),
        fold=name,
        pages=int(is_open),
        copy=lambda: text,
    )
    if is_open:
        for line in _clipped(text, builder, name):
            indent = len(line) - len(line.lstrip(" "))
            builder.write(*paint_json(line[indent:]), indent=2 + indent, hang=2)
        _write_rest(builder, text, name)


def _clipped(text: str, builder: TextBuilder, name: str) -> list[str]:
    return text[: _shown(builder, name)].split("\n")


def _shown(builder: TextBuilder, name: str) -> int:
    return FIRST_PAGE + builder.folds.pages(f"more:{name}") * PAGE


def _write_rest(builder: TextBuilder, text: str, name: str) -> None:
    hidden = len(text) - _shown(builder, name)
    if hidden > 0:
        builder.write(
            (
                f"{builder.look.symbols.cut} {hidden:,} more characters: Enter shows "
                f"{'the rest' if hidden <= PAGE else f'the next {PAGE:,}'}, ",
                "quiet",
            ),
            *builder.look.spans("`y` copies all", "quiet"),
            fold=f"more:{name}",
            pages=builder.folds.pages(f"more:{name}"),
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
