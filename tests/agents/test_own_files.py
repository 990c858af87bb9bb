"""Which files of a project make an agent, and that another content makes it another agent."""

import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.core.agent import Agent
from evaltui.core.errors import UserError


def made(root: Path, command: Any, **more: Any) -> Agent:
    return make_agent("command", "mine", {"command": command, **more}, root=root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "agents" / "prompts").mkdir(parents=True)
    (tmp_path / "agents" / "ag.sh").write_text("cat answer.json")
    (tmp_path / "agents" / "prompts" / "a.md").write_text("Be kind.")
    (tmp_path / "mine.py").write_text("import told")
    (tmp_path / "told.py").write_text("TEXT = 'x'")
    (tmp_path / "agents" / "pack").mkdir()
    (tmp_path / "agents" / "pack" / "__init__.py").touch()
    (tmp_path / "agents" / "pack" / "__main__.py").write_text("from pack.deep import W")
    (tmp_path / "agents" / "pack" / "deep.py").write_text("import mine")
    return tmp_path


PACK = {
    "agents/pack/__init__.py", "agents/pack/__main__.py", "agents/pack/deep.py",
    "mine.py", "told.py",
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "more", "files"),
    [
        (["sh", "agents/ag.sh"], {}, {"agents/ag.sh"}),
        ("sh agents/ag.sh --quick", {}, {"agents/ag.sh"}),
        (["sh", "ag.sh"], {"cwd": "agents"}, {"agents/ag.sh"}),
        (["python3", "mine.py"], {}, {"mine.py", "told.py"}),
        (["sh", "agents/ag.sh"], {"files": ["agents/prompts/*.md"]},
         {"agents/ag.sh", "agents/prompts/a.md"}),
        (["sh", "-c", "echo", "../outside", "no such", "/bin/sh"], {}, set()),
        (["python3", "-m", "pack"], {"cwd": "agents"}, PACK),
        (["python3", "-mpack"], {"cwd": "agents"}, PACK),
        (["uv", "run", "python3", "-um", "pack.deep"], {"cwd": "agents"},
         PACK - {"agents/pack/__main__.py"}),
        (["python3", "-m", "agents.pack"], {},
         {"agents/pack/__init__.py", "agents/pack/__main__.py"}),
        (["python3", "agents/pack"], {}, {"agents/pack/__main__.py"}),
        (["sh", "-c", "sh agents/ag.sh"], {}, {"agents/ag.sh"}),
        (["sh", "-c", "A=1 sh ./agents/ag.sh>out; true"], {}, {"agents/ag.sh"}),
        (["bash", "-lc", "cd agents && sh ag.sh"], {}, {"agents/ag.sh"}),
        (["sh", "-c", "sh -c 'cd agents; exec python3 -m pack'"], {}, PACK),
        (["sh", "-c", 'echo "$(cat mine.py)"'], {}, {"mine.py", "told.py"}),
        (["sh", "-c", "cat agents/ag.sh 'never closed"], {}, {"agents/ag.sh"}),
        (["node", "--prompt=agents/ag.sh"], {}, {"agents/ag.sh"}),
        (["sh", "-c", "python3 -c 'import mine' && cat $PWD/agents/ag.sh $(pwd)/told.py"], {},
         {"mine.py", "told.py", "agents/ag.sh"}),
        (["node", "agent.js", "@agents/ag.sh"], {"env": {"CONF": "agents/prompts/a.md"}},
         {"agents/ag.sh", "agents/prompts/a.md"}),
        (["node"], {"env": {"ALL": "nowhere:mine.py:agents/ag.sh"}},
         {"agents/ag.sh", "mine.py", "told.py"}),
        (["python3", "-m", "../mine", "-m", "no.such", "-m", ""], {}, set()),
    ],
)  # fmt: skip
def test_a_program_is_made_of_what_its_command_names(
    root: Path, command: Any, more: dict[str, Any], files: set[str]
) -> None:
    agent = made(root, command, **more)
    assert {path.relative_to(root).as_posix() for path in agent.files} == files
    before = agent.content
    assert before == made(root, command, **more).content
    for name in sorted(files, reverse=True):
        (root / name).write_text("other")
        again = made(root, command, **more)
        assert again.content != before, name
        assert again.fingerprint == agent.fingerprint
        before = again.content


@pytest.mark.parametrize("name", ["sitecustomize", "usercustomize"])
@pytest.mark.parametrize(
    ("command", "env"),
    [
        (["python3", "mine.py"], {"PYTHONPATH": "nowhere:."}),
        (["env", "PYTHONPATH=.", "python3", "mine.py"], {}),
        (["sh", "-c", "PYTHONPATH=. python3 mine.py"], {}),
    ],
)
def test_what_python_imports_when_it_starts_belongs_to_it(
    root: Path, command: list[str], env: dict[str, str], name: str
) -> None:
    agent = made(root, command, env=env)
    file = root / f"{name}.py"
    assert file in agent.awaited
    assert agent.knows_files
    file.touch()
    assert file in made(root, command, env=env).files


def test_a_linked_script_imports_from_beside_what_it_is_a_link_to(root: Path) -> None:
    (root / "agents" / "run.py").write_text("import helper")
    (root / "agents" / "helper.py").touch()
    (root / "run.py").symlink_to("agents/run.py")
    agent = made(root, ["python3", "run.py"])
    assert agent.files == {
        root / "run.py",
        root / "agents" / "run.py",
        root / "agents" / "helper.py",
    }


def test_the_packages_of_the_interpreter_that_a_command_names_are_meant(root: Path) -> None:
    for name in ("one", "other"):
        folder = root / ".envs" / name
        packages = folder / "lib" / "python3.12" / "site-packages"
        packages.mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "bin" / "python").symlink_to(sys.executable)
        (folder / "pyvenv.cfg").touch()
        if name == "one":
            (packages / "shop.pth").write_text(str(root / "agents" / "lib"))
    (root / "agents" / "lib").mkdir()
    (root / "agents" / "lib" / "rules.py").touch()
    (root / "shop.py").write_text("import rules")
    one = made(root, [".envs/one/bin/python", "shop.py"])
    assert {path.name for path in one.files} == {"python", "shop.py", "rules.py"}
    assert one.knows_files
    other = made(root, ["sh", "-c", ".envs/other/bin/python shop.py"])
    assert {path.name for path in other.files} == {"python", "shop.py"}
    assert not other.knows_files


def test_a_script_names_files_too(root: Path) -> None:
    (root / "run.sh").write_text("# cat agents/ag.sh\nexec python3 mine.py")
    agent = made(root, ["sh", "run.sh"])
    assert {path.name for path in agent.files} == {"run.sh", "mine.py", "told.py"}


@pytest.mark.parametrize(
    ("type_", "options", "are_known"),
    [
        ("command", {"command": ["python3", "mine.py"]}, True),
        ("command", {"command": ["node", "mine.js"]}, False),
        ("command", {"command": ["node", "mine.js"], "names_all_files": True}, True),
        ("command", {"command": ["python3", "mine.py"], "env": {"PATH": "bin"}}, False),
        ("command", {"command": ["python3", "made.py"]}, False),
        (
            "command",
            {"command": ["python3", "mine.py"], "repair_command": ["node"], "dialect": "adapter"},
            False,
        ),
        ("python", {"function": "mine.py:answer"}, True),
        ("python", {"function": "made.py:answer"}, False),
        ("python", {"function": "made.py:answer", "names_all_files": True}, True),
        ("python", {"function": "elsewhere:answer"}, False),
        ("python", {"function": "mine.py:answer", "env": {"PYTHONPATH": "agents"}}, False),
        ("http", {"url": "http://localhost:1"}, True),
    ],
)
def test_it_is_said_whether_all_are_known(
    root: Path, type_: str, options: dict[str, Any], are_known: bool
) -> None:
    (root / "made.py").write_text("import importlib\nimportlib.import_module(name)")
    agent = make_agent(type_, "mine", options, root=root)
    assert agent.knows_files is are_known
    plain = {key: value for key, value in options.items() if key != "names_all_files"}
    assert agent.fingerprint == make_agent(type_, "mine", plain, root=root).fingerprint


def test_what_is_no_glob_is_said(root: Path) -> None:
    with pytest.raises(UserError, match="`files` holds `/etc/x`"):
        made(root, ["sh"], files=["/etc/x"])


@pytest.mark.parametrize("type_", ["command", "python", "http", "langgraph"])
def test_an_agent_may_have_nothing_to_do_with_the_tools_that_are_read(
    root: Path, type_: str
) -> None:
    by_type: dict[str, dict[str, Any]] = {
        "command": {"command": ["sh"]},
        "python": {"function": "mine.py:answer"},
        "http": {"url": "http://localhost:1/chat"},
        "langgraph": {"base_url": "http://localhost:1"},
    }
    options = by_type[type_]
    usual = make_agent(type_, "mine", options, root=root)
    told = make_agent(type_, "mine", {**options, "reads_registry": False}, root=root)
    assert usual.traits.may_read_registry
    assert not told.traits.may_read_registry
    assert told.fingerprint == usual.fingerprint, "it answers as before"
    with pytest.raises(UserError, match="`reads_registry` is 'no'"):
        make_agent(type_, "mine", {**options, "reads_registry": "no"}, root=root)
