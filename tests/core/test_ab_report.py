"""What an interleaved comparison came to, in figures and words."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core import ab_report
from evaltui.core.ab_report import AbPair, AbReport
from evaltui.core.ab_words import lines, tools_in_force
from evaltui.core.case import CaseKey
from evaltui.core.paired_runs import LostAndGained
from evaltui.core.proof import Level, Proof, weigh
from evaltui.core.statistics.trials import Trials, TwoSides


def key(name: str) -> CaseKey:
    return CaseKey("evals/a.json", name)


def pair(before: tuple[int, int], now: tuple[int, int], reason: str = "") -> AbPair:
    return AbPair(TwoSides(Trials(*before), Trials(*now)), reason=reason)


def report(**pairs: AbPair) -> AbReport:
    found = {key(name): one for name, one in pairs.items()}
    return AbReport("HEAD (abc)", "now", ("mine", "mine"), 50, found, 1, 0.1, 20)


def test_attempts_without_an_answer_leave_their_case_alone_out_of_lost_and_gained() -> None:
    cut = replace(pair((3, 0), (2, 0)), lost_now=1)
    whole = report(cut=cut, fell=pair((3, 0), (2, 1)), same=pair((3, 0), (3, 0))).whole
    assert whole is not None and whole.verdicts == LostAndGained(1, 0, 1.0, 1)


def test_the_bar_counts_all_cases_that_can_differ() -> None:
    fallen = pair((20, 0), (0, 4), reason="no call")  # e = 1703
    others = {f"c{n}": pair((5, 0), (5, 0)) for n in range(169)}
    assert report(fallen=fallen, **others).worse == (key("fallen"),)
    assert not report(fallen=fallen, one_more=pair((5, 0), (5, 0)), **others).worse
    assert not report(**{**others, "fallen": fallen, "unanswered": AbPair()}).worse


def test_up_is_proven_as_down_is() -> None:
    found = report(up=pair((0, 20), (20, 0)), down=pair((20, 0), (0, 20)))
    assert (found.better, found.worse) == ((key("up"),), (key("down"),))


def test_what_answers_the_same_way_every_time_needs_no_proof() -> None:
    found = report(fallen=pair((1, 0), (0, 1)), same=pair((1, 0), (1, 0)))
    assert found.worse == ()
    assert found.moved(is_up=False) == {key("fallen"): 4}
    assert replace(found, certain=frozenset(found.pairs)).worse == (key("fallen"),)


def test_what_may_come_to_another_verdict_is_weighed_beside_what_may_not() -> None:
    pairs = {"sure": pair((1, 0), (0, 1)), "judged": pair((5, 0), (4, 1), "two of three")}
    found = replace(report(**pairs), certain=frozenset({key("sure")}))
    assert (found.worse, [*found.moved(is_up=False)]) == ((key("sure"),), [key("judged")])
    told: Any = found.document()
    assert [one["e"] is None for one in told["pairs"]] == [True, False]
    proven = replace(found, pairs={key("judged"): pair((20, 0), (0, 4))})
    beside = {key(f"c{n}"): pair((1, 0), (1, 0)) for n in range(400)}
    many = replace(proven, pairs={**proven.pairs, **beside}, certain=frozenset(beside))
    assert many.worse == (key("judged"),), "what is certain is no attempt to prove anything"


def test_cases_of_one_group_do_not_count_as_independent() -> None:
    def spread(*clusters: str) -> float:
        found = [pair((1, 0), (n % 2, 1 - n % 2)) for n in (0, 0, 1, 1)]
        named = {f"c{n}": replace(one, cluster=clusters[n]) for n, one in enumerate(found)}
        whole = report(**named).whole
        assert whole is not None
        return whole.high - whole.low

    assert spread("a", "a", "b", "b") > spread("a", "b", "c", "d")


def test_a_case_is_lost_that_passed_every_time_and_does_not_now() -> None:
    found = report(
        lost=pair((3, 0), (2, 1)), gained=pair((2, 1), (3, 0)), poor=pair((1, 2), (0, 3)),
        unanswered=pair((3, 0), (0, 0)),
    )  # fmt: skip
    whole = found.whole
    assert whole is not None
    assert (whole.cases, whole.verdicts) == (3, LostAndGained(1, 1, 1.0))
    assert round(whole.mean, 3) == round((-1 / 3 + 1 / 3 - 1 / 3) / 3, 3)


def test_it_is_told_in_words_and_to_programs() -> None:
    found = report(
        fallen=pair((20, 0), (0, 20), reason="no call"),
        moved=pair((5, 0), (4, 1)),
        down=AbPair(lost_now=2, why_lost="agent: connection refused"),
    )
    text = "\n".join(lines(found))
    assert "3 of 50 cases can differ" in text
    assert "↓ regressed  evals/a.json::fallen  20/20 → 0/20, e = " in text
    assert "↓? moved  evals/a.json::moved  5/5 → 4/5  undecided" in text
    assert "1 of them have no answer from both sides, and do not count: agent: connection" in text
    assert "(95 %: -100.0 to +" in text, "no mean difference is below -100 points"
    document: dict[str, Any] = {**found.document()}
    assert document["regressed"] == ["evals/a.json::fallen"]
    assert [one["verdict"] for one in document["pairs"]] == ["regressed", "undecided", "not judged"]
    assert "Nothing that the 50 cases depend on differs" in "\n".join(lines(report()))


def test_a_pair_that_a_limit_left_without_an_answer_says_so_and_not_how_its_other_side_failed() -> (
    None
):
    limit = "max_cost_usd is reached"
    found = replace(report(failed=pair((0, 0), (0, 1), reason="no call")), stopped=limit)
    assert f"1 of them have no answer from both sides, and do not count: {limit}" in [
        line.removeprefix("! ") for line in lines(found)
    ]
    assert "no call" not in "\n".join(lines(found))


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        (1, "3 of 4 trials were not made: it was cancelled"),
        (4, "some further trials were not made: it was cancelled"),
        (6, "some further trials were not made: it was cancelled"),
    ],
)
def test_which_trials_were_not_made_is_said(calls: int, said: str) -> None:
    found = replace(report(), wanted=4, calls=calls)
    assert found.cut_short == ""
    assert replace(found, stopped="it was cancelled").cut_short == said


def test_agents_that_are_what_is_compared_are_named_once() -> None:
    found = replace(report(a=pair((1, 0), (1, 0))), before="desk2", now="desk")
    assert next(lines(replace(found, agents=("desk2", "desk")))).startswith("desk2 → desk (seed ")
    other = replace(found, agents=("desk2", "desk/3"))
    assert next(lines(other)).startswith("desk2 → desk, desk2 → desk/3 (seed ")


def test_undecided_is_only_what_further_trials_can_settle() -> None:
    near, far = pair((5, 0), (2, 3)), pair((10, 10), (9, 11))
    found = report(near=near, far=far, up=pair((5, 6), (6, 5)), near_up=pair((2, 3), (5, 0)))
    assert found.moved(is_up=True)[key("near_up")], "further trials would prove it"
    document: dict[str, Any] = {**found.document()}
    told = {one["case"].split("::")[1]: one["verdict"] for one in document["pairs"]}
    assert told == {"near": "undecided", "far": "moved", "up": "moved up", "near_up": "moved up"}
    text = [line for line in lines(found) if "::" in line and "::near " not in line]
    assert len(text) == 3
    assert not any("undecided" in line for line in text)


def test_programs_are_told_the_e_value_of_what_a_case_did() -> None:
    found = report(
        up=pair((0, 20), (20, 0)), down=pair((20, 0), (0, 20)), same=pair((5, 0), (5, 0)),
        beyond=pair((700, 0), (0, 700)),
    )  # fmt: skip
    document: Any = json.loads(json.dumps(found.document(), allow_nan=False))
    told = {one["case"].split("::")[1]: (one["verdict"], one["e"]) for one in document["pairs"]}
    assert told["up"] == ("improved", told["down"][1])
    assert told["down"][1] > 1e9
    assert told["same"][0] == "as before"
    assert told["beyond"] == ("regressed", None)
    assert "20/20 → 0/20, e = over a billion" in "\n".join(lines(found))


def test_a_report_is_weighed_once_each_way_however_often_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed: list[Mapping[CaseKey, TwoSides]] = []

    def noted(cases: Mapping[CaseKey, TwoSides], level: Level) -> dict[CaseKey, Proof]:
        weighed.append(cases)
        return weigh(cases, level)

    monkeypatch.setattr(ab_report, "weigh", noted)
    found = report(up=pair((1, 4), (3, 2)), down=pair((5, 0), (0, 5)))
    for _ in range(2):
        assert found.document()["regressed"] == [str(one) for one in found.worse]
        assert [*lines(found)]
        assert found.better == ()
    assert len(weighed) == 2


def test_a_comparison_without_any_case_answered_on_both_sides_compared_nothing() -> None:
    unanswered = pair((1, 0), (0, 0))
    assert report(a=unanswered, b=AbPair()).compared_nothing
    assert not report(a=unanswered, b=pair((1, 0), (1, 0))).compared_nothing
    assert not report().compared_nothing, "nothing can differ"


def test_muted_cases_are_counted_in_words() -> None:
    for muted, words in ((1, "1 muted case not asked"), (1_200, "1,200 muted cases not asked")):
        told = [*lines(replace(report(a=pair((1, 0), (1, 0))), muted=muted))]
        assert f"{words}: what they answer does not count." in told


def test_how_many_trials_would_prove_it_is_told_in_words() -> None:
    told = [*lines(report(near=pair((4, 0), (0, 4)), far=pair((5, 0), (4, 1))))]
    for name, further in (("near", "1 trial"), ("far", "5 trials")):
        (line,) = [line for line in told if name in line]
        assert f"undecided: {further} more a side would prove it" in line
    told = [*lines(report(near=pair((0, 4), (4, 0)), far=pair((4, 1), (5, 0))))]
    said = "not proven: 1 trial more a side would prove it"
    assert any("↑? moved up" in line and said in line for line in told), "none is made for it"


def test_what_is_the_same_on_both_sides_is_named_also_where_nothing_differs() -> None:
    names = tuple(f"made/{n}.ts" for n in range(8))
    for found in (report(), report(one=pair((1, 0), (1, 0)))):
        assert "same on both sides" not in "\n".join(lines(found))
        said = list(lines(replace(found, as_now=names[:6])))
        assert sum("is the same on both sides" in line for line in said) == 6
        assert any("`made/5.ts`" in line for line in said)
        said = list(lines(replace(found, as_now=names)))
        assert "So are 2 others; `--json` names them." in said
        assert not any("`made/6.ts`" in line for line in said)


def test_one_case_is_told_as_one() -> None:
    assert "Nothing that the one case depends on differs between the two." in [
        *lines(replace(report(), cases=1))
    ]


def test_a_trial_and_an_attempt_without_answer_belong_to_their_side() -> None:
    found = AbPair().after(Trials(1, 0), is_now=False).after(Trials(0, 1), is_now=True)
    assert found.sides == TwoSides(Trials(1, 0), Trials(0, 1))
    lost = found.without_answer("refused", is_now=True).without_answer("late", is_now=False)
    assert (lost.lost_before, lost.lost_now, lost.why_lost) == (1, 1, "refused")
    twice = lost.without_answer("late", is_now=False)
    assert (twice.lost_before, twice.lost_now, twice.errors) == (2, 1, 3)


def test_programs_are_told_why_a_case_failed_or_was_not_judged() -> None:
    found = report(
        fallen=pair((5, 0), (4, 1), reason="no call"), down=AbPair(lost_now=1, why_lost="gone")
    )
    document: dict[str, Any] = {**found.document()}
    assert [one["reason"] for one in document["pairs"]] == ["no call", "gone"]
    assert [one["errors"] for one in document["pairs"]] == [0, 1]
    assert (document["incomplete"], [*found.incomplete]) == (1, [found.pairs[key("down")]])


def test_a_few_sources_are_named_and_the_others_counted() -> None:
    names = [f"n{n}" for n in range(8)]
    few = [*tools_in_force(names[:6], names[:6])]
    assert few[0] == "Not all tools can be read now: n0"
    assert few[6] == "`n0` is the same on both sides: no commit contains what is read there."
    assert len(few) == 12
    many = [*tools_in_force(names, names[:7])]
    assert many[6] == "For 1 other reasons too; `--json` names them."
    assert many[-1] == "So are 2 others; `--json` names them."
    assert len(many) == 14


def test_programs_are_told_how_both_sides_do_as_a_whole_where_that_tells_something() -> None:
    two: dict[str, Any] = {**report(a=pair((5, 0), (4, 1)), b=pair((5, 0), (5, 0))).document()}
    assert (two["paired"]["cases"], round(two["paired"]["mean"], 3)) == (2, -0.1)
    assert report(a=pair((5, 0), (4, 1))).document()["paired"] is None
