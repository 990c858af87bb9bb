"""How far a judge can be relied on: its scores of answers that a person scored."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from evaltui.core.budget import BUDGET
from evaltui.core.case import Case, CaseKey, RubricCase
from evaltui.core.check import CheckContext
from evaltui.core.judge import Panel
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.exact_interval import exact_rate
from evaltui.core.statistics.rates import PassRate
from evaltui.scenarios.rubric_check import RubricCheck


class KnownScore(Struct, frozen=True, gc=False):
    """What the judge made of one dimension of one answer."""

    key: CaseKey
    answer: int
    """0-based, in the case's `calibration`."""
    dimension: str
    known: float
    judged: float | None
    """`None`: inconclusive."""
    reason: str

    @property
    def agrees(self) -> bool:
        return self.judged == self.known


class Calibration(Struct, frozen=True):
    """All that was judged; what is inconclusive does not agree."""

    scores: tuple[KnownScore, ...]
    unjudged: int = 0
    """Known scores that the judge was not asked about to the end, since money ended it."""
    why: str = ""
    """What the judge said of the first of them."""

    @property
    def agreement(self) -> PassRate:
        """Share that agrees, with its interval. Raises ZeroDivisionError for none.

        The exact one: few answers are scored, and judges agree nearly always, where Wilson's holds
        the truth in 91 of 100 cases only. Whoever relies on a judge relies on the lower end.
        """
        return exact_rate(sum(one.agrees for one in self.scores), len(self.scores))

    @property
    def table(self) -> Counter[tuple[float, float | None]]:
        """How often each known score was judged as what."""
        return Counter((one.known, one.judged) for one in self.scores)

    @property
    def dimensions(self) -> "dict[str, Calibration]":
        """The same by dimension, in the order in which they first come."""
        found: dict[str, list[KnownScore]] = {}
        for one in self.scores:
            found.setdefault(one.dimension, []).append(one)
        return {name: Calibration(tuple(scores)) for name, scores in found.items()}


async def calibrate(cases: Iterable[Case], panel: Panel, concurrency: int = 1) -> Calibration:
    """Have the panel judge every known answer, so many at once, exactly as it judges others."""
    slots = asyncio.Semaphore(concurrency)

    async def judged(question: _Question) -> KnownScore | str:
        async with slots:
            return await question.put(panel)

    questions = [question for case in cases for question in _questions(case)]
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(judged(question)) for question in questions]
    found = [task.result() for task in asked]
    left = [why for why in found if isinstance(why, str)]
    scores = tuple(one for one in found if isinstance(one, KnownScore))
    return Calibration(scores, len(left), left[0] if left else "")


def known_scores(cases: Iterable[Case]) -> int:
    """How many questions that are, each asked as often as the judge has votes."""
    return sum(1 for case in cases for _ in _questions(case))


def has_known_answers(case: Case) -> bool:
    """Whether the case says anything about a judge."""
    return next(_questions(case), None) is not None


class _Question(Struct, frozen=True):
    case: Case
    body: RubricCase
    answer: int
    dimension: int
    known: float

    async def put(self, panel: Panel) -> KnownScore | str:
        """The score; a text where nobody could be asked any more: why."""
        dimension = self.body.dimensions[self.dimension]
        response = AgentResponse(self.body.calibration[self.answer].response)
        check = RubricCheck(self.body, dimension, panel)
        verdict = await check.run(CheckContext(self.case, response))
        if verdict.category == BUDGET:
            return verdict.reason
        score = verdict.evidence.get("score")
        judged = float(score) if isinstance(score, int | float) else None
        name = dimension.dimension
        return KnownScore(self.case.key, self.answer, name, self.known, judged, verdict.reason)


def _questions(case: Case) -> Iterator[_Question]:
    body = case.body
    if case.invalid or not isinstance(body, RubricCase):
        return
    for answer, known in enumerate(body.calibration):
        for index, dimension in enumerate(body.dimensions):
            if dimension.dimension in known.scores:
                score = float(known.scores[dimension.dimension])
                yield _Question(case, body, answer, index, score)


def table_lines(table: Counter[tuple[float, float | None]]) -> Sequence[str]:
    """The table of known and judged scores as text; `?` is what was inconclusive."""
    scores = sorted({score for pair in table for score in pair if score is not None})
    columns: list[float | None] = [*scores, *([None] if any(b is None for _, b in table) else [])]
    heads = ["?" if column is None else f"{column:g}" for column in columns]
    lines = ["known \\ judged" + "".join(f"{head:>6}" for head in heads)]
    for known in scores:
        if any(pair[0] == known for pair in table):
            cells = "".join(f"{table[known, column]:>6}" for column in columns)
            lines.append(f"{known:>14g}{cells}")
    return lines
