"""`evaltui serve`: where it listens, what it asks for, and what it says of mistakes."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="needs evaltui[serve]")

from evaltui.cli.main import run_command
from evaltui.cli.serve import TOKEN, token_of
from evaltui.core.errors import UserError
from tests.projects import make_project

LONG = "0123456789abcdef"


def test_this_machine_needs_no_token_and_others_do() -> None:
    assert token_of({}, "127.0.0.1") == ""
    assert token_of({TOKEN: LONG}, "127.0.0.1") == LONG
    assert token_of({TOKEN: LONG}, "0.0.0.0") == LONG
    for environment in ({}, {TOKEN: ""}, {TOKEN: "short"}):
        with pytest.raises(UserError, match=TOKEN):
            token_of(environment, "0.0.0.0")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0"), TOKEN),
        (("--host", "no.such.host.invalid"), TOKEN),
        (("--port", "99999"), "--port"),
        (("-C", "nowhere"), "nowhere"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_asked(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(["serve", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run_command(["serve", "-C", str(tmp_path), "--port", port]) == 2
    assert f"port {port}" in capsys.readouterr().err


def test_it_answers_until_it_is_told_to_end(tmp_path: Path) -> None:
    make_project(tmp_path)
    words = ("-m", "evaltui", "serve", "--port", "0", "--json", "-C", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, env={**os.environ, TOKEN: LONG}
    ) as started:
        try:
            assert started.stdout is not None
            told = json.loads(started.stdout.readline())
            assert told["needsToken"] is True
            with httpx.Client(base_url=told["url"], trust_env=False, timeout=30) as client:
                assert client.get("/api/evals").status_code == 401
                bearer = {"Authorization": f"Bearer {LONG}"}
                assert len(client.get("/api/evals", headers=bearer).json()) == 2
            started.send_signal(signal.SIGINT)
            assert started.wait(30) == 130
            assert LONG not in started.stdout.read().decode()
        finally:
            started.kill()
