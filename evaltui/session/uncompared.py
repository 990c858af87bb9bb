"""Cases of which none is compared with a baseline, and why not."""

from collections.abc import Collection, Mapping

from msgspec import Struct

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import few
from evaltui.session.baselines import Baselines
from evaltui.store.store import Store


class Uncompared(Struct, frozen=True):
    """None of the cases is in the baseline of the agent, as far as it says anything of now."""

    agent: str
    cases: int
    baseline: str
    """The name of what is in force."""
    pinned: int
    """Other cases of the agent, which are in it."""
    others: tuple[str, ...]
    """Other agents of which something is pinned under that name."""
    by_other_rules: int = 0
    """Those of the cases that are in it, and of which it says nothing by the rules of now."""

    @property
    def has_pins(self) -> bool:
        """Whether there is something to compare with; without any pin there is nothing to miss."""
        return bool(self.pinned or self.others)

    def __str__(self) -> str:
        """One sentence, without a full stop."""
        if self.by_other_rules:
            return (
                f"nothing was compared: what baseline `{self.baseline}` holds of `{self.agent}` was"
                " judged by other rules of judging"
            )
        if self.pinned:
            which = "the case" if self.cases == 1 else f"none of the {self.cases:,} cases"
            is_not = "is not" if self.cases == 1 else "is"
            of = "1 other" if self.pinned == 1 else f"{self.pinned:,} others"
            return (
                f"nothing was compared: {which} of `{self.agent}` {is_not} in baseline "
                f"`{self.baseline}`, which holds {of}"
            )
        if self.others:
            return (
                f"nothing was compared: baseline `{self.baseline}` holds nothing of "
                f"`{self.agent}`, only of {few(self.others)}"
            )
        return f"no baseline: nothing is pinned, so no case of `{self.agent}` was compared"


def uncompared(
    agent: str, cases: Collection[CaseKey], store: Store, baselines: Baselines
) -> Uncompared | None:
    """`None` where at least one of the cases can be compared with the baseline of the agent."""
    known = store.board(agent).standards.baselines
    found = [one for key in cases if (one := _pinned(known, key)) is not None]
    if any(not one.by_other_rules for one in found):
        return None
    return Uncompared(
        agent,
        len(cases),
        baselines.in_force(agent),
        sum(len(one.cases) for one in known.values()),
        tuple(one for one in baselines.pinned_agents(agent) if one != agent),
        len(found),
    )


def _pinned(known: Mapping[str, Baseline], key: CaseKey) -> BaselineCase | None:
    return known[key.suite].cases.get(key.case) if key.suite in known else None
