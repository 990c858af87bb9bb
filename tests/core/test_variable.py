"""Where texts refer to variables."""

from evaltui.core.variable import texts_in, variables_in


def test_all_kinds_of_names_are_found_in_their_order() -> None:
    text = "${B_2}, ${A:-none}, ${keyring:service/user}, ${evalstudio:a.json#key/key}, ${2}, $A"
    assert variables_in(text) == ("B_2", "A", "keyring:service/user", "evalstudio:a.json#key/key")


def test_texts_stand_at_any_depth_and_keys_are_none() -> None:
    assert [*texts_in({"key": ["a", {"b": ("c", 1, None)}], "d": "e"})] == ["a", "c", "e"]
    assert [*texts_in(7)] == []
