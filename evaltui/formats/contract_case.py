"""One case of a contract file: from its written form to a core object, with mistakes in words."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    KnownAnswer,
    RubricCase,
    RubricDimension,
    Tier,
)
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Severity
from evaltui.core.key_path import KeyPath, format_key
from evaltui.formats.complaint import IN_JSON, Complaint, complaint_of, shorten
from evaltui.formats.contract_model import EvalCase
from evaltui.formats.unknown_fields import Fields, unknown_fields
from evaltui.json_text.kind import kind_of
from evaltui.settings.mistakes import keep_valid
from evaltui.settings.sentences import Mistake

LONG_MESSAGE = 100_000
"""Characters from which a message is warned of: few agents accept so much."""
_KEYS = tuple(str(field.alias) for field in EvalCase.model_fields.values())
_FIELDS = Fields(
    "a case",
    _KEYS,
    "scenarios",
    {
        "successCriteria": "Write `expect`, `evaluators` or `rubric`.",
        "failureCriteria": "Write `expect`, `evaluators` or `rubric`.",
        "failureCriteriaMode": "Remove it.",
        "maxMessages": "Write a scenario, `*.scenario.json`.",
        "messages": "Write a scenario, `*.scenario.json`.",
        "persona": "Write a scenario, `*.scenario.json`.",
    },
)
_NEEDED = frozenset({"id", "input", "expect", "stubs", "maxTurns", "rubric", "evaluators"})
"""A case with a wrong value here cannot be judged; elsewhere it is only warned of."""


def read_case(
    raw: Any, suite: str, tier: Tier, line: int, path: KeyPath
) -> tuple[Case, list[Complaint]]:
    """Read one item of the list of cases; `invalid` says why it cannot be judged.

    A case without a usable id goes by its key `path` in the file. Keys that the contract does not
    know are kept in `extra`. A field that is null is absent.
    """
    if type(raw) is not dict:
        what = f"The case is {kind_of(raw)}, not an object"
        body = RubricCase("") if tier is Tier.RUBRIC else ContractCase("")
        case = Case(CaseKey(suite, format_key(path)), body, tier, line=line, invalid=what)
        return case, [Complaint((), what, "Write `{…}`.", code="wrong-type")]
    wrong: list[Complaint] = []
    try:
        written = EvalCase.model_validate(raw)
        extra = written.model_extra or {}
    except ValidationError:
        written, extra, wrong = _mend(raw)
    if isinstance(raw.get("rubric"), list) and written.expect is None:
        tier = Tier.RUBRIC
    message = _message(written, raw, wrong)
    is_judged = bool(raw.get("evaluators")) or tier is Tier.RUBRIC
    if raw.get("expect") is None and not is_judged:
        wrong.append(_missing("expect", raw, "Nothing would be judged; `{}` says so on purpose."))
    id_ = written.id
    if not id_:
        if raw.get("id") in (None, ""):
            wrong.append(_missing("id", raw, "Results and baselines are kept under it."))
    elif not (id_.isascii() and id_.isprintable()) or "/" in id_ or "\\" in id_ or ".." in id_:
        wrong += _odd_id(id_)
    if written.rubric and tier is not Tier.RUBRIC:
        what = f"Nobody judges the rubric: a {tier} case with `expect` is judged by that alone"
        hint = "Write it as a case of its own into a file that ends in `.rubric.json`."
        wrong.append(Complaint(("rubric",), what, hint, Severity.WARNING, "unjudged-rubric"))
    wrong += _repeated_dimensions(written)
    if written.calibration:
        wrong += _unknown_scores(written)
    if extra:
        wrong += unknown_fields(extra, raw, _FIELDS)
    errors = [complaint.what for complaint in wrong if complaint.severity is Severity.ERROR]
    case = Case(
        key=CaseKey(suite, id_ or format_key(path)),
        body=_body(tier, message, written, raw, extra),
        tier=tier,
        description=written.description,
        line=line,
        invalid="; ".join(errors),
        extra=extra,
    )
    return case, wrong


def _mend(raw: dict[str, Any]) -> tuple[EvalCase, dict[str, Any], list[Complaint]]:
    """What holds of a case with mistakes; what is wrong and not needed is kept as it is."""
    written, mistakes = keep_valid(EvalCase, raw, IN_JSON)
    assert written is not None, "no key of the model is required"
    extra = dict(written.model_extra or {})
    keys = {str(one.path[0]) for one in mistakes} - _NEEDED
    extra |= {key: raw[key] for key in raw if key in keys}
    return written, extra, [complaint_of(one, _severity(one)) for one in mistakes]


def _severity(mistake: Mistake) -> Severity:
    return Severity.ERROR if mistake.path[0] in _NEEDED else Severity.WARNING


def _body(
    tier: Tier, message: str, written: EvalCase, raw: dict[str, Any], extra: dict[str, Any]
) -> CaseBody:
    """A case with a rubric in a file of another tier is judged by its `expect` alone."""
    common: dict[str, Any] = {
        "expect": {} if written.expect is None and written.evaluators else written.expect,
        "evaluators": tuple(EvaluatorUse(one.type, one.config) for one in written.evaluators),
        "stubs": written.stubs,
        "max_turns": written.max_turns,
        "difficulty": written.difficulty,
        "created_at": written.created_at,
        "bug_ref": written.bug_ref,
    }
    if tier is Tier.RUBRIC:
        dimensions = tuple(
            RubricDimension(one.dimension, one.max_score, one.criteria) for one in written.rubric
        )
        reference = written.reference_data
        known = tuple(KnownAnswer(one.response, one.scores) for one in written.calibration)
        return RubricCase(
            message,
            dimensions=dimensions,
            reference_data=reference,
            calibration=known,
            **common,
        )
    for name in ("rubric", "referenceData", "calibration"):
        if raw.get(name) is not None:
            extra[name] = raw[name]
    return ContractCase(message, **common)


def _message(written: EvalCase, raw: dict[str, Any], wrong: list[Complaint]) -> str:
    message, holder = written.input.message, raw.get("input")
    if holder is None:
        wrong.append(_missing("input", raw, 'Write `"input": {"message": "…"}`.'))
    elif not message and isinstance(holder, dict) and holder.get("message") is None:
        near = did_you_mean("message", written.input.model_extra or {})
        hint = near or 'Write `"input": {"message": "…"}`.'
        wrong.append(Complaint(("input",), "`input.message` is missing", hint, code="missing"))
    elif len(message) > LONG_MESSAGE:
        what = f"The message has {len(message):,} characters"
        hint = "Few agents accept that; shorten it if the case fails."
        wrong.append(Complaint(("input", "message"), what, hint, Severity.WARNING, "long-message"))
    return message


def _missing(name: str, others: Mapping[str, Any], hint: str) -> Complaint:
    near = did_you_mean(name, [key for key in others if key not in _KEYS])
    suffix = near.replace("Did you mean", "Is it").replace("?", " misspelt?") if near else hint
    return Complaint((), f"The case has no `{name}`", suffix, code="missing")


def _odd_id(id_: str) -> list[Complaint]:
    if not id_.isprintable():
        what = "The id holds control characters"
        return [
            Complaint(("id",), what, "Use letters, digits and `-`.", Severity.WARNING, "odd-id")
        ]
    if "/" in id_ or "\\" in id_ or ".." in id_:
        what = f"The id `{shorten(id_)}` looks like a path"
        hint = "It is only a name here; letters, digits and `-` travel better."
        return [Complaint(("id",), what, hint, Severity.LINT, "odd-id")]
    return []


def _repeated_dimensions(written: EvalCase) -> list[Complaint]:
    names = [one.dimension for one in written.rubric]
    return [
        Complaint(
            ("rubric", index),
            f"The dimension `{shorten(name)}` stands twice",
            "Verdicts are kept under it: rename one.",
            code="duplicate-id",
        )
        for index, name in enumerate(names)
        if name in names[:index]
    ]


def _unknown_scores(written: EvalCase) -> list[Complaint]:
    """Scores of answers that belong to no dimension, or that it cannot have."""
    most = {one.dimension: one.max_score for one in written.rubric}
    found: list[Complaint] = []
    for index, known in enumerate(written.calibration):
        for name, score in known.scores.items():
            path = ("calibration", index, "scores", name)
            if name not in most:
                what = f"The rubric has no dimension `{shorten(name)}`"
                hint = did_you_mean(name, most) or "Name one that it has."
                found.append(Complaint(path, what, hint, Severity.WARNING, "unknown-dimension"))
            elif score > most[name]:
                what = f"The score is above `maxScore`, which is {most[name]:g}"
                hint = "No judge can give it; correct one of them."
                found.append(Complaint(path, what, hint, Severity.WARNING, "out-of-range"))
    return found
