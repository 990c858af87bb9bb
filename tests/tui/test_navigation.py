"""Which panes are in visible."""

import pytest

from evaltui.tui.navigation import Navigation, PaneId

S, C, D, P, T = PaneId


@pytest.mark.parametrize(
    ("width", "steps", "visible"),
    [
        (160, [], (S, C, D)),
        (160, [P], (S, C, D, P)),
        (160, [P, T], (S, C, D, T)),
        (100, [], (C, D)),
        (100, [S], (S,)),
        (100, [P], (C, P)),
        (100, [P, D], (C, D)),
        (60, [], (C,)),
        (60, [D], (D,)),
        (60, [T], (T,)),
    ],
)
def test_visible(width: int, steps: list[PaneId], visible: tuple[PaneId, ...]) -> None:
    navigation = Navigation(width)
    for step in steps:
        navigation.go(step)
    assert navigation.visible == visible
    assert navigation.pane in visible


@pytest.mark.parametrize("width", [160, 100, 60])
def test_back_always_ends_at_the_cases(width: int) -> None:
    navigation = Navigation(width)
    for place in (P, D, S, T):
        navigation.go(place)
    navigation.is_zoomed = True
    steps = 0
    while navigation.back():
        steps += 1
        assert steps < 9
    assert navigation.pane is C
    assert navigation.drawer is None


@pytest.mark.parametrize("width", [160, 100, 60])
def test_tab_goes_round(width: int) -> None:
    navigation = Navigation(width)
    seen = []
    for _ in range(6):
        navigation.go(navigation.next())
        seen.append(navigation.pane)
    assert C in seen
    assert D in seen


def test_zoom_ends_when_another_pane_is_wanted() -> None:
    navigation = Navigation(160, is_zoomed=True)
    assert navigation.visible == (C,)
    navigation.go(D)
    assert not navigation.is_zoomed
