"""The command table and the keymaps made of it."""

import pytest

from evaltui.tui.command import Group
from evaltui.tui.commands import COMMANDS, default_keys
from evaltui.tui.keymap import PRESETS, key_of, make_keymap


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_gives_a_key_to_two_commands(preset: str) -> None:
    keymap = make_keymap(default_keys(), preset)
    assert keymap.problems == ()
    given = [key for keys in keymap.keys.values() for key in keys]
    assert len(given) == len(set(given))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_command_keeps_a_key(preset: str) -> None:
    keymap = make_keymap(default_keys(), preset)
    assert [name for name, keys in keymap.keys.items() if not keys] == []


def test_every_row_can_be_read() -> None:
    for command in COMMANDS:
        assert command.label == command.label.strip()
        assert command.label
        assert len(command.help) > 4, command.id
        assert command.group in Group
    ids = [command.id for command in COMMANDS]
    assert len(ids) == len(set(ids))


def test_the_users_key_wins_and_is_taken_from_others() -> None:
    keymap = make_keymap(default_keys(), "default", {"run.all": "r"})
    assert keymap.commands["r"] == "run.all"
    assert keymap.keys["run.selection"] == ()
    assert keymap.shown("run.selection") == ""


def test_mistakes_are_problems() -> None:
    keymap = make_keymap(default_keys(), "emacs", {"run.everything": "q"})
    assert [problem.what for problem in keymap.problems] == [
        "`emacs` is no key preset",
        "`keys.run.everything` is no command",
    ]
    keymap = make_keymap(default_keys(), "default", {"run.all": "w", "run.failed": "w"})
    assert "is the key of" in keymap.problems[0].what


@pytest.mark.parametrize(
    ("key", "character", "name"),
    [
        ("question_mark", "?", "?"),
        ("j", "j", "j"),
        ("space", " ", "space"),
        ("enter", "\r", "enter"),
        ("ctrl+c", "\x03", "ctrl+c"),
        ("pagedown", None, "pagedown"),
    ],
)
def test_keys_are_named_by_what_is_printed_on_them(
    key: str, character: str | None, name: str
) -> None:
    assert key_of(key, character) == name
