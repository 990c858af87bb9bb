"""Record and replay: an answer that was recorded once is given again without a request."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from evaltui.agents.recordings.nearest_recording import nearest
from evaltui.agents.recordings.recorded_request import RecordedRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError, UserError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import REPLAYED
from evaltui.net.masking import masked

T = TypeVar("T")


class RecordingMode(StrEnum):
    OFF = "off"
    RECORD = "record"
    """Always ask, and keep the answer in place of an older one."""
    REPLAY = "replay"
    """Never ask."""
    AUTO = "auto"
    """Ask only what is not recorded."""


class RecordingStore(Protocol):
    """Keeps entries `{key, request, reply}` by case. Raises UserError for an unusable file."""

    def place(self, case: CaseKey) -> str:
        """Where the entries of `case` are kept, for messages."""
        ...

    def read(self, case: CaseKey) -> Sequence[JsonObject]: ...

    async def keep(self, case: CaseKey, entry: JsonObject, former_key: str = "") -> None:
        """Add the entry, or replace the one with its key, or with what was its key once, unless
        that tells of other variables."""
        ...


class AnswerCodec(Struct, Generic[T], frozen=True):
    """How one kind of answer is written and read; `read` raises ValueError."""

    write: Callable[[T], JsonObject]
    read: Callable[[JsonObject], T]


class Recorder:
    """Decides for each request between asking and replaying."""

    def __init__(self, store: RecordingStore, mode: RecordingMode) -> None:
        self._store = store
        self.mode = mode

    async def answer(
        self,
        case: CaseKey,
        request: RecordedRequest,
        ask: Callable[[], Awaitable[T]],
        codec: AnswerCodec[T],
        hide: Callable[[str], str],
        former: RecordedRequest | None = None,
    ) -> tuple[T, str]:
        """The answer, and whether it was `live`, `recorded` or `replayed`.

        `hide` masks secrets in all that is kept. `former`: the same request as earlier versions
        kept it, for where it is not recorded as it is kept now. Faults of `ask` are not recorded.
        Raises AgentError for a miss in replay, and for a file that cannot be read or written.
        """
        if self.mode is RecordingMode.OFF:
            return await ask(), "live"
        if self.mode is not RecordingMode.RECORD:
            entries = self._read(case)
            for one in (request, former) if former is not None else (request,):
                if (entry := one.answered_by(entries)) is not None:
                    return self._replayed(case, entry, codec), REPLAYED
            if self.mode is RecordingMode.REPLAY:
                raise self._miss(case, request, entries)
        else:
            self._read(case)  # before money is spent on what could not be kept
        answer = await ask()
        kept: dict[str, Json] = {
            "key": request.key,
            "request": masked(request.as_json(), hide),
            "reply": masked(codec.write(answer), hide),
        }
        try:
            await self._store.keep(case, kept, former.key if former is not None else "")
        except (UserError, OSError) as error:
            raise AgentError(
                f"the answer could not be recorded: {error}", category="recording"
            ) from None
        return answer, "recorded"

    def _read(self, case: CaseKey) -> Sequence[JsonObject]:
        try:
            return self._store.read(case)
        except UserError as error:
            raise AgentError(str(error), category="recording") from None

    def _replayed(self, case: CaseKey, entry: JsonObject, codec: AnswerCodec[T]) -> T:
        reply: Json = entry.get("reply")
        try:
            if not isinstance(reply, Mapping):
                raise TypeError("no object")
            return codec.read(reply)
        except (TypeError, ValueError) as error:
            raise AgentError(
                f"the reply of key `{entry.get('key')}` in `{self._store.place(case)}` cannot be "
                f"read ({type(error).__name__}: {error}). Record it again.",
                category="recording",
            ) from None

    def _miss(
        self, case: CaseKey, request: RecordedRequest, entries: Sequence[JsonObject]
    ) -> AgentError:
        place = self._store.place(case)
        what = f"nothing is recorded for this request in `{place}`: {nearest(request, entries)}"
        return AgentError(
            f"{what} Record it with `--cassettes record`, or `auto`.", category="recording-miss"
        )
