"""Costs come from the price list or the user; an unknown model has none."""

import subprocess
import sys

import pytest

from evaltui.agents.models.prices import Price, PriceList
from evaltui.agents.models.reply_draft import Tokens

OPENAI = "https://api.openai.com/v1"
TOKENS = Tokens(1_000_000, 1_000_000)


async def test_the_users_price_wins() -> None:
    prices = PriceList(OPENAI, Price(2.0, 3.0))
    assert await prices.cost_usd(("gpt-4o-mini",), TOKENS) == pytest.approx(5.0)


def test_what_is_read_from_a_cache_costs_what_is_said_of_it() -> None:
    tokens = Tokens(1_000_000, 0, cache_read=400_000)
    assert Price(2.0, 3.0).cost_usd(tokens) == pytest.approx(2.0)
    assert Price(2.0, 3.0, cached_input=0.5).cost_usd(tokens) == pytest.approx(1.4)


async def test_an_hour_in_the_cache_is_dearer_in_the_list_too() -> None:
    pytest.importorskip("genai_prices", reason="the extra `prices` is not installed")
    prices = PriceList("https://api.anthropic.com")
    kept = (Tokens(1_000, cache_write=1_000), Tokens(1_000, cache_write=1_000, cache_write_1h=900))
    short, long = [await prices.cost_usd(("claude-sonnet-4-5",), each) for each in kept]
    assert short is not None and long is not None
    assert short < long


async def test_a_listed_model() -> None:
    pytest.importorskip("genai_prices", reason="the extra `prices` is not installed")
    prices = PriceList(OPENAI)
    cost = await prices.cost_usd(("gpt-4o-mini",), Tokens(1000, 100))
    assert cost is not None
    assert 0 < cost < 0.01
    cached = await prices.cost_usd(("gpt-4o-mini",), Tokens(1000, 100, cache_read=1000))
    assert cached is not None
    assert cached < cost
    dated = await prices.cost_usd(("gpt-4o-mini-2024-07-18", "gpt-4o-mini"), Tokens(1000, 100))
    assert dated == cost
    anthropic = PriceList("https://api.anthropic.com")
    assert await anthropic.cost_usd(("claude-sonnet-4-5",), Tokens(10, 10)) is not None


@pytest.mark.parametrize(
    ("url", "model"),
    [
        (OPENAI, "gpt-of-my-own"),
        (OPENAI, ""),
        ("http://127.0.0.1:11434/v1", "gpt-4o-mini"),
        ("https://gateway.example/v1", "gpt-4o-mini"),
    ],
)
async def test_never_a_guess(url: str, model: str) -> None:
    assert await PriceList(url).cost_usd((model,), TOKENS) is None


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    script = (
        "import sys; from pathlib import Path; from evaltui.agents import make_agent\n"
        "for type in ('openai', 'anthropic'):\n"
        "    make_agent(type, type, {'model': 'm'}, root=Path())\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"genai_prices", "httpx", "aiohttp", "keyring", "dotenv"}
