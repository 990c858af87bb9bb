"""Who may ask: names of ours, pages of ours, and whoever has the token."""

from pathlib import Path

import pytest

from evaltui.api.door import Door, is_loopback
from tests.api.served import serving

TOKEN = "0123456789abcdef-the-token"
ANYWHERE = Door("0.0.0.0", frozenset({"evals.example"}), TOKEN)
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8765", "LOCALHOST", "[::1]:1"])
async def test_this_machine_is_answered_under_its_names(root: Path, host: str) -> None:
    async with serving(root) as client:
        assert (await client.get("/api/status", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "10.0.0.1", "a@localhost", "", "[::1", "é"]
)
async def test_a_name_that_was_made_to_lead_here_is_not(root: Path, host: str) -> None:
    async with serving(root) as client:
        answer = await client.get("/api/status", headers={b"Host": host.encode("latin-1")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (421, "unknown-host")
    assert "--allow-host" in answer.json()["error"]["hint"]


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:3000", "file://", "http://127.0.0.1"],
)
async def test_a_page_from_elsewhere_is_refused(root: Path, origin: str) -> None:
    async with serving(root) as client:
        for method in ("GET", "POST"):
            answer = await client.request(method, "/api/runs", headers={"Origin": origin})
            assert answer.status_code == 403, method
        assert (await client.get("/api/runs")).json() == []


async def test_a_page_of_the_server_is_answered(root: Path) -> None:
    async with serving(root) as client:
        own = {"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}
        assert (await client.get("/api/status", headers=own)).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_what_a_page_elsewhere_has_loaded_is_refused(root: Path, site: str) -> None:
    async with serving(root) as client:
        loaded = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
        assert (await client.get("/api/status", headers=loaded)).status_code == 403
        visited = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
        assert (await client.get("/api/status", headers=visited)).status_code == 200
        assert (await client.post("/api/runs", headers=visited)).status_code == 403


async def test_with_a_token_nothing_is_answered_without_it(root: Path) -> None:
    async with serving(root, ANYWHERE) as client:
        for wrong in ({}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": TOKEN}):
            answer = await client.get("/api/status", headers=wrong)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-token")
            assert TOKEN not in answer.text
        assert (await client.get("/api/status", headers=BEARER)).status_code == 200


async def test_an_address_that_is_not_the_pages_enters_nobody(root: Path) -> None:
    async with serving(root, ANYWHERE) as client:
        many = "&".join(f"a{number}=1" for number in range(20))
        for query in (many, f"token={TOKEN}&{many}", "token=", "token=%ff%00", "token"):
            answer = await client.get(f"/?{query}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-token")


@pytest.mark.parametrize(
    ("host", "status"),
    [("evals.example", 200), ("192.168.7.7:8765", 200), ("evil.example", 421)],
)
async def test_elsewhere_addresses_and_names_that_were_given_are_ours(
    root: Path, host: str, status: int
) -> None:
    async with serving(root, ANYWHERE) as client:
        answer = await client.get("/api/status", headers={**BEARER, "Host": host})
        assert answer.status_code == status


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_who_listens_there_is_reached_from_this_machine_only(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.com", ""])
def test_who_listens_there_is_reached_from_elsewhere(host: str) -> None:
    assert not is_loopback(host)
