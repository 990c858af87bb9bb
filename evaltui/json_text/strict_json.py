"""The value of a JSON text that a person wrote."""

from typing import Any

from evaltui.core.finite_json import infinite_number


def strict_json(text: bytes) -> Any:
    """Whole numbers keep all of their digits. Nesting beyond 200 levels, half a surrogate pair,
    NaN, and numbers beyond a double's range are mistakes.

    Raises ValueError with line and column, in bytes, as the parser tells them.
    """
    from pydantic_core import from_json

    value = from_json(text, allow_inf_nan=False)
    wrong = infinite_number(text.decode())
    if wrong is None:
        return value
    before = wrong.doc[wrong.pos - wrong.colno + 1 : wrong.pos]
    column = len(before.encode()) + 1
    raise ValueError(f"number out of range at line {wrong.lineno} column {column}")
