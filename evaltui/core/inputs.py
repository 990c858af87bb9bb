"""What one result depends on, as fingerprints."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolDefinition, ToolRegistry


class Inputs(Struct, frozen=True, gc=False):
    """Fingerprints (12 hex digits) of everything that shaped one result.

    Two steps made it: somebody was asked, then the answer was judged. Most of them shape the
    answer; some only the verdict, since tokens are resolved when an answer is judged, but for what
    `answer` holds of `case`. What each of them bears on is declared in `bearing.py`. Mappings are
    shared between cases that have equal ones, but `called`. Results of older versions lack `answer`
    and all from `rules` on: what these inputs were is then unknown.
    """

    case: str = ""
    """All of the case that counts, whichever step it shapes; empty when nothing is known."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """`<tool>.<field>` for every tool that the case or its suite mentions."""
    registry: str = ""
    """All tools that are not mentioned, or those that can shape the answer; empty when unknown."""
    seed: Mapping[str, str] = field(default_factory=dict)
    """By token path, e.g. `totals.portfolioValue`."""
    agent: str = ""
    """Of its settings, with most agents also of the files it is made of."""
    checks: Mapping[str, str] = field(default_factory=dict)
    """What judging depends on besides the case: by setting or type of evaluator."""
    answer: str = ""
    """What of the case the agent was given. Empty when a new verdict takes a new answer: the case
    compares with live values, or the agent sees its verdicts; or it is unknown."""
    rules: str = ""
    """The version of the rules of judging."""
    called: Mapping[str, str] = field(default_factory=dict)
    """By name, of the tools that the agent called although the case does not mention them."""
    settings: Mapping[str, int] = field(default_factory=dict)
    """`timeoutMs` and `trials`, as they were asked for."""
    all_tools: str = ""
    """Of the whole registry: what each of its tools was is kept under it, once."""
    agent_files: str = ""
    """Of the files that the agent is made of, where `agent` does not hold them. Empty: of none, or
    it is unknown whether those of now are those of the result that it is compared with."""
    variables: str = ""
    """Of what variables in the agent's options stand for, as `Asked.variables`; empty: of nothing,
    or it is unknown."""
    live: str = ""
    """Of the file of live values it was judged with, or of those of the program that told them;
    empty: of another source, or unknown."""
    shown: str | None = None
    """Which tools an agent that can tell weighed for the answer, and what it read of each: a
    `weighed_text`. `None`: it cannot tell, or did not answer."""
    player: str = ""
    """Which model played the user, and by which wording; empty where none did, or it is unknown."""
    other_files: str = ""
    """Of the files of the project that the agent may be made of besides; empty: those of the agent
    are all known, or it is unknown."""
    evaluator_files: str = ""
    """The same for evaluators of the case that are programs."""


OF_EVALUATOR = "evaluator "
"""What the names of `checks` that tell an evaluator's files begin with; its type follows."""


def unmentioned(
    calls: Iterable[ToolCall], registry: ToolRegistry, inputs: Inputs
) -> Iterator[ToolDefinition]:
    """The tools that were called although neither the case nor its suite mentions them."""
    for call in calls:
        tool = registry.get(call.name)
        if tool is not None and f"{tool.name}.description" not in inputs.tools:
            yield tool
