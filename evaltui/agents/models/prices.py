"""Prices of model calls from a maintained price list; a model it does not list has no price."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from evaltui.agents.models.reply_draft import Tokens

Lookup: TypeAlias = "Callable[[str, Tokens], float | None]"


class Price(Struct, frozen=True):
    """US dollars for a million tokens, as the user states them."""

    input: float
    output: float
    cached_input: float | None = None
    """Of tokens that are read from a cache; without it they cost what others do."""

    def cost_usd(self, tokens: Tokens) -> float:
        """By tokens alone. Writing to a cache costs what it does at Anthropic: a quarter more, and
        twice as much where it is kept for an hour."""
        asked, answered = tokens.input or 0, tokens.output or 0
        cached = min(tokens.cache_read, asked)
        of_cached = self.input if self.cached_input is None else self.cached_input
        dearer = 0.25 * tokens.cache_write + 0.75 * tokens.cache_write_1h
        put_in = (asked - cached + dearer) * self.input + cached * of_cached
        return (put_in + answered * self.output) / 1_000_000


class PriceList:
    """Prices for one endpoint. The list ships with `genai-prices` (extra `prices`): no network."""

    def __init__(self, api_url: str, own: Price | None = None) -> None:
        self._api_url = api_url
        self._own = own
        self._lookup: Lookup | None = None

    async def cost_usd(self, models: tuple[str, ...], tokens: Tokens) -> float | None:
        """The dearer of what the API says that it charged and what the tokens cost by `own`, or
        else by the first of `models` that the list knows at this endpoint.

        `None` where neither is known, and where the API tells a part of its bill and no charge: one
        of nothing may be what a gateway writes that knows no price.
        """
        if tokens.is_part and not tokens.charged_usd:
            return None
        known = (tokens.charged_usd, await self._priced(models, tokens))
        return max((usd for usd in known if usd is not None), default=None)

    async def _priced(self, models: tuple[str, ...], tokens: Tokens) -> float | None:
        if self._own is not None:
            return self._own.cost_usd(tokens)
        if self._lookup is None:
            # The list takes some 200 ms to import; the screen must not wait for it.
            self._lookup = await asyncio.to_thread(_load, self._api_url)
        for model in models:
            if model and (cost := self._lookup(model, tokens)) is not None:
                return cost
        return None


def _load(api_url: str) -> Lookup:
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return lambda _model, _tokens: None

    def look_up(model: str, tokens: Tokens) -> float | None:
        try:
            usage = Usage(
                input_tokens=tokens.input or 0,
                output_tokens=tokens.output or 0,
                cache_read_tokens=tokens.cache_read or None,
                cache_write_tokens=tokens.cache_write or None,
                **({"cache_write_1h_tokens": hour} if (hour := tokens.cache_write_1h) else {}),
            )
            return float(calc_price(usage, model, provider_api_url=api_url).total_price)
        except (LookupError, ValueError, TypeError):  # older lists know no hour
            return None

    look_up("", Tokens())  # reads the list now, on this thread
    return look_up
