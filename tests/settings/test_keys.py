"""`[keys]` and `theme`: what there is not is told with its place, before a dashboard starts."""

import json
from pathlib import Path

import pytest
from textual.keys import Keys

from evaltui.cli.main import run_command
from evaltui.core.errors import Severity
from evaltui.settings.default_keys import DEFAULT_KEYS
from evaltui.settings.keymap import PRESETS, make_keymap
from evaltui.settings.keys import is_key, keep_valid_keys
from evaltui.settings.load import load_config

NEVER_PRESSED = {"<any>", "<ignore>", "<scroll-down>", "<scroll-up>", "ctrl-at", "return"}
TEXT = """theme = "drak"

[keys]
"run.al" = "ctrl+a"
"run.failed" = "w"
"run.due" = "w ctrl+d"
"app.quit" = "Ctrl-Q"
"move.down" = "ctrl+n"
"""
TOLD = [
    (1, "theme", "warning", "There is no theme `drak`", "Did you mean `dark`?"),
    (4, 'keys["run.al"]', "warning", "There is no command `run.al`", "Did you mean `run.all`?"),
    (
        *(6, 'keys["run.due"]', "error", "`w` is the key of `run.failed` already"),
        "Give one of the two another key.",
    ),
    (7, 'keys["app.quit"]', "error", "There is no key `Ctrl-Q`", "Did you mean `ctrl+q`?"),
]


def test_each_mistake_has_its_place_and_the_rest_holds(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(TEXT)
    read = load_config(tmp_path)
    told = [(each.line, each.key, each.severity, each.what, each.hint) for each in read.problems]
    assert sorted(told) == TOLD
    assert {each.file for each in read.problems} == {"evaltui.toml"}
    kept = {"run.failed": "w", "run.due": "ctrl+d", "move.down": "ctrl+n"}
    assert read.config.keys == kept
    keymap = make_keymap(own=read.config.keys)
    assert (keymap.commands["w"], keymap.commands["q"]) == ("run.failed", "app.quit")


def test_check_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "evaltui.toml").write_text(TEXT)
    assert run_command(["check", "--root", str(tmp_path)]) == 2
    printed = capsys.readouterr().out
    assert [line for *_, what, _ in TOLD for line in [what] if line not in printed] == []
    assert 'evaltui.toml:7:2: `keys["app.quit"]`: There is no key `Ctrl-Q`.' in printed
    run_command(["check", "--json", "--root", str(tmp_path)])
    listed = json.loads(capsys.readouterr().out)["problems"]
    assert {(each["line"], each["message"]) for each in listed} >= {
        (one[0], one[3]) for one in TOLD
    }


def test_in_json_they_have_their_place_too(tmp_path: Path) -> None:
    text = '{\n  "keys": {\n    "run.all": "f99"\n  }\n}'
    (tmp_path / "evaltui.config.json").write_text(text)
    (problem,) = load_config(tmp_path).problems
    assert (problem.line, problem.what) == (3, "There is no key `f99`")


def test_a_theme_given_as_a_flag_is_told_as_one(tmp_path: Path) -> None:
    (problem,) = load_config(tmp_path, {"theme": "neon"}).problems
    assert (problem.key, problem.file, problem.severity) == ("--theme", "", Severity.WARNING)
    assert "`high-contrast`" in problem.hint


def test_a_theme_of_ones_own_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "evaltui" / "themes").mkdir(parents=True)
    (tmp_path / "evaltui.toml").write_text('theme = "neon"')
    assert len(load_config(tmp_path).problems) == 1
    (tmp_path / "evaltui" / "themes" / "neon.toml").write_text("")
    assert load_config(tmp_path).problems == ()


def test_every_key_that_a_terminal_sends_is_one() -> None:
    assert [key.value for key in Keys if not is_key(key.value)] == sorted(
        NEVER_PRESSED, key=[key.value for key in Keys].index
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_the_keys_that_come_with_evaltui_are_keys(preset: str) -> None:
    keys = make_keymap(preset).keys
    written = {command: " ".join(given) for command, given in keys.items()}
    assert keep_valid_keys(written) == (written, [])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("esc", "escape"), ("PgUp", "pageup"), ("return", "enter"), ("control+x", "ctrl+x")),
        *(("shift+ctrl+left", "ctrl+shift+left"), ("shift+a", "A"), ("question_mark", "?")),
        *(("ctrl+A", "ctrl+a"), ("entr", "enter"), ("F5", "f5"), ("option+k", "alt+k")),
    ],
)
def test_a_key_under_another_name_is_recognized(written: str, meant: str) -> None:
    kept, (mistake,) = keep_valid_keys({"run.all": written})
    assert (kept, mistake.hint) == ({}, f"Did you mean `{meant}`?")


@pytest.mark.parametrize("written", ["+a", "ctrl+", "a+b", "ctrl+ctrl+a", "wheel"])
def test_what_is_no_key_gets_the_rule(written: str) -> None:
    _, (mistake,) = keep_valid_keys({"run.all": written})
    assert mistake.path == ("run.all",)
    assert "Write a character" in mistake.hint or "Did you mean" in mistake.hint


IDS = """
accept agent.next app.help app.interrupt app.log app.palette app.quit app.theme app.trust
baseline.menu baseline.pin capture cases.choose cases.filter cases.sort cases.view compare.open
copy.menu copy.text detail.against detail.down detail.up edit.case edit.tool evaluators gate.show
move.back move.bottom move.down move.extend_down move.extend_up move.in move.open move.out
move.page_down move.page_up move.top move.up mute pane.cases pane.detail pane.next pane.previous
pane.problems pane.suites pane.tools pane.zoom problem.next problem.previous promote redo run.ab
run.again run.all run.cancel run.due run.errored run.everywhere run.failed run.selection run.walk
tab.next tab.previous timeline.back timeline.forward timeline.open undo watch.pause
"""
"""As they stand in settings of users: one may be added here, and none renamed or taken away."""


def test_the_ids_that_users_wrote_down_stay() -> None:
    assert set(IDS.split()) == set(DEFAULT_KEYS)
