"""Every mistake in the options is named, and no secret with it."""

from typing import Any

import pytest

from evaltui.agents.http.http_options import read_options
from evaltui.core.errors import UserError

URL = "http://localhost:3000/chat"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "`url` is missing"),
        ({"url": "localhost:3000"}, "http:// or https://"),
        ({"url": "http://"}, "names no host"),
        ({"url": "http://h:99999/"}, "cannot be read"),
        ({"url": "http://h/a b"}, "white space"),
        ({"url": URL, "urll": 1}, "Did you mean `url`"),
        ({"url": URL, "method": "BREW"}, "`method` is `BREW`"),
        ({"url": URL, "headers": []}, "`headers` is a list, not a table"),
        ({"url": URL, "headers": {"X": 1}}, "In `headers`: `X` is a number, not text"),
        ({"url": URL, "headers": {"X Y": "1"}}, "not a header name"),
        ({"url": URL, "headers": {"X": "${NOT_SET}"}}, "`NOT_SET` in `headers.X` is not set"),
        ({"url": URL, "headers": {"X": "${BROKEN}"}}, "`headers.X` holds a line break"),
        ({"url": URL, "request": "x"}, "`request` is text, not a table"),
        ({"url": URL, "request": {"a": ["$mesage"]}}, "`request.a[0]` is `$mesage`"),
        ({"url": URL, "response": {"txt": "a"}}, "In `response`: `txt` is not a known option"),
        ({"url": URL, "response": {"text": "a..b"}}, "`response.text` is `a..b`"),
        (
            {"url": URL, "response": {"text": False}},
            "In `response`: `text` is true or false, not text",
        ),
        ({"url": URL, "stream": "yes"}, "`stream` is text, not true or false"),
        ({"url": URL, "events": {"txt": "a"}}, "In `events`: `txt`"),
        ({"url": URL, "retries": -1}, "`retries` is -1, not a whole number of at least 0"),
        ({"url": URL, "retries": True}, "`retries`"),
        ({"url": URL, "is_free": "no"}, "`is_free`"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        read_options(options, {"BROKEN": "s3cret\nX: y"})
    assert words in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_variables_have_defaults_and_never_show() -> None:
    options = read_options(
        {"url": "http://${HOST:-localhost}/chat", "headers": {"X-Key": "${KEY}"}},
        {"KEY": "hunter2hunter2"},
    )
    assert options.target.host == "localhost"
    assert options.headers == {"X-Key": "hunter2hunter2"}
    assert "hunter2" not in repr(options)
    assert options.mask.hide("a hunter2hunter2 b") == "a *** b"


def test_ordinary_values_do_not_garble_answers() -> None:
    options = read_options({"url": URL, "headers": {"X-Stage": "${STAGE}"}}, {"STAGE": "prod"})
    assert options.mask.hide_body(b"in prod, 4711") == b"in prod, 4711"
    assert options.mask.hide("in prod") == "in ***"


@pytest.mark.parametrize(
    ("url", "shown", "host_header", "port"),
    [
        ("https://u:p@example.com/a?b=1#c", "https://example.com/a?b=1", "example.com", 443),
        ("http://[::1]:8080", "http://[::1]:8080/", "[::1]:8080", 8080),
        ("http://münchen.example/ü?q=ä", "http://xn--mnchen-3ya.example/%C3%BC?q=%C3%A4",
         "xn--mnchen-3ya.example", 80),
        ("http://h:80/?token=abc", "http://h/?token=***", "h", 80),
    ],
)  # fmt: skip
def test_urls(url: str, shown: str, host_header: str, port: int) -> None:
    target = read_options({"url": url}, {}).target
    assert (target.shown, target.host_header, target.port) == (shown, host_header, port)


def test_the_contracts_own_request_has_no_names_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first name that is looked at has patterns compiled, more than all else that is read."""
    asked: list[str] = []
    monkeypatch.setattr("evaltui.net.secret_mask.is_secret_name", asked.append)
    read_options({"url": "http://127.0.0.1:9/chat"})
    assert asked == []
    read_options(
        {"url": "http://127.0.0.1:9/chat", "request": {"token": "abc", "text": "$message"}}
    )
    assert asked == ["token"]
