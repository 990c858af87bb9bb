"""What several runs spent together."""

from evaltui.core.spent import Spent


def test_money_and_losses_add_up_and_the_dearest_answer_stays() -> None:
    first = Spent(0.5, {"a": 0.25, "b": 0.125}, 1, "a", "b")
    more = Spent(0.25, {"a": 0.125, "c": 0.5}, 2)
    assert first.with_more(more) == Spent(0.75, {"a": 0.25, "b": 0.125, "c": 0.5}, 3, "a", "b")
    last = Spent(lost=1, loser="c", unpriced="c")
    assert first.with_more(last) == Spent(0.5, first.dearest_usd, 2, "c", "c")


def test_of_two_missing_prices_the_one_that_stating_a_price_does_not_help_stays() -> None:
    stated, missing = Spent(unpriced="a", had_price=True), Spent(unpriced="b")
    for both in (stated.with_more(missing), missing.with_more(stated), stated.with_more(Spent())):
        assert (both.unpriced, both.had_price) == ("a", True)
    assert missing.with_more(Spent(unpriced="c")).unpriced == "c"
