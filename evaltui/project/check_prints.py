"""Fingerprints of what judges the cases besides what they say: settings, evaluators, a model."""

from collections.abc import Mapping

from evaltui.core.case import Case
from evaltui.core.config import Config
from evaltui.core.fingerprint import fingerprint
from evaltui.core.inputs import OF_EVALUATOR
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.kinds import evaluator_uses
from evaltui.project.judge_prints import JudgePrints


class CheckPrints:
    """Of one reading of the project."""

    def __init__(self, config: Config, snapshot: str, evaluators: LoadedEvaluators) -> None:
        """`snapshot`: where live values come from."""
        usual = {"multiset_tools": "on" if config.multiset_tools else "off"}
        self._usual = usual, usual | {"snapshot": fingerprint(snapshot)}
        """What judging depends on besides the case: without live values, with them."""
        self._evaluators = evaluators
        self._know_files = evaluators.know_files
        self._judge_prints = JudgePrints(config.judge)
        self._known: dict[tuple[tuple[str, ...] | bool | str, ...], Mapping[str, str]] = {}
        """By types of evaluators, whether values are live, and by which model it is judged."""

    def of(self, case: Case, *, needs_snapshot: bool) -> Mapping[str, str]:
        """With the fingerprints of its evaluators; equal ones are shared."""
        usual, by_model = self._usual[needs_snapshot], self._judge_prints.checks(case)
        uses = evaluator_uses(case, lambda: self._evaluators.registry)
        if not (uses or by_model):
            return usual
        types = tuple(dict.fromkeys(use.type for use in uses))
        known = self._known.get((types, needs_snapshot, *by_model.values()))
        if known is None:
            found = ((type_, self._evaluators.registry.registered(type_)) for type_ in types)
            prints = {f"{OF_EVALUATOR}{type_}": one.fingerprint for type_, one in found if one}
            known = {**usual, **by_model, **prints}
            self._known[types, needs_snapshot, *by_model.values()] = known
        return known

    def knows_files(self, case: Case) -> bool:
        """Whether the files of its evaluators are all known."""
        if self._know_files:
            return True
        registry = self._evaluators.registry
        types = {use.type for use in evaluator_uses(case, lambda: registry)}
        return all(one.knows_files for type_ in types if (one := registry.registered(type_)))

    def player(self, case: Case) -> str:
        """Of who plays the user; see `JudgePrints.player`."""
        return self._judge_prints.player(case)
