"""Which secrets of judge settings are hidden, and what stays as it is."""

from typing import Any

import pytest

from evaltui.traces.typed_secrets import secrets_in, without_secrets

S = "Zx81/QQ+77ab-planted"


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"api_key": S}, {"api_key": "***"}),
        ({"headers": [{"Authorization": f"Bearer {S}"}]}, {"headers": [{"Authorization": "***"}]}),
        ({"headers": [f"X-Api-Key: {S}"]}, {"headers": ["X-Api-Key: ***"]}),
        ({"headers": [["Accept", f"Bearer {S}"]]}, {"headers": [["Accept", "Bearer ***"]]}),
        ({"h": {"name": "X-Token", "value": S}}, {"h": {"name": "X-Token", "value": "***"}}),
        ({"api_keys": [S, S]}, {"api_keys": ["***", "***"]}),
        ({"cookies": {"sid": S}}, {"cookies": {"sid": "***"}}),
        ({"url": f"https://me:{S}@h/x"}, {"url": "https://me:***@h/x"}),
        ({"url": f"https://h/x?a=1&api_key={S}"}, {"url": "https://h/x?a=1&api_key=***"}),
        ([[{"command": ["x", "--token", S]}]], [[{"command": ["x", "--token", "***"]}]]),
    ],
)
def test_a_secret_is_hidden_wherever_it_stands(settings: Any, shown: Any) -> None:
    assert without_secrets({"judge": settings}) == {"judge": shown}
    assert S in secrets_in({"judge": settings})


@pytest.mark.parametrize(
    "settings",
    [
        {"url": "https://localhost:8080/v1/@org/x?limit=3", "limits": [1, None, True, 0.5]},
        {"prompt": "Passed: the answer names the bearer of the token and basic rules."},
        {"patterns": ["^yes$", "user:name@example"], "": "", "max_tokens": "5"},
    ],
)
def test_other_words_stay(settings: Any) -> None:
    assert without_secrets(settings) == settings
    assert [*secrets_in(settings)] == []
