"""A matching is found wherever there is one."""

from itertools import permutations, product

from evaltui.traces.judges.expected_output import has_matching


def test_it_says_what_trying_every_order_says() -> None:
    for count, others in ((0, 0), (1, 0), (2, 1), (2, 3), (3, 3)):
        for row in product((False, True), repeat=count * others):

            def fits(at: int, place: int, row: tuple[bool, ...] = row, wide: int = others) -> bool:
                return row[at * wide + place]

            tried = any(
                all(fits(at, place) for at, place in enumerate(order))
                for order in permutations(range(others), count)
            )
            assert has_matching(count, others, fits) is tried


def test_long_lists_are_compared_once_for_each_pair() -> None:
    asked: list[tuple[int, int]] = []

    def fits(at: int, place: int) -> bool:
        asked.append((at, place))
        return place <= at + 1

    assert has_matching(60, 60, fits)
    assert len(asked) == len(set(asked)) <= 3600
