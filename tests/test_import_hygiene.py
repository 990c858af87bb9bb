"""What a command must not load before it needs it (the static import graph can't see this)."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import evaltui

pytestmark = pytest.mark.xdist_group("imports")  # one process knows what each import loads

LOADED = "import sys; print('\\n'.join(sorted(sys.modules)))"


def modules_after(statement: str) -> set[str]:
    """Top-level and dotted names of everything loaded by `statement` in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}; {LOADED}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


loaded_by = cache(modules_after)
"""The same for a statement that does nothing but load."""


@pytest.mark.parametrize("heavy", ["textual", "rich", "httpx", "aiohttp", "pydantic", "watchfiles"])
def test_the_session_loads_nothing_heavy(heavy: str) -> None:
    assert heavy not in loaded_by("import evaltui.session.session")


@pytest.mark.parametrize(
    "heavy",
    ["evaltui.session", "evaltui.project", "evaltui.expectations", "pydantic", "httpx", "wcwidth"],
)
def test_the_first_frame_waits_for_nothing_that_runs_cases(heavy: str) -> None:
    statement = "import evaltui.tui.start, evaltui.tui.sessions.offline_session"
    assert heavy not in loaded_by(statement)


@pytest.mark.parametrize("models", ["formats.contract_model", "formats.scenario_model"])
def test_the_models_of_eval_files_have_no_signature_parsed(models: str) -> None:
    """That compiles a pattern for the whole of Python's grammar, a sixth of what they cost."""
    loaded = modules_after(
        "import tokenize; parsed = []; parse = tokenize.tokenize;"
        "tokenize.tokenize = lambda readline: parsed.append(1) or parse(readline);"
        f"import evaltui.{models} as models; assert models and not parsed"
    )
    assert "pydantic" in loaded


@pytest.mark.parametrize(
    "module", ["core.secret_name", "expectations.utf16_pattern", "reporters.ansi"]
)
def test_what_few_texts_need_is_not_compiled_before_one_does(module: str) -> None:
    statement = (
        "import re, sys; compiled = []; make = re.compile;"
        "note = lambda: compiled.append(sys._getframe(2).f_globals['__name__']);"
        "re.compile = lambda *how: note() or make(*how);"
        f"import evaltui.{module}; assert 'evaltui.{module}' not in compiled"
    )
    assert f"evaltui.{module}" in modules_after(statement)


@pytest.mark.parametrize(
    "heavy",
    [
        *("hashlib", "json", "evaltui.disk.atomic", "evaltui.disk.results"),
        *("evaltui.disk.history.history_insert", "evaltui.disk.history.shared_inputs"),
    ],
)
def test_the_last_results_and_mutes_are_read_without(heavy: str) -> None:
    reading = "import evaltui.disk.history.first_results, evaltui.disk.mutes"
    assert heavy not in loaded_by(reading)


PAINTED = "painted:"
FIRST_FRAME = """
import io, sys
from textual.app import App
from evaltui.cli import dashboard
from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.tui.layout import PaneLayout
loads, painted = [], set()
def load_session(*_, **__):
    loads.append("a frame was painted")
    raise UserError("That is enough.")
mount = PaneLayout.mount_detail_panes
def note(layout):
    painted.update(sys.modules)
    return mount(layout)
PaneLayout.mount_detail_panes = note
class Terminal(io.StringIO):
    def isatty(self):
        return True
run, dashboard._load_session = App.run, load_session
App.run = lambda app: run(app, headless=True)
outside, sys.stdout, sys.stdin = sys.stdout, Terminal(), Terminal()
code = run_command({arguments!r})
sys.stdout = outside
assert (code, len(loads)) == (2, 1), code
print(*("painted:" + name for name in painted))
"""


@pytest.mark.parametrize(
    "flags",
    [
        ("--theme", "light", "--timeout-ms", "900", "--agent", "strict"),
        *(
            pytest.param(flags, marks=pytest.mark.slow)
            for flags in (
                (),
                ("--agent", "http://127.0.0.1:9/chat", "--registry", "tools.json"),
                ("--replay", "run.jsonl"),
            )
        ),
    ],
)
def test_the_first_frame_waits_for_no_settings(
    flags: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_text("")
    (tmp_path / "evaltui.toml").write_text('theme = "light"\n[agents.strict]\ncall_at = 0.6\n')
    (tmp_path / ".evaltui").mkdir()
    (tmp_path / ".evaltui" / "screen.json").write_text('{"theme": "light", "keys": {}}')
    loaded = modules_after(f"{FIRST_FRAME.format(arguments=[*flags])}pass")
    assert "evaltui.tui.screens.dashboard" in loaded
    heavy = {"pydantic", "pydantic_core", "evaltui.session", "evaltui.settings.load"}
    heavy |= {"evaltui.settings.source", "evaltui.json_text", "hashlib", "shlex"}
    heavy |= {"evaltui.core.statistics.proven", "evaltui.core.statistics.e_value"}
    assert not heavy & loaded
    painted = {name.removeprefix(PAINTED) for name in loaded if name.startswith(PAINTED)}
    assert "evaltui.tui.screens.dashboard" in painted
    later = {"evaltui.tui.panes.detail_pages"}
    if "--replay" not in flags:  # all of a recorded run is there, and so is what can be done
        later.add("evaltui.tui.actions")
    later |= {f"evaltui.tui.sessions.{kind}_session" for kind in ("past", "pack")}
    assert [*later & painted] == []


@pytest.mark.parametrize(
    "heavy", ["asyncio", "argparse", "pydantic_core", "textual", "json", "typing", "re"]
)
def test_the_version_needs_nothing(heavy: str) -> None:
    ask = "import sys; sys.argv = ['evaltui', '--version']"
    statement = f"{ask}; import evaltui.__main__ as m; m.main()"
    assert heavy not in loaded_by(statement)


def test_the_package_itself_is_lazy() -> None:
    assert "evaltui.core" not in loaded_by("import evaltui")


@pytest.fixture(scope="module")
def loaded_by_check(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What `check` of a project loads that is tested with the embedded agent."""
    root = tmp_path_factory.mktemp("checked")
    (root / "tools.json").write_text('[{"name": "get_weather", "description": "Weather."}]')
    (root / "evaltui.toml").write_text('registry = "tools.json"\nagent = "embedded"\n')
    (root / "evals").mkdir()
    (root / "evals" / "a.golden.json").write_text(
        '{"metadata": {"toolName": "get_weather"}, "cases": ['
        '{"id": "gs-a-001", "input": {"message": "hi"}, "expect": {"responseNonEmpty": true}}]}'
    )
    return modules_after(
        "import io, sys; out, sys.stdout = sys.stdout, io.StringIO();"
        "from evaltui.cli.main import run_command;"
        f"code = run_command(['check', '-C', {str(root)!r}]);"
        "sys.stdout = out; assert code == 0, code"
    )


@pytest.mark.parametrize(
    "unasked",
    ["asyncio", "subprocess", "evaltui.agents.embedded.route", "evaltui.agents.embedded.index"],
)
def test_checking_loads_nothing_that_asks_an_agent(unasked: str, loaded_by_check: set[str]) -> None:
    assert "evaltui.agents.embedded.model" in loaded_by_check
    assert unasked not in loaded_by_check


@pytest.fixture(scope="module")
def loaded_by_a_run(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the second run of one case by an HTTP agent loads: there are results to restore."""
    root = tmp_path_factory.mktemp("small")
    (root / "tools.json").write_text('[{"name": "get_weather", "description": "Weather."}]')
    (root / "evals").mkdir()
    (root / "evals" / "a.golden.json").write_text(
        '{"metadata": {"toolName": "get_weather"}, "cases": ['
        '{"id": "gs-a-001", "input": {"message": "hi"}, "expect": {"responseNonEmpty": true}}]}'
    )
    flags = ["run", "-C", str(root), "--agent", "http://127.0.0.1:9/chat", "--fail-on", "never"]
    statement = (
        "import io, sys; out, sys.stdout = sys.stdout, io.StringIO();"
        "from evaltui.cli.main import run_command;"
        f"code = run_command({[*flags, '--registry', 'tools.json']!r});"
        "sys.stdout = out; assert code == 0, code"
    )
    modules_after(statement)
    return modules_after(statement)


@pytest.mark.parametrize(
    "rare",
    [
        "tree_sitter",
        "tree_sitter_json",
        "shlex",
        "statistics",
        "urllib.request",
        "evaltui.runner.snapshot",
        "evaltui.formats.editing",
        "evaltui.formats.scenario_model",
        "evaltui.settings.evalstudio.evalstudio_model",
        "evaltui.agents.embedded",
        "evaltui.agents.recordings.recorder",
        "evaltui.evaluators.built_in",
        "evaltui.evaluators.kit",
        "evaltui.registries.typescript",
        "evaltui.reporters.junit",
        "evaltui.watch",
        "evaltui.traces",
        "evaltui.evidence",
        "evaltui.expectations.utf16_pattern",
        "wcwidth",
    ],
)
def test_a_small_run_over_http_leaves_out_what_is_rare(
    rare: str, loaded_by_a_run: set[str]
) -> None:
    assert "evaltui.agents.http.agent" in loaded_by_a_run
    assert rare not in loaded_by_a_run


@pytest.mark.parametrize("heavy", ["starlette", "uvicorn", "evaltui.api"])
def test_only_serving_loads_a_server(heavy: str, loaded_by_a_run: set[str]) -> None:
    assert heavy not in loaded_by_a_run
    assert heavy not in loaded_by("import evaltui.cli.serve, evaltui.cli.parser")


@pytest.mark.parametrize("heavy", ["pydantic_core", "textual", "httpx", "asyncio", "tree_sitter"])
@pytest.mark.parametrize("command", ["import_trace", "import_framework"])
def test_importing_traces_loads_nothing_heavy(command: str, heavy: str) -> None:
    assert heavy not in loaded_by(f"import evaltui.cli.{command}, evaltui.cli.parser")


def test_the_names_of_the_package_are_those_that_checkers_are_told_of() -> None:
    tree = ast.parse(Path(evaltui.__file__).read_text(encoding="utf-8"))
    told = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("evaltui.")
        for alias in node.names
    }
    assert len(told) > 15
    for name, module in told.items():
        assert getattr(evaltui, name) is getattr(import_module(str(module)), name)
    with pytest.raises(AttributeError, match="has no attribute `evaluator`"):
        getattr(evaltui, "evaluator")  # noqa: B009


def test_the_package_alone_imports_nothing_of_it() -> None:
    assert {name for name in loaded_by("import evaltui") if "evaltui" in name} == {"evaltui"}


def test_no_other_module_answers_for_names_that_it_does_not_have() -> None:
    own = Path(evaltui.__file__)
    asking = re.compile(r"def __getattr(ibute)?__\(")
    found = {path for path in own.parent.rglob("*.py") if asking.search(path.read_text("utf-8"))}
    assert found == {own}
