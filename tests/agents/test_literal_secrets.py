"""Secrets that stand in settings as they are come back from no agent."""

import sys
from pathlib import Path

import pytest

from evaltui.agents.command_options import read_command_options
from evaltui.agents.http.http_options import read_options
from evaltui.agents.langgraph import make as make_graph
from evaltui.agents.python_options import read_python_options
from evaltui.core.json_value import Json
from evaltui.net.secret_mask import SecretMask, SecretResolver

ECHO = "got V4lue-99, customer and fast"
URL = "http://localhost:1/c"


def _of_body(request: dict[str, Json]) -> SecretMask:
    return read_options({"url": URL, "request": request}, {}).mask


def _of_command(root: Path, *words: str) -> SecretMask:
    options: dict[str, Json] = {"command": [sys.executable, *words]}
    return read_command_options(options, root=root, secrets=SecretResolver({})).mask


def _of_variable(root: Path, name: str, value: str) -> SecretMask:
    options: dict[str, Json] = {"function": "a.py:f", "env": {name: value}}
    return read_python_options(options, root=root, secrets=SecretResolver({})).mask


def test_under_secret_names_of_a_body() -> None:
    bodies: list[dict[str, Json]] = [
        {"apiKey": "V4lue-99"},
        {"user": [{"password": "V4lue-99"}]},
    ]
    for body in bodies:
        assert _of_body(body).hide_answer(ECHO) == "got ***, customer and fast"


@pytest.mark.parametrize(
    "body", [{"mode": "V4lue-99"}, {"token": "$message"}, {"key": "fast"}, {"author": "customer"}]
)
def test_ordinary_values_of_a_body_stay(body: dict[str, Json]) -> None:
    mask = _of_body(body)
    assert mask.hide_answer(ECHO) == ECHO
    assert mask.hide("$message") == "$message"


@pytest.mark.parametrize(
    "words",
    [
        ("--token=V4lue-99",),
        ("--password", "V4lue-99"),
        ("-u", "me:V4lue-99"),
        ("-H", "X-Auth: V4lue-99"),
    ],
)
def test_in_commands(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert _of_command(tmp_path, *words).hide_answer(ECHO) == "got ***, customer and fast"


def test_ordinary_arguments_stay(tmp_path: Path) -> None:
    mask = _of_command(tmp_path, "--mode=V4lue-99", "--key=fast", "-H", "X-Team: customer")
    assert mask.hide_answer(ECHO) == ECHO


def test_in_variables_of_a_function(tmp_path: Path) -> None:
    assert "V4lue" not in _of_variable(tmp_path, "PW", "V4lue-99").hide_answer(ECHO)
    assert _of_variable(tmp_path, "MODE", "V4lue-99").hide_answer(ECHO) == ECHO


def test_in_what_a_graph_is_sent(tmp_path: Path) -> None:
    made = make_graph(
        "g",
        {"base_url": URL, "configurable": {"api_key": "V4lue-99"}, "input": {"pass": "V4lue-77"}},
        root=tmp_path,
        env={},
    )
    assert made.hide("V4lue-99 V4lue-77 fast") == "*** *** fast"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://user:V4lue-99@host/x", "V4lue-99"),
        ("postgres://user:p%40ss-W0rd@host/db", "p@ss-W0rd"),
        ("postgres://user:p%40ss-W0rd@host/db", "p%40ss-W0rd"),
        ("https://host/x?mode=fast&token=V4lue-99", "V4lue-99"),
        ("https://ghp_V4lue99@host/x", "ghp_V4lue99"),
    ],
)
def test_the_secret_within_a_variable_is_masked_alone(tmp_path: Path, url: str, said: str) -> None:
    secrets = SecretResolver({"THE_URL": url})
    options: dict[str, Json] = {"function": "a.py:f", "env": {"DB": "${THE_URL}"}}
    mask = read_python_options(options, root=tmp_path, secrets=secrets).mask
    for hide in (mask.hide, mask.hide_answer):
        assert hide(f"no login with {said} for the user, fast") == (
            "no login with *** for the user, fast"
        )
    noted = SecretResolver({"THE_URL": url})
    noted.note("psql ${THE_URL}")
    assert said not in noted.mask.hide(said)
