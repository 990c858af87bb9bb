"""How a measured number is kept and written: whole ones without a point, everywhere."""

from collections.abc import Iterable
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

_EXACT = 1e15
"""Below it a double has every whole number."""


def kept(value: float) -> float:
    """As a whole number where it is one, so that JSON has `5` and not `5.0`."""
    return int(value) if _is_whole(value) else float(value)


def number(value: float) -> str:
    """For people: whole numbers with every digit, others with six that count."""
    return f"{value:,.0f}" if _is_whole(value) else f"{float(value):,.6g}"


def dollars(usd: float, *, beside: Iterable[float] = (), is_left: bool = False) -> str:
    """`$20`, `$1.20`, `$0.05`, `$0.112`, `$0.00004`: to the cent, of less than a dollar to a tenth
    of that, and of less than this with the digits it has. The one owner of how money is written.

    `beside`: sums that stand there too; all have as many digits as the finest of them.
    `is_left`: it may be spent still, so that it is never rounded up.
    """
    exact, rounding = _settled(usd), ROUND_DOWN if is_left else ROUND_HALF_UP
    others = (_places(_settled(one), ROUND_HALF_UP) for one in beside)
    places = max((_places(exact, rounding), *others))
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding)
    return f"${rounded or Decimal(0):,f}"


def _settled(usd: float) -> Decimal:
    """The same sum in another order differs in the last bits: half a step goes up in any order."""
    return Decimal(f"{max(usd, 0.0):.9f}")


def _places(usd: Decimal, rounding: str) -> int:
    """Behind the point; none where nothing stands there, else cents at least."""
    most = 2 if usd >= 1 or not usd else 3 if usd >= _TENTH else 2 - usd.adjusted()
    shown = usd.quantize(Decimal(1).scaleb(-most), rounding).normalize()
    behind = max(0, -int(shown.as_tuple().exponent))
    return max(2, behind) if behind else 0


_TENTH = Decimal("0.001")
"""Of a cent."""


def _is_whole(value: float) -> bool:
    return abs(value) < _EXACT and float(value).is_integer()
