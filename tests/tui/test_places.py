"""Which panes are in sight."""

import pytest

from evaltui.tui.places import Place, Places

S, C, D, P, T = Place


@pytest.mark.parametrize(
    ("width", "steps", "sight"),
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
def test_sight(width: int, steps: list[Place], sight: tuple[Place, ...]) -> None:
    places = Places(width)
    for step in steps:
        places.go(step)
    assert places.in_sight == sight
    assert places.place in sight


@pytest.mark.parametrize("width", [160, 100, 60])
def test_back_always_ends_at_the_cases(width: int) -> None:
    places = Places(width)
    for place in (P, D, S, T):
        places.go(place)
    places.is_zoomed = True
    steps = 0
    while places.back():
        steps += 1
        assert steps < 9
    assert places.place is C
    assert places.drawer is None


@pytest.mark.parametrize("width", [160, 100, 60])
def test_tab_goes_round(width: int) -> None:
    places = Places(width)
    seen = []
    for _ in range(6):
        places.go(places.next())
        seen.append(places.place)
    assert C in seen
    assert D in seen


def test_zoom_ends_when_another_pane_is_wanted() -> None:
    places = Places(160, is_zoomed=True)
    assert places.in_sight == (C,)
    places.go(D)
    assert not places.is_zoomed
