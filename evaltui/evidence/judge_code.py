"""The code of a project's own evaluators and judges, as prints that two runs can be compared by."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from evaltui.core.check import Check
from evaltui.core.inputs import OF_EVALUATOR
from evaltui.core.result import CaseResult
from evaltui.evidence.compared.lost_checks import in_short

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

Code: TypeAlias = Mapping[str, Sequence[str]]
"""By evaluator or judge the prints of its files, 12 hex digits, sorted: more than one where it was
edited during the run. Those that come along have none."""
KEY = "judge_code"
"""Of `run/config.json`."""


def code_of_results(results: Iterable[CaseResult]) -> Code:
    """Of evaluators that judged cases of eval files."""
    return code_of_checks(one.inputs.checks for one in results)


def code_of_checks(known: Iterable[Mapping[str, str]]) -> Code:
    """The same of what results depended on, as `Inputs.checks`."""
    return _prints(
        (name.removeprefix(OF_EVALUATOR), made)
        for checks in known
        for name, made in checks.items()
        if name.startswith(OF_EVALUATOR)
    )


def code_of_judges(stage: Iterable[Check], evaluators: "EvaluatorRegistry | None") -> Code:
    """Of judges of traces, and of the evaluators that their cases may name."""
    from evaltui.traces.judges.plugin import PluginJudge

    own = ((one.named, one.code) for one in stage if isinstance(one, PluginJudge))
    loaded = ((one.definition.type, one.fingerprint) for one in evaluators or ())
    return _prints([*own, *loaded])


def changed_code(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Whose code is another, by the settings of two runs; where a side does not tell, it is
    unknown."""
    was, is_ = before.get(KEY) or {}, after.get(KEY) or {}
    for name in sorted(was.keys() & is_.keys()):
        if [*was[name]] != [*is_[name]]:
            yield name


def code_warnings(names: Sequence[str]) -> list[str]:
    """What is said of it: an edited comment may be all, so it refuses nothing."""
    if not names:
        return []
    who = in_short([f"`{name}`" for name in names])
    what = f"the code of {who} was changed since the baseline"
    return [f"{what}: look whether the same answers pass, since no figure tells"]


def _prints(found: Iterable[tuple[str, str]]) -> Code:
    code: dict[str, set[str]] = {}
    for name, made in found:
        if made:
            code.setdefault(name, set()).add(made)
    return {name: sorted(code[name]) for name in sorted(code)}
