"""Azure AI Foundry: as OpenAI's, or the steps of an agent."""

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers import openai
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = openai.KEYS | {"steps", "azureml", "trace", "run_id", "thread_id", "agent_id"}


def claims(record: JsonObject) -> bool:
    if isinstance(record.get("steps"), list) or "azureml" in record:
        return True
    metadata = record.get("metadata")
    return isinstance(metadata, dict) and any(key.startswith("azureml") for key in metadata)


def read(record: Part, trace: TraceBuilder) -> None:
    openai.read(record, trace)
    if not trace.events:
        for step in trace.parts(record, "steps"):
            read_step(step, trace)
        trace.usage_of_all(trace.used(record, "usage"))
        trace.mark({}, record.latency_ms)
