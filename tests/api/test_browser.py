"""The dashboard in a browser, without one: its page, who gets it, and what it is started with."""

import shlex
from argparse import Namespace
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("textual_serve", reason="needs evaltui[serve]")

from starlette.routing import WebSocketRoute

from evaltui.api import browser
from evaltui.api.app import make_app
from evaltui.api.browser import MOST_AT_ONCE, Dashboards, command_of
from evaltui.api.door import Door, Guarded
from evaltui.cli.dashboard import is_shown
from evaltui.cli.parser import parse
from evaltui.cli.serve import dashboard_flags

TOKEN = "0123456789abcdef-the-token"
OURS = {"host": "127.0.0.1:8765", "origin": "http://127.0.0.1:8765"}


def asking(app: Guarded) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8765")


async def connected(app: Any, *texts: str, **headers: str) -> list[dict[str, Any]]:
    """What is answered to a websocket that says these and leaves."""
    scope = {
        "type": "websocket",
        "path": "/ws",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    told = [{"type": "websocket.receive", "text": text} for text in texts]
    end = {"type": "websocket.disconnect", "code": 1001}
    said: list[dict[str, Any]] = [{"type": "websocket.connect"}, *told, end]
    answers: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return said.pop(0)

    async def send(message: dict[str, Any]) -> None:
        answers.append(message)

    await app(scope, receive, send)
    return answers


async def test_its_page_loads_nothing_from_elsewhere(root: Path) -> None:
    async with asking(make_app(root, {}, Door(), ["-C", str(root)])) as client:
        page = await client.get("/")
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "://" not in page.text
        for path in ("/page/page.js", "/page/page.css", "/static/js/textual.js"):
            assert path.rpartition("/")[2] in page.text
            assert (await client.get(path)).status_code == 200
        for path in ("/page/../door.py", "/static/../app_service.py", "/page/nothing"):
            assert (await client.get(path)).status_code == 404


async def test_without_a_dashboard_there_is_no_page(root: Path) -> None:
    async with asking(make_app(root, {}, Door())) as client:
        assert (await client.get("/")).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {**OURS, "origin": "http://evil.example"},
        {**OURS, "origin": "http://127.0.0.1:3000"},
        {"host": "evil.example", "origin": "http://evil.example"},
        {**OURS, "sec-fetch-site": "cross-site"},
    ],
)
async def test_a_page_from_elsewhere_gets_no_dashboard(root: Path, headers: dict[str, str]) -> None:
    app = make_app(root, {}, Door(), ["-C", str(root)])
    (closed,) = await connected(app, **headers)
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


async def test_the_token_in_the_address_becomes_a_cookie_of_this_server(root: Path) -> None:
    app = make_app(root, {}, Door(token=TOKEN), [])
    async with asking(app) as client:
        assert (await client.get("/")).status_code == 401
        assert (await client.get("/", params={"token": "another"})).status_code == 401
        assert (await client.get("/api/status", params={"token": TOKEN})).status_code == 401
        entered = await client.get("/", params={"token": TOKEN})
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert TOKEN not in cookie
        assert (await client.get("/")).status_code == 200
        own = {"Origin": "http://127.0.0.1:8765"}
        assert (await client.get("/api/status", headers=own)).status_code == 200
        elsewhere = {"Origin": "http://127.0.0.1:3000"}
        assert (await client.get("/api/status", headers=elsewhere)).status_code == 403
    async with asking(make_app(root, {}, Door(token=TOKEN), [])) as client:
        told = {"Cookie": cookie.partition(";")[0]}
        assert (await client.get("/", headers=told)).status_code == 401


async def test_without_the_token_there_is_no_dashboard(root: Path) -> None:
    (closed,) = await connected(make_app(root, {}, Door(token=TOKEN), []), **OURS)
    assert closed["code"] == 1008


async def test_so_many_are_open_and_no_more(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.api.browser.MOST_AT_ONCE", 0)
    (closed,) = await connected(make_app(root, {}, Door(), []), **OURS)
    assert (closed["type"], closed["code"], MOST_AT_ONCE > 1) == ("websocket.close", 1013, True)


@pytest.mark.parametrize("end", ["cat > /dev/null", "while :; do :; done"])
async def test_a_dashboard_is_gone_before_the_server_is(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that leaves once its input is closed, and one that never does."""
    left = []

    async def leave(dashboard: Any) -> None:
        left.append(dashboard)
        await own(dashboard)

    own = browser._Dashboard.leave
    monkeypatch.setattr(browser._Dashboard, "leave", leave)
    monkeypatch.setattr(browser, "LONGEST_END_S", 0.05)
    dashboards = Dashboards(f"echo __GANGLION__; {end}")
    (route,) = (one for one in dashboards.routes if isinstance(one, WebSocketRoute))
    await connected(route.app)
    await dashboards.close()
    assert [one._process.returncode is None for one in left] == [False]


async def test_what_a_page_says_reaches_its_dashboard(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[Any, ...]] = []

    class Heard:
        def __init__(self, *_: Any, **__: Any) -> None: ...

        def __getattr__(self, name: str) -> Any:
            async def hear(*told: Any) -> None:
                heard.append((name, *told))

            return hear

    monkeypatch.setattr(browser, "_Dashboard", Heard)
    dashboards = Dashboards("")
    (route,) = (one for one in dashboards.routes if isinstance(one, WebSocketRoute))
    said = ['["stdin", "é"]', '["resize", {"width": 90, "height": 0}]', '["focus"]', '["blur"]']
    nothing = ["[", "[]", '["quit"]', '["stdin", 5]', '["resize", 5]', "5"]
    pong = await connected(route.app, *said, *nothing, '["ping", "7"]')
    await dashboards.close()
    assert heard[1:] == [
        ("send_bytes", "é".encode()),
        ("set_terminal_size", 90, 1),
        ("focus",),
        ("blur",),
        ("leave",),
    ]
    assert [one["text"] for one in pong if "text" in one] == ['["pong", "7"]']


def test_a_browser_takes_the_place_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert not is_shown()
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert is_shown()


def test_it_is_started_with_the_project_and_the_settings_of_the_server(tmp_path: Path) -> None:
    words = ["-C", str(tmp_path), "--agent", "a b", "--agent=-x", "--trust", "--trials", "3"]
    flags = parse(["serve", "--port", "0", *words])
    meant: Namespace = parse(dashboard_flags(flags))
    assert meant.command is None
    assert (meant.root, meant.agent) == (tmp_path, ["a b", "-x"])
    assert (meant.trust, meant.trials) == (True, 3)
    assert shlex.split(command_of(["--agent=a b"]))[-1] == "--agent=a b"
    assert Dashboards(command_of([])).routes
