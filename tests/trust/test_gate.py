"""No place of the package starts a program, asks the network or fills in a variable unseen."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import evaltui
from evaltui.project.trust import grants_in_use
from evaltui.settings.load import load_config
from tests.sample_project import SAMPLES

PACKAGE = Path(evaltui.__file__).parent

STARTS = re.compile(
    r"(subprocess\.(Popen|run|call|check_call|check_output)|os\.(system|popen|exec\w+|spawn\w+|"
    r"posix_spawn\w*|startfile)|\w*subprocess_(exec|shell)|multiprocessing\.\w+|(Line)?Child\.start|ask_once|"
    r"StdioServerParameters|stdio_client|runpy\.\w+|pty\.\w+|exec|eval|ProcessPoolExecutor)"
)
ASKS = re.compile(
    r"((httpx2?|aiohttp)\.\w+|requests\.(request|get|post|put|patch|delete|head|options|[A-Z]\w+)|"
    r"urlopen|urllib\.request\.\w+|.*create_connection|"
    r".*open_connection|.*create_datagram_endpoint|.*sock_connect|make_client|ApiClient|HttpClient|"
    r"sse_client|streamable_http_client|websockets\.\w+|http\.client\.\w+)"
)
FILLS = re.compile(r"(SecretResolver|SecretSources|project_secrets)")

MACHINERY = {
    "child/lines.py", "child/once.py", "child/process.py", "net/api_client.py",
    "net/limited_stream.py", "net/watched_transport.py", "registries/mcp/limited_answers.py",
}  # fmt: skip
"""They do what those below ask them."""
AGENTS = {
    "agents/command.py", "agents/command_options.py", "agents/http/agent.py",
    "agents/http/http_options.py", "agents/keyless.py", "agents/http/lean_client.py",
    "agents/langgraph.py",
    "agents/models/api_agent.py", "agents/models/api_model.py", "agents/python_function.py",
}  # fmt: skip
"""Made by `make_agent` alone."""
SOURCES = {"registries/mcp/transport.py", "registries/python_source.py"}
"""Read by a `RegistryReader` alone, with its permit."""
EVALUATORS = {
    "evaluators/describing.py", "evaluators/handshake.py", "evaluators/one_shot.py",
}  # fmt: skip
"""Loaded by an `EvaluatorLoader` alone, which is given those that were agreed to."""
JUDGES = {"traces/judges/lean.py", "traces/judges/plugin.py", "traces/repair_loop.py"}
"""Of traces: their commands were typed, or `cli/pack_trust.py` was asked about the pack and about
judges that are code."""
OURS = {
    "expectations/pattern_process.py": "a child of ours that matches patterns, and nothing else",
    "child/watchdog.py": "a child of ours that ends those of others, and nothing else",
    "evidence/otel/collector_session.py": "what answers `otel/sending.py`, which has a permit",
    "disk/git_process.py": "git, kept from starting anything that a repository names",
    "tui/editor.py": "the person's own $EDITOR, when a key asks for it",
}
OTHERS = {"runner/snapshot.py", "registries/mcp/reader.py", "registries/reader.py"}
"""Behind the gate, or without secrets until they are given some."""
GATE = "project/gate.py"
HELD = (
    MACHINERY
    | AGENTS
    | SOURCES
    | EVALUATORS
    | JUDGES
    | OURS.keys()
    | OTHERS
    | {GATE, "net/secret_mask.py"}
    # Fills in for a fingerprint alone: what files of a project make of a command is agreed to.
    # So does `make_agent`, once the agent is made, which fills in the same.
    | {"net/secret_sources.py", "agents/__init__.py"}
)


pytestmark = pytest.mark.xdist_group("calls")  # one process knows them for all


def modules() -> dict[str, Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): path for path in found}


@cache
def calls() -> dict[str, set[str]]:
    """For each module the names of all that is called in it, as they are written."""
    trees = {name: ast.parse(path.read_bytes()) for name, path in modules().items()}
    return {
        name: {written(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for name, tree in trees.items()
    }


def written(called: ast.expr) -> str:
    """As `ast.unparse` has it, which takes long; most are names with dots between them."""
    match called:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name() | ast.Attribute(), attr=name):
            return f"{written(called.value)}.{name}"
        case _:
            return ast.unparse(called)


@pytest.mark.slow
def test_whatever_reaches_further_is_known_here() -> None:
    reaching = {
        name: hits
        for name, called in calls().items()
        if (hits := {
            call for call in called
            if any(kind.fullmatch(call) for kind in (STARTS, ASKS, FILLS))
        })
    }  # fmt: skip
    unknown = {name: hits for name, hits in reaching.items() if name not in HELD}
    inside_children = {"child/pattern_child.py", "child/inside.py", "child/serve_function.py"}
    assert {name for name in unknown if name not in inside_children} == set(), unknown
    assert reaching.keys() >= {*AGENTS, *SOURCES, *EVALUATORS, *OURS} - {
        "agents/command_options.py"
    }, "the search finds nothing any more"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("make_agent", {"agents/__init__.py"}),
        ("capture_snapshot", {"runner/snapshot.py"}),
        # Of a commit it reads files, without a permit for anything else.
        ("RegistryReader", {"registries/reader.py", "project/commits/tools_at.py"}),
        ("EvaluatorLoader", {"evaluators/loading.py"}),
    ],
)
def test_only_the_gate_makes_what_runs(name: str, own: set[str]) -> None:
    makers = {module for module, called in calls().items() if name in called}
    assert makers - own == {GATE}


@pytest.mark.slow
def test_judges_of_traces_run_only_where_their_commands_were_agreed_to() -> None:
    def who_calls(name: str) -> set[str]:
        return {module for module, called in calls().items() if name in called}

    default = "kinds/__init__.py"  # those by default, which run nothing
    assert who_calls("stage_of") - {default} == {
        "evidence/replaying.py", "evidence/score_suite.py", "evidence/gates/stability.py",
        "cli/run_loop.py",
    }  # fmt: skip
    plugins = {"cli/run_suite.py", "cli/run_loop.py", "cli/stability_check.py"}
    assert who_calls("check_stability") | {"cli/run_suite.py"} <= plugins
    assert plugins - {"cli/run_suite.py"} <= who_calls("agreed_configs")
    assert who_calls("kept_stage") == {"evidence/replaying.py", "evidence/replaying_exec.py"}
    assert who_calls("replay_exec") == {"cli/replay_exec.py"} <= who_calls("require")
    assert who_calls("replay") == {"cli/replay.py"} <= who_calls("require")
    ours = {"cli/run_suite.py", "cli/run_loop.py"}
    assert who_calls("score_suite") - {"evidence/cluster.py"} == ours <= who_calls("remember")
    assert who_calls("score_on_cluster") == {"cli/run_suite.py"}


def test_nobody_outside_makes_an_agent_of_one_kind() -> None:
    kinds = re.compile(
        r"evaltui\.agents\.(command|python_function|langgraph|http|models)\b.* import .*\bmake"
    )
    users = {
        name
        for name, path in modules().items()
        if not name.startswith("agents/") and kinds.search(path.read_text())
    }
    assert users == set()


def test_the_demo_asks_for_nothing() -> None:
    assert grants_in_use(load_config(SAMPLES).config) == ()
