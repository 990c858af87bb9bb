"""Contents of Gemini: the texts, calls and results that somebody said, made or gave back."""

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.gemini_calls import CALL, arguments_of, is_unfinished
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder

_CODE = "code_execution"
"""Gemini's own tool, whose calls and results are parts of other names."""
_SEARCH = "google_search"


def read_content(content: Part, trace: TraceBuilder, role: str) -> None:
    """Texts that follow each other are one message; thoughts are left out."""
    role = content.text("role") or role
    if "parts" not in content.value and content.value.keys() - {"role"}:
        trace.note("not_told", "what a content says", content.path)
    pending: list[JsonObject] = []
    for part in trace.parts(content, "parts"):
        call = part.part(*CALL)
        result = part.part("functionResponse", "function_response")
        code = part.part("executableCode", "executable_code")
        output = part.part("codeExecutionResult", "code_execution_result")
        if not any(one.value for one in (call, result, code, output)):
            if part.value.get("thought") is not True:
                pending.append(part.value)
            continue
        if pending:
            trace.says(role, [*pending], content)
            pending.clear()
        if call.value:
            _read_call(call, trace)
        elif code.value:
            made = {key: code.value.get(key) for key in ("code", "language")}
            trace.call(_CODE, made, code, code.text("id"))
        elif output.value:
            _read_output(output, trace)
        else:
            _read_result(result, trace)
    if pending:
        trace.says(role, pending, content)


def read_search(candidate: Part, trace: TraceBuilder) -> None:
    """The search in the web that an answer is grounded in, which Gemini did itself."""
    about = candidate.part("groundingMetadata", "grounding_metadata")
    queries = about.first("webSearchQueries", "web_search_queries")
    if queries:
        trace.call(_SEARCH, {"queries": queries}, about)
        found = about.first("groundingChunks", "grounding_chunks")
        trace.result(found, about, tool=_SEARCH)


def _read_call(call: Part, trace: TraceBuilder) -> None:
    name = call.text("name")
    try:
        made = arguments_of(call)
    except ValueError:
        trace.note("not_told", f"what `{name}` was called with: its pieces do not fit", call.path)
        made = None
    if name and is_unfinished(call):
        trace.note("not_told", f"the end of what `{name}` was called with", call.path)
    trace.call(name, made, call, call.text("id"))


def _read_result(result: Part, trace: TraceBuilder) -> None:
    if result.value.get("parts"):
        trace.note("dropped_content", "what a tool gave back beside its response", result.path)
    response = result.value.get("response")
    error = result.part("response").error
    trace.result(response, result, tool=result.text("name"), call_id=result.text("id"), error=error)


def _read_output(output: Part, trace: TraceBuilder) -> None:
    outcome = output.text("outcome")
    error = f"the tool ended {outcome}" if outcome not in ("", "OUTCOME_OK") else None
    trace.result(
        output.value.get("output"), output, tool=_CODE, call_id=output.text("id"), error=error
    )
