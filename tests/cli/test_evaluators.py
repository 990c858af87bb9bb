"""`evaltui evaluators`: the list in the shape of the contract, the check, a file to begin with."""

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evaluators.built_in import BUILT_IN
from evaltui.evaluators.registry import create_registry
from tests.evaluators.loaded import evaluator, write


def run(root: Path, capsys: Any, *words: str) -> tuple[int, str, str]:
    code = run_command(["evaluators", *words, "-C", str(root)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_list_is_that_of_the_contract(tmp_path: Path, capsys: Any) -> None:
    schema = {"type": "object", "properties": {"least": {"type": "number"}}}
    text = evaluator('"""Looks."""\nreturn passed("")', "look", config_schema=schema)
    write(tmp_path, "look.py", text)
    write(tmp_path, "evaltui.toml", 'evaluators = ["./look.py"]\n')
    code, out, err = run(tmp_path, capsys, "list", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == [
        *create_registry().list(),
        {
            "type": "look",
            "label": "Mine",
            "description": "Looks.",
            "kind": "assertion",
            "configSchema": schema,
            "builtin": False,
        },
    ]
    _, out, _ = run(tmp_path, capsys, "list")
    assert out.splitlines()[-1].split() == ["look", "assertion", "./look.py", "Looks."]


def test_what_installed_packages_offer_is_listed_where_it_is_asked_for(
    tmp_path: Path, capsys: Any
) -> None:
    packages = tmp_path / ".venv/lib/python3.11/site-packages"
    write(packages, "given-1.0.dist-info/METADATA", "Name: given\nVersion: 1.0\n")
    points = (
        "[evaltui.evaluators]\ngiven-all = given:all\ntaken = given:taken\n[x]\nother = given:x\n"
    )
    write(packages, "given-1.0.dist-info/entry_points.txt", points)
    write(packages, "given.py", "raise SystemExit('it ran')\n")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    write(tmp_path, "evaltui.toml", 'evaluators = ["taken"]\n')
    offered = {"entry": "given-all", "package": "given", "available": True}
    assert json.loads(run(tmp_path, capsys, "list", "--all", "--json")[1])[-1] == offered
    _, out, _ = run(tmp_path, capsys, "list", "--all")
    assert out.splitlines()[-1].split()[:4] == ["given-all", "available", "given", "Name"]
    assert "given-all" not in run(tmp_path, capsys, "list")[1]


def test_what_cannot_be_loaded_is_told_at_its_place(tmp_path: Path, capsys: Any) -> None:
    write(tmp_path, "evaltui.toml", 'agent = "embedded"\nevaluators = ["./gone.py"]\n')
    code, out, _ = run(tmp_path, capsys, "check", "--json")
    assert code == 2
    (problem,) = json.loads(out)["problems"]
    assert (problem["file"], problem["line"], problem["pointer"]) == (
        "evaltui.toml", 2, "/evaluators/0",
    )  # fmt: skip
    assert problem["message"].startswith('Evaluator plugin "./gone.py" not found.')
    code, _, err = run(tmp_path, capsys, "list")
    assert code == 2
    assert "./gone.py" in err


def test_what_nobody_agreed_to_is_left_out(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write(tmp_path, "mine.py", "open('ran', 'w')\n" + evaluator("return passed('')"))
    write(tmp_path, "evaltui.toml", 'evaluators = ["./mine.py"]\n')
    code, out, err = run(tmp_path, capsys, "list")
    assert (code, "mine" in out) == (0, False)
    assert "evaltui trust" in err
    assert not (tmp_path / "ran").exists()
    code, out, _ = run(tmp_path, capsys, "list", "--trust")
    assert "mine" in out
    assert (tmp_path / "ran").exists()


def test_a_check_that_left_something_out_is_no_success(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write(tmp_path, "mine.py", evaluator("return passed('')", "mine"))
    write(tmp_path, "evaltui.toml", 'evaluators = ["./mine.py"]\n')
    code, out, _ = run(tmp_path, capsys, "check")
    assert (code, "nobody agreed" in out) == (2, True)
    assert run(tmp_path, capsys, "check", "--trust")[0] == 0


@pytest.mark.parametrize("kind", ["assertion", "metric"])
def test_a_new_one_can_be_loaded_as_it_is(tmp_path: Path, capsys: Any, kind: str) -> None:
    settings = write(tmp_path, "evaltui.toml", "trials = 2  # twice\n")
    code, out, _ = run(tmp_path, capsys, "new", "of-my-own", "--kind", kind, "--json")
    said = json.loads(out)
    assert (code, said["entry"], said["isNamed"]) == (0, "./evaluators/of_my_own.py", True)
    named = f"evaluators = {json.dumps([said['entry']])}\n"
    assert settings.read_text() == f"trials = 2  # twice\n{named}"
    code, out, _ = run(tmp_path, capsys, "check")
    assert (code, out) == (0, f"1 of your own, {len(BUILT_IN)} built in: nothing is wrong\n")
    code, _, err = run(tmp_path, capsys, "new", "of-my-own")
    assert (code, "already there" in err) == (2, True)
    assert run(tmp_path, capsys, "new", "../x")[0] == 2


def test_a_new_one_is_named_beside_those_that_are_tables(tmp_path: Path, capsys: Any) -> None:
    judge = write(tmp_path, "judge.py", _JUDGE)
    told = f'[[evaluators]]\ncommand = ["{sys.executable}", "{judge.name}"]\n'
    settings = write(tmp_path, "evaltui.toml", told)
    assert "Named it in evaltui.toml" in run(tmp_path, capsys, "new", "of-my-own")[1]
    named = '\n[[evaluators]]\npath = "./evaluators/of_my_own.py"\n'
    assert settings.read_text() == told + named
    code, out, _ = run(tmp_path, capsys, "check")
    assert (code, out) == (0, f"2 of your own, {len(BUILT_IN)} built in: nothing is wrong\n")


_JUDGE = """import json, sys
json.load(sys.stdin)
print(json.dumps({"evaluators": [{"type": "theirs", "label": "Theirs", "kind": "metric"}]}))
"""


def test_where_a_new_one_is_to_be_named_is_said(tmp_path: Path, capsys: Any) -> None:
    _, out, _ = run(tmp_path, capsys, "new", "of-my-own")
    assert 'Name it in evaltui.toml: evaluators = ["./evaluators/of_my_own.py"]' in out
    assert not (tmp_path / "evaltui.toml").exists()


@pytest.mark.parametrize("file", ["evalstudio.config.json", "evaltui.config.json"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{\r\n  "trials": 2\r\n}\r\n',
            '{\r\n  "trials": 2,\r\n  "evaluators": [\r\n    NEW\r\n  ]\r\n}\r\n',
        ),
        ('{"evaluators": ["./a.py"], "x":  1}', '{"evaluators": ["./a.py", NEW], "x":  1}'),
        ('{\n  "evaluators": []\n}', '{\n  "evaluators": [NEW]\n}'),
        ('{"evaluators": [NEW]}', '{"evaluators": [NEW]}'),
    ],
)
def test_a_new_one_is_named_in_settings_in_json(
    tmp_path: Path, capsys: Any, file: str, before: str, after: str
) -> None:
    entry = '"./evaluators/word_count.py"'
    settings = tmp_path / file
    settings.write_bytes(before.replace("NEW", entry).encode())
    _, out, _ = run(tmp_path, capsys, "new", "word-count")
    assert f"Named it in {file}" in out
    assert settings.read_bytes() == after.replace("NEW", entry).encode()


IN_JSON = '"evaluators": ["./evaluators/word_count.py"]'


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("evaltui.config.json", '{"evaluators": "./a.py"}', '"./evaluators/word_count.py"'),
        ("evaltui.config.json", '{"trials": 2,}', IN_JSON),
        (
            "pyproject.toml",
            "[tool.evaltui]\ntrials = 2\n",
            'table [tool.evaltui]: evaluators = ["./evaluators/word_count.py"]',
        ),
        (
            "pyproject.toml",
            '[[tool.evaltui.evaluators]]\ncommand = ["x"]\n',
            '[[tool.evaltui.evaluators]]\npath = "./evaluators/word_count.py"',
        ),
        (
            "pyproject.toml",
            '[tool.evaltui]\nevaluators = ["./a.py"]\n',
            'Add it to `evaluators` in pyproject.toml, table [tool.evaltui]: "./evaluators/word',
        ),
    ],
)
def test_it_is_to_be_named_in_the_settings_that_count(
    tmp_path: Path, capsys: Any, file: str, text: str, said: str
) -> None:
    settings = write(tmp_path, file, text)
    (tmp_path / "src").mkdir()
    (tmp_path / ".git").mkdir()
    _, out, _ = run(tmp_path / "src", capsys, "new", "word-count")
    assert f"in {file}" in out
    assert said in out
    assert "evaltui.toml" not in out
    assert settings.read_text() == text
    assert (tmp_path / "evaluators" / "word_count.py").is_file()


@pytest.mark.parametrize(
    ("type_", "why"),
    [("1st-check", "Begin with a letter"), ("class", "Python keyword"), ("A b", "Use small")],
)
def test_what_no_function_can_be_called_is_not_begun(
    tmp_path: Path, capsys: Any, type_: str, why: str
) -> None:
    code, _, err = run(tmp_path, capsys, "new", type_)
    assert (code, why in err) == (2, True)
    assert not (tmp_path / "evaluators").exists()


@pytest.mark.parametrize("type_", ["tool-call-count", "criteria"])
def test_a_type_that_is_taken_is_not_begun(tmp_path: Path, capsys: Any, type_: str) -> None:
    settings = write(tmp_path, "evaltui.toml", "trials = 2\n")
    code, _, err = run(tmp_path, capsys, "new", type_)
    assert (code, f'Evaluator type "{type_}" is' in err) == (2, True)
    assert settings.read_text() == "trials = 2\n"
    assert not (tmp_path / "evaluators").exists()


def test_on_a_full_disk_it_is_said_and_nothing_is_left(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = write(tmp_path, "evaltui.toml", "trials = 2\n")
    monkeypatch.setattr(os, "fsync", full)
    code, _, err = run(tmp_path, capsys, "new", "word-count")
    assert (code, "word_count.py` cannot be written: No space left on device" in err) == (2, True)
    assert not [*tmp_path.glob("evaluators/*")]
    assert settings.read_text() == "trials = 2\n"


def test_where_the_settings_cannot_be_written_a_person_is_to_name_it(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = write(tmp_path, "evaltui.toml", "trials = 2\n")
    to_disk = os.fsync

    def once(descriptor: int) -> None:
        to_disk(descriptor)
        monkeypatch.setattr(os, "fsync", full)

    monkeypatch.setattr(os, "fsync", once)
    code, out, _ = run(tmp_path, capsys, "new", "word-count")
    assert (code, "Name it in evaltui.toml" in out) == (0, True)
    assert settings.read_text() == "trials = 2\n"


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
