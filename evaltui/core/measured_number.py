"""How a measured number is kept and written: whole ones without a point, everywhere."""

from decimal import ROUND_HALF_UP, Decimal

_EXACT = 1e15
"""Below it a double has every whole number."""


def kept(value: float) -> float:
    """As a whole number where it is one, so that JSON has `5` and not `5.0`."""
    return int(value) if _is_whole(value) else float(value)


def number(value: float) -> str:
    """For people: whole numbers with every digit, others with six that count."""
    return f"{value:,.0f}" if _is_whole(value) else f"{float(value):,.6g}"


def dollars(usd: float) -> str:
    """`$0.05`, `$0.00004`: four digits that count, and every one of whole dollars."""
    digits = f"{usd:,.0f}" if usd >= 1000 else f"{Decimal(f'{usd:.4g}'):f}"
    return f"${digits}"


def short_dollars(usd: float) -> str:
    """`$0.031`, `$1.20`, `$12`: where there is little room."""
    if usd <= 0:
        return "$0"
    if usd < 0.0005:
        return "<$0.001"
    places = 3 if usd < 1 else 2 if usd < 10 else 0
    # The same sum in another order differs in the last bits: half a step goes up in any order.
    settled = Decimal(f"{usd:.9f}").quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"${settled:,f}"


def _is_whole(value: float) -> bool:
    return abs(value) < _EXACT and float(value).is_integer()
