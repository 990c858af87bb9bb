"""maxTokens: how long the answer may be."""

from typing import ClassVar

from evaltui.core.check import CheckContext
from evaltui.core.json_value import JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.javascript import to_string
from evaltui.expectations.limits import Limit
from evaltui.expectations.verdicts import failed, passed


class MaxTokens(Limit, frozen=True):
    """The response's length as the configured tokenizer counts it."""

    name: ClassVar[str] = "maxTokens"
    schema: ClassVar[JsonObject] = {
        "type": "number",
        "description": "Most tokens in the answer, as estimated; 0 is no limit.",
    }
    is_for_labeled: ClassVar[bool] = True

    def run(self, context: CheckContext) -> Verdict:
        actual = self.config.count_tokens(context.response.text)
        limit = to_string(self.limit)
        if actual <= self.limit:
            said = f"{actual} tokens, at most {limit} allowed"
            return passed(self, said, self.limit, actual)
        return failed(self, f"{actual} tokens, more than {limit}", self.limit, actual)
