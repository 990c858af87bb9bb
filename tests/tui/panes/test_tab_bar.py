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
    is_short = not any(word.strip("[]") == Tab.CONVERSATION for word in words)
    for word, tab in zip(words, ALL, strict=True):
        name = tab.short_name if is_short else tab.value
        if tab is chosen:
            assert word == f"[{name}]"
        else:
            assert word == name or (is_short and word.endswith("…") and name.startswith(word[:-1]))


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (60, "[Events] Calls  Conversation  Verdicts  History  Raw"),
        (48, "[Events] Calls Conversation Verdicts History Raw"),
        (46, "[Events] Calls Chat Verdicts History Raw"),
        (38, "[Events] Calls Chat Verdi… Histo… Raw"),
    ],
)
def test_where_the_names_of_all_do_not_fit_a_shorter_one_makes_room(width: int, line: str) -> None:
    tabs = (Tab.EVENTS, Tab.CALLS, Tab.CONVERSATION, Tab.VERDICTS, Tab.HISTORY, Tab.RAW)
    spots = lay_out_tabs(Tab.EVENTS, tabs, width, "…")
    assert "".join(spot.text for spot in spots).rstrip() == line


def test_wide_enough_nothing_is_cut() -> None:
    for width in (56, 59, 120):
        spots = lay_out_tabs(Tab.AGENTS, tabs_of(True), width, "…")
        assert "…" not in "".join(spot.text for spot in spots)
