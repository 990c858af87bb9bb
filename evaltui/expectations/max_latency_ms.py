"""maxLatencyMs: how long the answer may take."""

from typing import ClassVar

from evaltui.core.check import CheckContext
from evaltui.core.json_value import JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.javascript import to_string
from evaltui.expectations.limits import Limit
from evaltui.expectations.verdicts import failed, passed


class MaxLatencyMs(Limit, frozen=True):
    """The agent's own time, without waiting for a slot (contract B5)."""

    name: ClassVar[str] = "maxLatencyMs"
    schema: ClassVar[JsonObject] = {
        "type": "number",
        "description": "Time limit of the complete answer in milliseconds; 0 is no limit.",
    }

    def run(self, context: CheckContext) -> Verdict:
        actual = context.response.duration_ms
        limit = to_string(self.limit)
        if actual <= self.limit:
            said = f"took {actual:.0f} ms, at most {limit} allowed"
            return passed(self, said, self.limit, actual)
        reason = f"took {to_string(actual)} ms, more than {limit} ms"
        return failed(self, reason, self.limit, actual)
