"""Published MCP servers that others wrote, and how they are started here."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NODE_PACKAGES = Path(
    os.environ.get("EVALTUI_NODE_PACKAGES")
    or Path(__file__).parents[3] / ".cache" / "node" / "node_modules"
)
PYTHON_SERVERS = ("time", "git")


def node_script(package: str, script: str = "dist/index.js") -> str:
    """Skips the test, and says how to install it, when the package is not there."""
    main = NODE_PACKAGES / package / script
    if not main.is_file():
        pytest.skip(f"{package} is not installed: sh scripts/node-packages.sh")
    return str(main)


def entry(server: str, *args: str, **env: str) -> dict[str, Any]:
    """What stands for a server in `.mcp.json`; skips when it is not installed."""
    if server in PYTHON_SERVERS:
        pytest.importorskip(f"mcp_server_{server}")
        return {"command": sys.executable, "args": ["-m", f"mcp_server_{server}", *args]}
    script = node_script(f"@modelcontextprotocol/server-{server}")
    return {"command": "node", "args": [script, *args], "env": env}


@contextmanager
def hub(config: Path) -> Iterator[str]:
    """The URL of an mcp-hub: it offers the tools of the servers in `config`, which it watches."""
    script = node_script("mcp-hub", "dist/cli.js")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folders = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    env = os.environ | {name: str(config.parent / name) for name in folders}
    words = ["node", script, "--port", str(port), "--config", str(config), "--watch"]
    with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL) as process:
        try:
            until_open(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


def until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the process listens; it must not end meanwhile."""
    while True:
        assert process.poll() is None
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            continue
        return
