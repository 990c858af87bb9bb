"""The command table and the keymaps made of it."""

from importlib import import_module
from inspect import signature

import pytest

from evaltui.settings.default_keys import DEFAULT_KEYS
from evaltui.settings.keymap import PRESETS, key_of, make_keymap
from evaltui.tui.command import Command, Group
from evaltui.tui.commands import COMMANDS


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_gives_a_key_to_two_commands(preset: str) -> None:
    keymap = make_keymap(preset)
    assert set(PRESETS[preset]) <= set(DEFAULT_KEYS)
    given = [key for keys in keymap.keys.values() for key in keys]
    assert len(given) == len(set(given))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_command_keeps_a_key(preset: str) -> None:
    keymap = make_keymap(preset)
    assert [name for name, keys in keymap.keys.items() if not keys] == []


def test_every_row_can_be_read() -> None:
    for command in COMMANDS:
        assert command.label == command.label.strip()
        assert command.label
        assert len(command.help) > 4, command.id
        assert command.group in Group
    ids = [command.id for command in COMMANDS]
    assert ids == list(DEFAULT_KEYS), "each has its keys, in the same order"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_each_command_names_functions_that_are_there(command: Command) -> None:
    for name in filter(None, (command.action, command.condition)):
        module, _, function = name.partition(".")
        found = getattr(import_module(f"evaltui.tui.actions.{module}"), function)
        assert list(signature(found).parameters) == ["controller"], name


def test_the_users_key_wins_and_is_taken_from_others() -> None:
    keymap = make_keymap("default", {"run.all": "r"})
    assert keymap.commands["r"] == "run.all"
    assert keymap.keys["run.selection"] == ()
    assert keymap.shown("run.selection") == ""


def test_of_two_commands_with_one_key_the_first_has_it() -> None:
    keymap = make_keymap("default", {"run.failed": "w", "run.all": "w"})
    assert keymap.commands["w"] == "run.all"


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
