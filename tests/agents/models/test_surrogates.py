"""Text cut anywhere between UTF-16 units comes out whole."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.models.reply_draft import Draft
from evaltui.agents.models.surrogates import whole_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("😀é寿"), max_size=12)


def units(text: str) -> list[str]:
    """One string for each UTF-16 unit, as a careless server would send them."""
    data = text.encode("utf-16-le")
    return [chr(int.from_bytes(data[i : i + 2], "little")) for i in range(0, len(data), 2)]


@given(TEXT)
def test_pieces_of_one_unit(text: str) -> None:
    heard: list[str] = []
    draft = Draft(on_text=heard.append)
    for unit in units(text):
        draft.say(unit)
    assert draft.text == text
    assert "".join(heard) == text


@given(st.text())
def test_can_always_be_written(text: str) -> None:
    whole_text(text).encode()


def test_lone_halves() -> None:
    assert whole_text("a\ud83db") == "a\ufffdb"
    assert whole_text("\ude00\ud83d\ude00") == "\ufffd😀"
