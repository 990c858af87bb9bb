"""Which characters differ between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.text_diff import is_alike, mark_difference, mark_words


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_pieces_join_to_the_texts_and_the_common_ones_agree(before: str, after: str) -> None:
    left, right = mark_difference(before, after)
    assert "".join(piece.text for piece in left) == before
    assert "".join(piece.text for piece in right) == after
    same = ["".join(p.text for p in side if not p.is_changed) for side in (left, right)]
    assert same[0] == same[1]
    assert (before == after) == (not any(p.is_changed for p in (*left, *right)))


def test_the_differing_part_is_marked() -> None:
    _, right = mark_difference("Paris", "Pariss")
    assert [(piece.text, piece.is_changed) for piece in right] == [("Paris", False), ("s", True)]


def test_huge_texts_are_marked_at_once() -> None:
    before = "x" * 1_000_000
    left, right = mark_difference(before + "a" + before, before + "b" + before)
    assert [len(piece.text) for piece in left] == [1_000_000, 1, 1_000_000]
    assert right[1].text == "b"


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_a_text_is_like_itself_and_unlike_what_shares_no_character(before: str, after: str) -> None:
    assert is_alike(before, before)
    assert is_alike(before, after.upper()) is (not before and not after)
    assert not is_alike("Paris", "I said nothing of the kind")
    assert is_alike("Paris", "Pariss")
    assert not is_alike("abcdefgh", "abcXYZWV"), "three eighths are the same"
    assert is_alike("abcdefgh", "abcdXYZW"), "half of it is"


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_join_to_the_texts_again(before: str, after: str) -> None:
    left, right = mark_words(before, after)
    assert "".join(piece.text for piece in left) == before
    assert "".join(piece.text for piece in right) == after
    same = ["".join(p.text for p in side if not p.is_changed) for side in (left, right)]
    assert same[0] == same[1]


def test_whole_words_are_marked() -> None:
    left, right = mark_words("reschedule, postpone or delay it", "reschedule, defer or delay it")
    assert [piece.text for piece in left if piece.is_changed] == ["postpone"]
    assert [piece.text for piece in right if piece.is_changed] == ["defer"]
