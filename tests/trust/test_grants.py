"""What settings want done is listed, and what of it decides whether it is the same again."""

import json
from pathlib import Path

import pytest

from evaltui.disk.damage import ignore
from evaltui.project.trust import agree, all_grants, grants_in_use, kept_permit, missing_grants
from evaltui.settings.load import load_config

AGENT = 'agent = "mine"\n[agents.mine]\n'
MCP = '{"mcpServers": {"shop": {"command": "node", "args": ["shop.js"], "env": {"K": "${SHOP}"}}}}'

LISTED = [
    ('agent = "embedded"', []),
    ('registry = "tools.ts"\nagent = "embedded"', []),
    ('agent = "http://localhost:3000/chat"', ["sends to http://localhost:3000/chat  (agent)"]),
    ('agent_endpoint = "http://u:pw@h.example/c?key=1"', ["sends to http://h.example/c  (agent)"]),
    (
        AGENT + 'url = "http://h.example/${A}"\nheaders = { X = "b ${B}" }',
        ["sends to http://h.example/${A} with $A, $B  (agents.mine)"],
    ),
    (
        AGENT + 'type = "openai"\nmodel = "m"',
        ["sends to https://api.openai.com/v1 with $OPENAI_API_KEY  (agents.mine)"],
    ),
    (
        AGENT + 'type = "openai"\nmodel = "m"\nbase_url = "https://h.example/v1"',
        ["sends to https://h.example/v1  (agents.mine)"],
    ),
    (
        AGENT + 'type = "anthropic"\nmodel = "m"\nbase_url = "https://h.example"\n'
        'api_key = "${MY_KEY}"\nsystem_file = "../prompt.md"',
        [
            "sends to https://h.example with $MY_KEY  (agents.mine)",
            "reads, outside of the project, `{above}/prompt.md`  (agents.mine)",
        ],
    ),
    (
        AGENT + 'type = "langgraph"\nbase_url = "http://h.example"\nconfigurable = { k = "${K}" }',
        ["sends to http://h.example with $K  (agents.mine)"],
    ),
    (
        AGENT + 'type = "command"\ncommand = ["node", "a b.js"]\nis_free = true\n'
        'env = { T = "${TOKEN}" }',
        ["runs `node 'a b.js'` in `.`, where T=*** with $TOKEN  (agents.mine)"],
    ),
    (AGENT + 'type = "python"\nfunction = "a.py:f"', ["runs Python `a.py:f`  (agents.mine)"]),
    (
        AGENT + 'type = "python"\nfunction = "a.py:f"\npython = "bin/py"',
        ["runs Python `a.py:f` in `bin/py`  (agents.mine)"],
    ),
    ('registry = "tools.py"', ["runs Python `tools.py`  (registry)"]),
    (
        '[[registries]]\ntype = "mcp"\ncommand = "uvx thing"\nprefix = "p"',
        ["runs `uvx thing`  (MCP server thing)"],
    ),
    (
        '[[registries]]\ntype = "mcp"\nurl = "http://h.example/mcp"\nheaders = { K = "${K}" }',
        ["sends to http://h.example/mcp with $K  (MCP server h.example)"],
    ),
    (
        'registry = "mcp.json"',
        ["runs `node shop.js`, where K=*** with $SHOP  (MCP server shop)"],
    ),
    ('registry = "../tools.ts"', [
        "reads, outside of the project, `{above}/tools.ts`  (registry)",
    ]),
    ('tool_registry_path = "../tools.ts"', [
        "reads, outside of the project, `{above}/tools.ts`  (tool_registry_path)",
    ]),
    ('[[registries]]\npath = "../tools.ts"', [
        "reads, outside of the project, `{above}/tools.ts`  (registries)",
    ]),
    ('snapshot_enabled = true\nsnapshot = "./snap --now"', ["runs `./snap --now`  (snapshot)"]),
    ('snapshot_enabled = true\nsnapshot = "http://h.example/s"', [
        "sends to http://h.example/s  (snapshot)",
    ]),
    ('snapshot = "./snap --now"', []),
    ('output_dir = "../out/results"', [
        "writes, outside of the project, `{above}/out/results`  (output_dir)",
        "writes, outside of the project, `{above}/out/baselines`  (output_dir)",
    ]),
    ('evals = ["../evals/**/*.json"]', [
        "reads, outside of the project, `{above}/evals/**/*.json`  (evals)",
    ]),
    ('seed = "/etc/seed.json"', [
        "reads, outside of the project, `/etc/seed.json`  (seed_manifest_path)",
    ]),
    ('cassettes = "auto"\ncassette_dir = "/var/tapes"', [
        "writes, outside of the project, `/var/tapes`  (output_dir)",
    ]),
]  # fmt: skip


def project(folder: Path, text: str) -> Path:
    root = folder / "project"
    root.mkdir(exist_ok=True)
    (root / "mcp.json").write_text(MCP)
    (root / "evaltui.toml").write_text(text)
    return root


@pytest.mark.parametrize(("text", "said"), LISTED)
def test_everything_that_would_happen_is_listed(tmp_path: Path, text: str, said: list[str]) -> None:
    config = load_config(project(tmp_path, text)).config
    listed = [str(one) for one in grants_in_use(config)]
    assert listed == [one.replace("{above}", str(tmp_path)) for one in said]
    assert bool(missing_grants(config)) is bool(said)
    agree(config.root, all_grants(config))
    assert missing_grants(config) == ()


COMMAND = AGENT + 'type = "command"\ncommand = "node a.js"\n'
HTTP = AGENT + 'url = "https://h.example/a"\nheaders = { X = "${A}" }\n'
CHANGES = [
    (COMMAND, 'command = "node a.js"', 'command = "node b.js"', True),
    (COMMAND, 'command = "', 'env = { PATH = "." }\ncommand = "', True),
    (COMMAND, 'command = "', 'cwd = "sub"\ncommand = "', True),
    (COMMAND, 'command = "', 'max_cost_usd = 1\ncommand = "', False),
    (COMMAND, "mine", "yours", False),
    (HTTP, "h.example/a", "h.example/b", False),
    (HTTP, "h.example", "i.example", True),
    (HTTP, "https:", "http:", True),
    (HTTP, "h.example/a", "h.example:444/a", True),
    (HTTP, "h.example/a", "h.example/a/${B}", True),
    (HTTP, "${A}", "${AWS_SECRET_ACCESS_KEY}", True),
    (HTTP, '"${A}"', '"b"', True),
    (HTTP, "X = ", "Y = ", False),
    ('registry = "tools.py"', "tools.py", "other.py", True),
    ('registry = "tools.py"', 'registry = "tools.py"', 'registry = "mcp.json"', True),
    ('registry = "tools.py"', 'registry = "tools.py"', 'registry = "tools.ts"', False),
    ('snapshot_enabled = true\nsnapshot = "snap"', '"snap"', '"snap; rm"', True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "ends"), CHANGES)
def test_an_agreement_ends_when_what_was_listed_changes_and_not_before(
    tmp_path: Path, text: str, old: str, new: str, ends: bool
) -> None:
    assert old in text
    root = project(tmp_path, text)
    config = load_config(root).config
    agree(root, all_grants(config))
    project(tmp_path, text.replace(old, new))
    assert bool(missing_grants(load_config(root).config)) is ends


OF_LINKS = {
    "command": AGENT + 'type = "command"\ncommand = "node linked.py"\n',
    "function": AGENT + 'type = "python"\nfunction = "linked.py:f"\n',
    "evaluator": 'evaluators = ["./linked.py"]\n',
    "files": AGENT + 'type = "command"\ncommand = "node a.js"\nfiles = ["linked.py"]\n',
    "files of a function": AGENT + 'type = "python"\nfunction = "a:f"\nfiles = ["linked.py"]\n',
}


@pytest.mark.parametrize("text", OF_LINKS.values(), ids=OF_LINKS)
def test_a_file_that_is_a_link_out_is_listed_where_it_lies(tmp_path: Path, text: str) -> None:
    root, elsewhere = project(tmp_path, text), tmp_path / "elsewhere.py"
    elsewhere.write_text("f = 1")
    (root / "linked.py").write_text("f = 1")
    said = f"reads, outside of the project, `{elsewhere}`"
    assert not any(said in str(one) for one in grants_in_use(load_config(root).config))
    (root / "linked.py").unlink()
    (root / "linked.py").symlink_to(elsewhere)
    config = load_config(root).config
    assert any(said in str(one) for one in grants_in_use(config))
    agree(root, all_grants(config))
    (root / "linked.py").unlink()
    (root / "linked.py").symlink_to(tmp_path / "third.py")
    (tmp_path / "third.py").write_text("f = 2")
    assert missing_grants(load_config(root).config), "the link leads elsewhere now"


def test_files_above_the_project_that_a_command_depends_on_are_listed(tmp_path: Path) -> None:
    config = load_config(project(tmp_path, COMMAND + 'files = ["../prompts/*.md"]\n')).config
    listed = [str(one) for one in grants_in_use(config)]
    assert any(f"reads, outside of the project, `{tmp_path}/prompts/*.md`" in one for one in listed)


def test_the_servers_of_a_file_are_bound_as_they_are_in_it(tmp_path: Path) -> None:
    root = project(tmp_path, 'registry = "mcp.json"')
    agree(root, all_grants(load_config(root).config))
    assert missing_grants(load_config(root).config) == ()
    (root / "mcp.json").write_text(MCP.replace("shop.js", "evil.js"))
    (missing,) = missing_grants(load_config(root).config)
    assert "evil.js" in missing.what


STARTED = 'registry = "mcp.json"\n'
OWN = 'env = { NODE_OPTIONS = "${PROG}", SHOP_TOKEN = "${SHOP}" }\n'


@pytest.mark.parametrize(
    ("text", "server"),
    [
        (AGENT + 'type = "command"\ncommand = ["${PROG}", "a.js"]\n', {}),
        (AGENT + 'type = "command"\ncommand = ["node", "a.js"]\n' + OWN, {}),
        (AGENT + 'type = "python"\nfunction = "a:b"\n' + OWN, {}),
        (STARTED, {"command": "${PROG}"}),
        (STARTED, {"command": "node", "args": ["--x", "${PROG}"]}),
        (STARTED, {"command": "node", "cwd": "${PROG}"}),
        (STARTED, {"command": "node", "env": {"X": "${PROG}", "SHOP_TOKEN": "${SHOP}"}}),
    ],
)
def test_what_a_file_of_the_project_makes_of_a_program_is_agreed_to_with_it(
    text: str, server: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROG", raising=False)
    root = project(tmp_path, text)
    (root / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": server}}))
    (root / ".env").write_text("PROG=node\nSHOP=1\n")
    config = load_config(root).config
    agree(root, all_grants(config))
    assert missing_grants(config) == ()
    (root / ".env").write_text("PROG=node\nSHOP=2\n")
    assert missing_grants(config) == (), "a credential is exchanged every now and then"
    (root / ".env").write_text("PROG=./evil\nSHOP=1\n")
    (missing,) = missing_grants(config)
    assert "evil" not in str(missing)
    monkeypatch.setenv("PROG", "./evil")  # whoever starts us says so, and no file of the project
    assert missing_grants(config)


@pytest.mark.parametrize(
    "text",
    [
        'evaluators = ["./mine.py"]',
        'registry = "tools.py"',
        f'{AGENT}type = "python"\nfunction = "a.py:f"',
    ],
)
def test_an_interpreter_that_comes_with_the_project_is_agreed_to_with_what_it_runs(
    tmp_path: Path, text: str
) -> None:
    root = project(tmp_path, text)
    agree(root, all_grants(load_config(root).config))
    assert missing_grants(load_config(root).config) == ()
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    (missing,) = missing_grants(load_config(root).config)
    assert "in `.venv/bin/python`" in str(missing)
    agree(root, all_grants(load_config(root).config))
    assert missing_grants(load_config(root).config) == ()


def test_contents_of_trusted_code_are_not_bound(tmp_path: Path) -> None:
    root = project(tmp_path, 'registry = "tools.py"')
    (root / "tools.py").write_text("TOOLS = []")
    agree(root, all_grants(load_config(root).config))
    (root / "tools.py").write_text("TOOLS = [1]")
    assert missing_grants(load_config(root).config) == ()


def test_agents_that_are_not_under_test_are_agreed_to_with_the_others(tmp_path: Path) -> None:
    text = AGENT + 'url = "http://a.example"\n[agents.other]\nurl = "http://b.example"'
    root = project(tmp_path, text)
    config = load_config(root).config
    assert [str(one) for one in grants_in_use(config)] == [
        "sends to http://a.example  (agents.mine)"
    ]
    agree(root, all_grants(config))
    assert missing_grants(load_config(root, {"agent": ["other"]}).config) == ()


TYPED = [
    ({"agent": ["http://typed.example"]}, True),
    ({"agent": ["mine"]}, False),
    ({"agent": ["http://named.example"]}, False),
    ({"snapshot": "http://typed.example"}, True),
    ({"snapshot": "no-such-program --x"}, True),
    ({"registry": ["tools.py"]}, True),
    ({"registry": ["mcp.json"]}, False),
    ({"output_dir": "/elsewhere/results"}, True),
    ({"trust": True, "agent": ["mine"]}, True),
]


@pytest.mark.parametrize(("flags", "is_agreed"), TYPED)
def test_what_was_typed_is_agreed_to_and_what_a_file_names_is_not(
    tmp_path: Path, flags: dict[str, object], is_agreed: bool
) -> None:
    text = (
        'agent = "embedded"\n[agents.mine]\nurl = "http://m.example"\n'
        '[agents."http://named.example"]\ntype = "command"\ncommand = "evil"\n'
    )
    root = project(tmp_path, text)
    (root / "tools.py").write_text("TOOLS = []")
    config = load_config(root, flags).config
    assert (missing_grants(config) == ()) is is_agreed


def test_a_file_cannot_agree_for_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, 'trust = true\nis_trusted = true\ntyped = ["agents"]\n' + COMMAND)
    (root / ".env").write_text("EVALTUI_TRUST=1\n")
    monkeypatch.chdir(root)
    assert missing_grants(load_config(root).config)
    monkeypatch.setenv("EVALTUI_TRUST", "0")
    assert missing_grants(load_config(root).config)
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    assert missing_grants(load_config(root).config) == ()


def test_what_came_with_the_project_is_nobodys_agreement(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, COMMAND)
    config = load_config(root).config
    agree(root, all_grants(config))
    assert missing_grants(config) == ()
    (root / "evaltui").symlink_to(home / "evaltui")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root))
    assert missing_grants(config) == ()  # the link leads to the user's own folder
    (root / "evaltui").unlink()
    (home / "evaltui").rename(root / "evaltui")
    assert missing_grants(config)


def test_an_agreement_is_for_one_folder(tmp_path: Path) -> None:
    text = COMMAND
    root = project(tmp_path, text)
    agree(root, all_grants(load_config(root).config))
    link = tmp_path / "link"
    link.symlink_to(root)
    assert missing_grants(load_config(link).config) == ()
    (tmp_path / "copy").mkdir()
    other = project(tmp_path / "copy", text)
    assert kept_permit(load_config(other).config, ignore).digests == frozenset()
