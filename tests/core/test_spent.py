"""What several runs spent together."""

from evaltui.core.spent import Spent


def test_money_and_losses_add_up_and_the_dearest_answer_stays() -> None:
    first = Spent(0.5, {"a": 0.25, "b": 0.125}, 1, "a", "b")
    more = Spent(0.25, {"a": 0.125, "c": 0.5}, 2)
    assert first.with_more(more) == Spent(0.75, {"a": 0.25, "b": 0.125, "c": 0.5}, 3, "a", "b")
    last = Spent(lost=1, loser="c", unpriced="c")
    assert first.with_more(last) == Spent(0.5, first.dearest_usd, 2, "c", "c")
