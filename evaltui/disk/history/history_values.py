"""What a row of the history may hold: SQLite keeps a text in a column of numbers too, where others
wrote it there, and any project folder may bring a history along."""

from typing import cast

from msgspec import Struct
from msgspec.structs import asdict

from evaltui.core.statistics.trials import MOST_TRIALS, Planned, Trials
from evaltui.disk.codec import read
from evaltui.disk.history.history_schema import ForeignError


class More(Struct):
    """What few results have, in `latest.more`; `None` where it is not told."""

    assertions_skipped: int | None = None
    category: str | None = None
    score: float | None = None
    metrics: dict[str, float] | None = None
    queued_ms: float | None = None
    trial: int | None = None
    trials: int | None = None
    passes: int | None = None
    erred: int | None = None
    planned: Planned | None = None
    was_counted: bool | None = None
    was_judged_again: bool | None = None
    in_short: str | None = None
    known_cost_usd: float | None = None
    known_overlaps: tuple[str, ...] | None = None


def require_numbers(*values: object) -> None:
    """Raises ForeignError where one is none."""
    for value in values:
        if type(value) not in (float, int):
            raise ForeignError("it holds something else where a number belongs")


def trials_of(passes: object, failures: object) -> Trials:
    """Raises ForeignError where these are no counts."""
    _require_counts(passes, failures)
    return Trials(cast(int, passes), cast(int, failures))


def _require_counts(*values: object) -> None:
    for value in values:
        if not isinstance(value, int) or not 0 <= value <= MOST_TRIALS:
            raise ForeignError("it holds something else where a number of trials belongs")


def _require_counts_of(planned: Planned) -> None:
    _require_counts(planned.judged.passes, planned.judged.failures, planned.erred)


def planned_of(written: object) -> Planned | None:
    """`None` where all attempts were planned, as far as it is told. Raises ForeignError where it is
    no such JSON, and where it holds no counts."""
    if written == "":
        return None
    if not isinstance(written, str):
        raise ForeignError("it holds something else where JSON belongs")
    try:
        planned = read(Planned, written)
    except ValueError:
        raise ForeignError("it holds JSON that it never wrote") from None
    _require_counts_of(planned)
    return planned


def more_of(written: object) -> dict[str, object]:
    """The fields that are told; those of another version or kind are passed over. Raises
    ForeignError where it is no object of JSON, and where what was planned is no counts."""
    if not isinstance(written, str):
        raise ForeignError("it holds something else where JSON belongs")
    try:
        more = read(More, written)
    except ValueError:
        raise ForeignError("it holds JSON that it never wrote") from None
    if more.planned is not None:
        _require_counts_of(more.planned)
    return {name: value for name, value in asdict(more).items() if value is not None}
