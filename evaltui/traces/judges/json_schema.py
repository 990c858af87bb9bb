"""`json_schema`: the final output is JSON, and as the whole of JSON Schema has it."""

from collections.abc import Iterable

from evaltui.core.case import TraceCase
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json
from evaltui.core.key_path import format_key
from evaltui.core.same_json import canonical
from evaltui.core.verdict import Verdict
from evaltui.evaluators.config_schema import schema_of
from evaltui.traces.final_output import final_output
from evaltui.traces.judges.judge import NO_OUTPUT, Judge

MOST = 20
"""Of the things that break a schema, so many are told."""


class JsonSchemaJudge(Judge):
    name = "json_schema"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        return [case.json_schema] if case.json_schema else ()

    def judge(self, case: TraceCase) -> Verdict:
        if not case.json_schema:
            return self.skipped("no JSON schema")
        output = final_output(case)
        if output is None:
            return self.failed(NO_OUTPUT, category="agent_error")
        if isinstance(output, str):
            try:
                output = decode_json(output)
            except (ValueError, RecursionError) as error:
                reason = "final output is not valid JSON"
                return self.failed(reason, {"error": str(error)}, category="parse_error")
        try:
            schema = schema_of(canonical(case.json_schema))
            broken = sorted((format_key(one.path), one.what) for one in schema.mistakes(output))
        except ValueError as error:
            return self.failed(f"the schema {error}", {"error": str(error)}, category="parse_error")
        if not broken:
            return self.passed("JSON schema satisfied", {"errors": []})
        errors = [f"{place}: {what}" if place else what for place, what in broken[:MOST]]
        return self.failed("json schema mismatch", {"errors": errors}, category="type_error")
