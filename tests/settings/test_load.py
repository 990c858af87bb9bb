"""Settings from files and flags."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.core.config import (
    AgentProfile,
    Config,
    RegistrySource,
    RegressionsConfig,
    WatchConfig,
)
from evaltui.core.errors import Severity
from evaltui.settings.load import ReadConfig, load_config
from evaltui.settings.model import Settings
from evaltui.settings.spelling import camel_case

FULL = """
evals = ["evals/*.json"]
registry = "tools/tools.exports.ts"
agent = ["mine", "embedded"]
seed_manifest_path = "seed.json"
output_dir = "out"
concurrency = 4
timeout_ms = 1_000
call_at = 0.5
fail_on = "regressions"
theme = "light"

[agents.mine]
type = "http"
url = "http://localhost:1/chat"
headers = { Authorization = "Bearer ${TOKEN}" }

[agents.other]
url = "http://localhost:2/chat"

[[registries]]
type = "json"
path = "more.json"
pointer = "/tools"

[watch]
poll = true

[keys]
preset = "vitest"
"run.all" = "f5"

[mute]
"evals/a.json::b" = "flaky upstream"
"""


def load(folder: Path, toml: str = "", **flags: Any) -> ReadConfig:
    (folder / "evaltui.toml").write_text(toml)
    return load_config(folder, flags)


def test_nothing_at_all_gives_the_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path, {}) == ReadConfig(Config(tmp_path))


def test_what_is_no_utf_8_is_told_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_bytes(b"trials = 2\ntheme = '\xff'\n")
    (problem,) = load_config(tmp_path).problems
    assert (problem.file, problem.line, problem.column) == ("evaltui.toml", 2, 10)


def test_every_kind_of_setting(tmp_path: Path) -> None:
    read = load(tmp_path, FULL)
    assert read.problems == ()
    config = read.config
    mine = AgentProfile(
        "mine",
        "http",
        {"url": "http://localhost:1/chat", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    )
    assert config.agents == (mine, AgentProfile(options={"call_at": 0.5}))
    assert config.profiles["other"].type == "http"
    assert config.registries == (
        RegistrySource(location="tools/tools.exports.ts"),
        RegistrySource("json", "more.json", {"pointer": "/tools"}, "registries"),
    )
    assert (config.concurrency, config.timeout_ms, config.call_at) == (4, 1000, 0.5)
    assert config.fail_on == ("regressions",)
    assert config.watch == WatchConfig(poll=True)
    assert (config.keys, config.keys_preset) == ({"run.all": "f5"}, "vitest")
    assert config.mutes == {"evals/a.json::b": "flaky upstream"}
    assert (config.root, config.file) == (tmp_path, "evaltui.toml")
    assert config.theme == "light"


def test_contract_json(tmp_path: Path) -> None:
    contract = {
        "agentEndpoint": "http://user:pw@localhost:3000/chat?key=1",
        "seedManifestPath": "evals/seed-manifest.json",
        "snapshotEnabled": False,
        "outputDir": "evals/results/",
        "baselineRunId": None,
        "concurrency": 1,
        "timeoutMs": 60000,
        "toolRegistryPath": "tools/tools.exports.ts",
    }
    (tmp_path / "evaltui.config.json").write_text(json.dumps(contract))
    read = load_config(tmp_path, {})
    assert read.problems == ()
    (agent,) = read.config.agents
    assert agent.name == "http://localhost:3000/chat", "no secret in a name"
    assert (agent.type, agent.options) == ("http", {"url": contract["agentEndpoint"]})
    named = RegistrySource(location="tools/tools.exports.ts", key="toolRegistryPath")
    assert read.config.registries == (named,)
    assert read.config.baseline_run_id is None


def test_pyproject_and_walking_up_to_the_repository(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text("trials = 9")
    project = tmp_path / "project"
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    (project / "pyproject.toml").write_text("[project]\nname='x'\n[tool.evaltui]\ntrials = 3\n")
    assert load_config(deep, {}).config == Config(deep), "without .git only the folder itself"
    (project / ".git").mkdir()
    read = load_config(deep, {})
    assert (read.config.root, read.config.file, read.config.trials) == (
        project,
        "pyproject.toml",
        3,
    )
    (project / "pyproject.toml").write_text("[project]\nname='x'\n")
    assert load_config(deep, {}).config == Config(deep), "never above the repository"


def test_settings_beside_those_that_count_are_told(tmp_path: Path) -> None:
    (tmp_path / "evaltui.config.json").write_text('{"trials": 3}', "utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    (tmp_path / "evalstudio.config.json").write_text('{"version": 3}', "utf-8")
    read = load_config(tmp_path)
    assert (read.problems, read.config.trials) == ((), 3)
    (tmp_path / "evaltui.toml").write_text("trials = 2\n", "utf-8")
    read = load_config(tmp_path)
    (told,) = read.problems
    assert (told.file, told.severity) == ("evaltui.config.json", Severity.WARNING)
    assert "`evaltui.toml`" in told.what
    (tmp_path / "pyproject.toml").write_text("[tool.evaltui]\ntrials = 4\n", "utf-8")
    assert len(load_config(tmp_path).problems) == 2
    assert load_config(tmp_path, {"config": tmp_path / "evaltui.toml"}).problems == ()


def test_other_tools_settings_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "forge.config.json").write_text('{"toolsDir": "x", "outputDir": "out"}')
    read = load_config(tmp_path, {})
    assert (read.problems, read.config.output_dir) == ((), "out")


def test_wrong_values_are_named_and_the_rest_counts(tmp_path: Path) -> None:
    text = 'trials = 2\n\n# c\nconcurrency = 0\ntimeuot_ms = 5\n[watch]\npoll = "yes"\n'
    read = load(tmp_path, text)
    found = {problem.key: problem for problem in read.problems}
    assert found["concurrency"].line == 4
    assert "from 1 to" in found["concurrency"].what
    assert found["timeuot_ms"].severity is Severity.WARNING
    assert found["timeuot_ms"].hint == "Did you mean `timeout_ms`?"
    assert (found["watch.poll"].line, found["watch.poll"].column) == (7, 1)
    assert (read.config.trials, read.config.concurrency) == (2, 1)


def test_places_in_json(tmp_path: Path) -> None:
    (tmp_path / "evaltui.config.json").write_text('{\n "timeoutMs": "x",\n "conurrency": 2}')
    read = load_config(tmp_path, {})
    assert [(each.key, each.line) for each in read.problems] == [
        ("timeoutMs", 2),
        ("conurrency", 3),
    ]
    assert "`concurrency`" in read.problems[1].hint


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("evaltui.toml", "trials = 1\nconcurrency = = 2\n", 2),
        ("evaltui.toml", "trials = [", 1),
        ("evaltui.config.json", '{"trials":\n', 1),
        ("evaltui.config.json", "[]", 1),
        ("pyproject.toml", "[tool.evaltui\n", 1),
    ],
)
def test_a_broken_file_leaves_the_last_good_settings(
    tmp_path: Path, name: str, text: str, line: int
) -> None:
    (tmp_path / name).write_text(text)
    before = Config(tmp_path, trials=7)
    read = load_config(tmp_path, {}, before)
    assert read.config is before
    (problem,) = read.problems
    assert (problem.file, problem.line, problem.severity) == (name, line, Severity.ERROR)
    first = load_config(tmp_path, {"trials": 3}).config
    assert first == Config(tmp_path, name, trials=3, is_unread=True)


def test_of_a_wrong_value_the_one_before_stays(tmp_path: Path) -> None:
    before = load(tmp_path, "concurrency = 8\ntrials = 2").config
    (tmp_path / "evaltui.toml").write_text("concurrency = -1\n")
    config = load_config(tmp_path, {}, before).config
    assert (config.concurrency, config.trials) == (8, 1)


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    config = load(tmp_path, FULL, concurrency=9, timeout_ms=None, agent="other").config
    assert (config.concurrency, config.timeout_ms) == (9, 1000)
    assert [agent.name for agent in config.agents] == ["other"]
    config = load(tmp_path, FULL, agent="embedded", registry="tools.json").config
    assert config.agents == (AgentProfile(options={"call_at": 0.5}),)
    assert [source.location for source in config.registries] == ["tools.json"]


def test_a_flag_wins_over_a_wrong_value_of_the_file(tmp_path: Path) -> None:
    before = load(tmp_path, "concurrency = 8").config
    (tmp_path / "evaltui.toml").write_text("concurrency = -1")
    assert load_config(tmp_path, {"concurrency": 3}, before).config.concurrency == 3


def test_the_rest_of_a_table_with_a_wrong_value_counts(tmp_path: Path) -> None:
    before = load(tmp_path, "[watch]\ndebounce_ms = 7").config
    (tmp_path / "evaltui.toml").write_text('[watch]\ndebounce_ms = 5\npoll = "yes"')
    assert load_config(tmp_path, {}, before).config.watch == WatchConfig(debounce_ms=5)


def test_what_proves_a_regression_is_a_table(tmp_path: Path) -> None:
    text = '[regressions]\nconfirm = "auto"\nalpha = 0.05'
    found = load(tmp_path, text).config.regressions
    assert found == RegressionsConfig(confirm="auto", alpha=0.05)
    assert load(tmp_path, "").config.regressions.confirm == "ask"


@pytest.mark.parametrize("text", ["alpha = 0", "alpha = 1.5", "max_trials = 0", 'confirm = "yes"'])
def test_what_could_prove_nothing_is_a_mistake(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, f"[regressions]\n{text}").problems


def test_an_agent_by_name_wins_over_an_endpoint_unless_that_is_the_flag(tmp_path: Path) -> None:
    text = 'agent = "embedded"\nagent_endpoint = "http://localhost:1/a"'
    assert [each.type for each in load(tmp_path, text).config.agents] == ["embedded"]
    flags = {"agent_endpoint": "http://localhost:2/b"}
    assert [each.name for each in load(tmp_path, text, **flags).config.agents] == [
        "http://localhost:2/b"
    ]


def test_limits_of_a_profile_are_its_own(tmp_path: Path) -> None:
    text = "[agents.a]\nmax_cost_usd = 2\nmax_requests_per_minute = 30\nurl = 'http://x'"
    (agent,) = load(tmp_path, text).config.agents
    assert (agent.max_cost_usd, agent.max_requests_per_minute) == (2, 30)
    assert agent.options == {"url": "http://x"}


def test_the_first_location_of_a_source_counts(tmp_path: Path) -> None:
    table = "[[registries]]\nurl = 'http://x'\npath = 'a.json'\n[[registries]]\ncommand = 'c'"
    found = load(tmp_path, table).config.registries
    assert [each.location for each in found] == ["a.json", "c"]


def test_a_source_that_nothing_is_left_of_is_left_out(tmp_path: Path) -> None:
    table = {"registries": [5, {"type": 5}, {"path": "x"}, {"type": "json"}]}
    (tmp_path / "evaltui.config.json").write_text(json.dumps(table))
    read = load_config(tmp_path)
    assert [each.location for each in read.config.registries] == ["x"]
    assert [problem.key for problem in read.problems] == [
        "registries[0]", "registries[1].type", "registries[3]",
    ]  # fmt: skip


def test_in_another_programs_file_our_own_tables_are_ours(tmp_path: Path) -> None:
    (tmp_path / "forge.config.json").write_text('{"x": 1, "watch": {"pol": true}}')
    assert [problem.key for problem in load_config(tmp_path).problems] == ["watch.pol"]


def test_agent_by_url_and_unknown_agents(tmp_path: Path) -> None:
    config = load(tmp_path, FULL, agent="http://localhost:9/x").config
    assert config.agents[0].options == {"url": "http://localhost:9/x"}
    read = load(tmp_path, FULL, agent="othr")
    (problem,) = read.problems
    assert (problem.key, problem.hint) == ("--agent", "Did you mean `other`?")


def test_paths_in_flags_are_seen_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "sub"
    inner.mkdir()
    (inner / "a.json").write_text("[]")
    (inner / "seed.json").write_text("{}")
    (tmp_path / "evaltui.toml").write_text("")
    monkeypatch.chdir(inner)
    flags = {"evals": ("a.json", "x/*.json"), "seed": "seed.json", "snapshot": "python snap.py"}
    config = load_config(inner, flags).config
    assert config.root == tmp_path
    assert config.evals == ("sub/a.json", "sub/x/*.json")
    assert config.seed_manifest_path == "sub/seed.json"
    assert (config.snapshot, config.snapshot_enabled) == ("python snap.py", True)


def test_named_settings_file(tmp_path: Path) -> None:
    other = tmp_path / "conf" / "mine.toml"
    other.parent.mkdir()
    other.write_text("trials = 4")
    config = load_config(tmp_path, {"config": str(other)}).config
    assert (config.root, config.file, config.trials) == (other.parent, "mine.toml", 4)
    read = load_config(tmp_path, {"config": "nowhere.toml"})
    assert "cannot be read" in read.problems[0].what


def test_secrets_are_not_repeated(tmp_path: Path) -> None:
    read = load(tmp_path, 'agent_endpoint = 5\nsnapshot = ["curl -H s3cret"]')
    assert len(read.problems) == 2
    assert "s3cret" not in "".join(str(problem) for problem in read.problems)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text() | st.builds(lambda n: FULL[:n], st.integers(0, len(FULL))))
def test_any_text_is_survived(tmp_path: Path, text: str) -> None:
    (tmp_path / "evaltui.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert isinstance(load_config(tmp_path, {}).config, Config)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
NESTED = {
    "registries": st.lists(
        st.dictionaries(st.sampled_from(["path", "url", "type", "x"]), JSON) | JSON, max_size=3
    ),
    "agents": st.dictionaries(
        st.text(max_size=3),
        st.dictionaries(st.sampled_from(["type", "url", "maxCostUsd", "x"]), JSON),
    ),
    "watch": st.dictionaries(st.sampled_from(["poll", "debounceMs", "x"]), JSON),
    "keys": st.dictionaries(st.sampled_from(["preset", "run.all"]), JSON),
}
KEYS = sorted({*Settings.model_fields, *map(camel_case, Settings.model_fields), "x"} - {"trials"})
TABLES = st.dictionaries(
    st.sampled_from(KEYS), st.sampled_from(KEYS).flatmap(lambda key: NESTED.get(key, JSON))
) | st.fixed_dictionaries({}, optional=NESTED)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=TABLES)
def test_any_value_in_any_place_is_survived_and_the_rest_counts(
    tmp_path: Path, table: dict[str, Any]
) -> None:
    (tmp_path / "evaltui.config.json").write_text(json.dumps({**table, "trials": 7}, indent=1))
    read = load_config(tmp_path, {})
    assert read.config.agents
    assert read.config.trials == 7
    for problem in read.problems:
        assert problem.line >= 1
        assert problem.file == "evaltui.config.json"
        assert problem.hint


def test_an_editor_is_told_of_the_schema_without_complaint(tmp_path: Path) -> None:
    assert load(tmp_path, '"$schema" = "https://example.com/settings.json"').problems == ()
    (tmp_path / "evaltui.toml").unlink()
    (tmp_path / "evaltui.config.json").write_text('{"$schema": "./s.json", "trials": 2}')
    read = load_config(tmp_path, {})
    assert (read.problems, read.config.trials) == ((), 2)


def test_settings_of_todays_files_stay_in_force(tmp_path: Path) -> None:
    text = 'cassettes = "replay"\ncassette_dir = "tapes"\nseed = "s.json"\nbaseline = "main"\n'
    read = load(tmp_path, text + '[mute]\n"a::b" = "why"\n[keys]\n"run.all" = "ctrl+a"\n')
    config = read.config
    assert read.problems == ()
    assert (config.recordings, config.recording_dir) == ("replay", "tapes")
    assert (config.seed_manifest_path, config.baseline_run_id) == ("s.json", "main")
    assert (config.mutes, config.keys) == ({"a::b": "why"}, {"run.all": "ctrl+a"})


@pytest.mark.parametrize(
    ("named", "profile"), [("embedded/1", "embedded"), ("embedded/1:strict", "strict")]
)
def test_the_embedded_agent_is_known_by_the_name_that_results_give_it(
    tmp_path: Path, named: str, profile: str
) -> None:
    (tmp_path / "evaltui.toml").write_text('[agents.strict]\ntype = "embedded"\n')
    read = load_config(tmp_path, {"agent": [named]})
    assert not read.problems
    assert [agent.name for agent in read.config.agents] == [profile]


@pytest.mark.parametrize("name", ["evaltui.toml", "evaltui.config.json"])
@pytest.mark.parametrize("what", ["pipe", "folder", "loop", "nowhere", "device"])
@pytest.mark.timeout(10)
def test_settings_that_are_no_regular_file_are_said(tmp_path: Path, name: str, what: str) -> None:
    path = tmp_path / name
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to({"loop": name, "nowhere": "gone", "device": "/dev/zero"}[what])
    (problem,) = load_config(tmp_path).problems
    assert (problem.file, problem.severity) == (name, Severity.ERROR)
    assert "cannot be read" in problem.what
    assert "regular file" in problem.hint


def test_a_link_out_of_the_project_is_no_settings_file(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "other.toml").write_text("concurrency = 3\n")
    (root / "evaltui.toml").symlink_to(tmp_path / "other.toml")
    read = load_config(root)
    assert read.config.concurrency != 3
    (problem,) = read.problems
    assert problem.file == "evaltui.toml" and "leads out of the project" in problem.what
    assert load_config(root, {"config": str(root / "evaltui.toml")}).config.concurrency == 3


def test_a_link_within_the_repository_is_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "shared.toml").write_text("concurrency = 3\n")
    (root / "evaltui.toml").symlink_to(tmp_path / "shared.toml")
    assert load_config(root).config.concurrency == 3
