"""Model servers that others wrote, started on this machine for the tests."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

NODE_PACKAGES = Path(
    os.environ.get("EVALTUI_NODE_PACKAGES")
    or Path(__file__).parents[2] / ".cache" / "node" / "node_modules"
)
"""Filled by scripts/node-packages.sh."""
_START_S = 30.0


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def call(url: str, value: Any = None, method: str = "") -> Any:
    """JSON there and back; without a value a GET."""
    data = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    request.method = method or ("GET" if data is None else "POST")
    with urllib.request.urlopen(request, timeout=10) as answer:
        body = answer.read()
    return json.loads(body) if body else None


@contextmanager
def running(command: Sequence[str], url: str, *, cwd: Path) -> Iterator[str]:
    """The server while it runs; it counts as up when `url` answers anything at all."""
    log = cwd / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        deadline = time.monotonic() + _START_S
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{command[0]} did not start:\n{log.read_text('utf-8', 'replace')}")
            time.sleep(0.05)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return True
    except OSError:
        return False


@contextmanager
def llmock(cwd: Path, *flags: str) -> Iterator[str]:
    """PyPI `llmock`; gives its address without a path. Faults are queued with `queue`."""
    if find_spec("llmock") is None:
        pytest.skip("llmock is not installed: pip install -e .[dev]")
    port = free_port()
    program = [str(Path(sys.executable).parent / "llmock"), "serve", "--port", str(port), *flags]
    with running(program, f"http://127.0.0.1:{port}/health", cwd=cwd):
        yield f"http://127.0.0.1:{port}"


def queue(url: str, *behaviours: dict[str, Any]) -> None:
    """Forget what was asked of llmock so far, and let these happen to the next requests."""
    call(f"{url}/_llmock/reset", {})
    if behaviours:
        call(f"{url}/_llmock/scenario", {"behaviors": list(behaviours)})


@contextmanager
def fakellm(cwd: Path, rules: Sequence[dict[str, Any]]) -> Iterator[str]:
    """PyPI `fakellm` with `rules`; gives its address without a path."""
    if find_spec("fakellm") is None:
        pytest.skip("fakellm is not installed: pip install -e .[dev]")
    port = free_port()
    config = cwd / "fakellm.yaml"
    config.write_text(json.dumps({"version": 1, "rules": list(rules)}))  # JSON is YAML
    program = [str(Path(sys.executable).parent / "fakellm"), "serve", "--port", str(port)]
    with running([*program, "--config", str(config)], f"http://127.0.0.1:{port}/", cwd=cwd):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def aimock(cwd: Path, fixtures: Sequence[dict[str, Any]], *flags: str) -> Iterator[str]:
    """npm `@copilotkit/aimock` with `fixtures`; gives its address without a path."""
    program = NODE_PACKAGES / "@copilotkit" / "aimock" / "dist" / "cli.js"
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    if not program.exists():
        pytest.skip("@copilotkit/aimock is not installed: run scripts/node-packages.sh")
    port = free_port()
    (cwd / "fixtures.json").write_text(json.dumps({"fixtures": list(fixtures)}))
    command = [node, str(program), "-p", str(port), "-f", str(cwd / "fixtures.json"), *flags]
    with running(command, f"http://127.0.0.1:{port}/", cwd=cwd):
        yield f"http://127.0.0.1:{port}"
