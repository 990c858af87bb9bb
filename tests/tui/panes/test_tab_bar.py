"""The line of tabs: whole names or names with a mark, at every width."""

import pytest

from evaltui.tui.panes.detail_tabs import Tab, tabs_of
from evaltui.tui.panes.tab_bar import lay_out_tabs

ALL = tabs_of(True)


@pytest.mark.parametrize("chosen", ALL)
@pytest.mark.parametrize("width", range(38, 80))
def test_names_are_whole_or_marked_and_never_touch(chosen: Tab, width: int) -> None:
    spots = lay_out_tabs(chosen, ALL, width, "…")
    line = "".join(spot.text for spot in spots)
    assert len(line.rstrip()) <= width
    assert [spot.start for spot in spots] == [
        sum(len(spot.text) for spot in spots[:index]) for index in range(len(spots))
    ]
    words = line.split()
    assert len(words) == len(ALL), line
    for word, tab in zip(words, ALL, strict=True):
        if tab is chosen:
            assert word == f"[{tab.value}]"
        else:
            assert word == tab.value or (word.endswith("…") and tab.startswith(word[:-1]))


def test_wide_enough_nothing_is_cut() -> None:
    for width in (56, 59, 120):
        spots = lay_out_tabs(Tab.AGENTS, tabs_of(True), width, "…")
        assert "…" not in "".join(spot.text for spot in spots)
