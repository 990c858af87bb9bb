"""A hostile repository: before anybody agreed nothing happens, then what the list said, no more."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.cli.dashboard import _load_session, last_config
from evaltui.cli.main import run_command
from evaltui.cli.parser import parse
from evaltui.core.config import Config
from evaltui.tui.sessions.offline_session import OfflineSession
from tests.driver import driving
from tests.trust.hostile import SECRET, SETUPS, Listener, Place, make_place

COMMANDS = (
    ("run",),
    ("run", "--json"),
    ("run", "--agent", "mine"),
    ("run", "--failed"),
    ("run", "--resume"),
    ("check",),
    ("check", "--json"),
    ("tools",),
    ("tools", "--json"),
    ("baseline", "list"),
    ("baseline", "pin"),
    ("baseline", "diff"),
    ("trust", "--list"),
    ("trust", "--json"),
    ("trust",),
    (),
)
OTHERS: tuple[tuple[str, ...], ...] = (
    ("evaluators", "list", "--json"),
    ("evaluators", "check"),
    ("scenario", "validate", "evals/w.scenario.json"),
    ("scenario", "run", "evals/w.scenario.json"),
    ("scenario", "run", "evals/w.scenario.json", "--json", "--agent", "mine"),
    ("runs", "list"),
    ("runs", "show", "last"),
    ("ab", "HEAD", "--yes"),
    ("ab", "embedded", "--agent", "mine", "--yes"),
    ("judge", "calibrate", "--yes"),
)
TRACES, MADE = "evals/support.trace.json", "evals/promoted.golden.json"
OF_PACKS: tuple[tuple[str, ...], ...] = (
    ("compare", "--baseline", "evals/results", "--candidate", "evals/results"),
    ("gate", "--compare", "evals/find_order.golden.json", "--config", "evaltui.toml"),
    ("report", "markdown", "--compare", "evals/find_order.golden.json"),
    ("export-otel", "--run", "evals/results", "--out", "spans.jsonl"),
    ("stability-check", "--suite", TRACES),
    ("traces", "promote", "--suite", TRACES, "--case", "tr-support-001", "--to", MADE, "--yes"),
)
"""They read no settings, and the folder they work in."""
SAYS_WHAT_IS_LEFT_OUT = {("check",), ("baseline", "list")}
SOURCES_OF_TOOLS = ("mcp ", "registry ", "python registry", "python module")
"""How the names of set-ups begin of which `tools` leaves something out."""
FEW = (("run",), ("check",), ("tools",), ("baseline", "list"))

SUPPORT = Path(__file__).parents[2] / "sample_evals/evals/support.trace.json"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name in ("EVIL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, SECRET)
    listener = Listener()
    yield make_place(tmp_path, listener)
    listener.close()


def set_up(place: Place, name: str) -> set[str]:
    """Make it; what happens once it is trusted."""
    make, kinds = SETUPS[name]
    make(place)
    place.prepare()
    return set(kinds.split())


def run(place: Place, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = run_command([*words, "-C", str(place.root)])
    said = capfd.readouterr()
    assert code != 3, said.err
    return code, said.out + said.err


@pytest.mark.parametrize("name", ["command", "mcp file", "snapshot address", "results by a link"])
def test_nothing_happens_before_anybody_agreed(
    place: Place, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _nothing_happens(place, name, FEW, capfd)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_nothing_happens_before_anybody_agreed_whatever_is_asked(
    place: Place, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _nothing_happens(place, name, COMMANDS, capfd)


def _nothing_happens(
    place: Place,
    name: str,
    commands: tuple[tuple[str, ...], ...],
    capfd: pytest.CaptureFixture[str],
) -> None:
    would = set_up(place, name)
    for words in commands:
        code, said = run(place, capfd, *words)
        assert place.traces(said) == set(), (words, said)
        if would and words[:1] in (("run",), ()):
            assert code == 2
            assert "not trusted" in said or "has no agent" in said or "no agent `mine`" in said
        says = {("tools",)} if name.startswith(SOURCES_OF_TOOLS) else set()
        if would and words in SAYS_WHAT_IS_LEFT_OUT | says:
            assert "nobody agreed to it" in said, words


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_nothing_happens_by_the_commands_that_are_asked_more_rarely(
    place: Place,
    name: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_up(place, name)
    scenario = {"name": "W", "persona": {"lines": ["hi"]}, "evaluators": []}
    (place.root / "evals/w.scenario.json").write_text(json.dumps([scenario]))
    (place.root / TRACES).write_bytes(SUPPORT.read_bytes())
    for words in OTHERS:
        _, said = run(place, capfd, *words)
        assert place.traces(said) == set(), (words, said)
    monkeypatch.chdir(place.root)
    for words in OF_PACKS:
        assert run_command(words) in (0, 1, 2)
        out, err = capfd.readouterr()
        assert place.traces(out + err) == set(), (words, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_nothing_happens_in_a_replay_that_nobody_agreed_to(
    place: Place, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    set_up(place, name)
    for words in (("run",), ("run", "--agent", "mine"), ("run", "--resume")):
        code, said = run(place, capfd, *words, "--cassettes", "replay")
        assert code in (0, 1, 2)
        assert place.traces(said) == set(), (words, said)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, (_, kinds) in SETUPS.items() if kinds])
async def test_nothing_happens_in_the_dashboard(place: Place, name: str) -> None:
    """It is opened, looked at, asked to run everything, and left."""
    set_up(place, name)
    flags = parse(["-C", str(place.root)])
    last_config(flags)
    session = _load_session(flags, OfflineSession(Config(place.root)), is_replay=False)
    async with driving(session, is_alone=False) as driver:
        async with asyncio.timeout(60):
            while "rust" not in driver.text:
                await driver.settle()
        await driver.press("escape", "a", "escape", "R", "escape", "r", "ctrl+t", "escape")
    assert place.traces("") == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_settings_are_written_for_it_without_running_any_of_it(
    place: Place, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    set_up(place, name)
    _, said = run(place, capfd, "init", "--force", "--yes")
    assert place.traces(said) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_once_agreed_to_what_was_listed_happens_and_no_more(
    place: Place, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    happens = set_up(place, name)
    _, listed = run(place, capfd, "trust", "--json")
    grants = json.loads(listed)["grants"]
    kinds = {one["kind"] for one in grants}
    assert kinds == happens
    assert run(place, capfd, "trust", "--yes")[0] == 0
    _, said = run(place, capfd, "run")
    for words in (("check",), ("tools",), ("baseline", "list")):
        said += run(place, capfd, *words)[1]
    traces = place.traces(said)
    if any("EVIL" in one["variables"] for one in grants):
        traces.discard("secret")
    assert traces - {"write"} == happens - {"write"}
    assert "write" in happens or "write" not in traces
