"""Results belong to the files that an agent was made of, as far as they were known."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.staleness import Degree
from tests.agents.scripts import program
from tests.projects import make_project
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import Simulated, simulate, simulated_project


@pytest.mark.parametrize(
    ("content", "former", "stale"),
    [
        ("then", "", None),
        ("now", "", (Degree.AFFECTED, ("files of the agent changed",))),
        ("now", "other", (Degree.AFFECTED, ("files of the agent changed",))),
        ("now", "then", (Degree.POSSIBLY, ("not all files of the agent were known",))),
    ],
)
async def test_a_result_that_tells_of_fewer_files_is_never_asked_again_by_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str,
    former: str,
    stale: tuple[Degree, tuple[str, ...]] | None,
) -> None:
    """As earlier versions made it: whether it is of these files nobody knows."""
    simulate(monkeypatch)
    root, own, made_of = simulated_project(tmp_path, 1), Simulated.__init__, ("then", "")

    def init(self: Simulated, *args: Any) -> None:
        own(self, *args)
        self.content, self.former_content = made_of

    monkeypatch.setattr(Simulated, "__init__", init)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    made_of = content, former
    async with opened(root) as (session, _):
        cases = session._queues.by_name["mine"].due.cases
        assert [(case.degree, case.reasons) for case in cases] == ([stale] if stale else [])


SAVED_AT_THE_THIRD = """
answered = open("answered.log", "a+")
answered.write("x")
answered.seek(0)
count = len(answered.read())
if count == 3:
    open(__file__, "a").write("# worse")
call = {"name": "play_music", "params": {}, "success": True}
json.dump({"response": "done", "toolCalls": [call] if count < 3 else []}, sys.stdout)
"""


def test_trials_of_code_that_was_saved_meanwhile_count_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor are more of them made: a run ends with the code that it was begun with."""
    monkeypatch.chdir(make_project(tmp_path))
    command = json.dumps(program(tmp_path, SAVED_AT_THE_THIRD))
    profile = f'[agents.mine]\ntype = "command"\nis_free = true\ncommand = {command}\n'
    (tmp_path / "evaltui.toml").write_text(f'agent = "mine"\n{profile}')
    pin = ["baseline", "pin", "--trials", "5", "--filter", "gs-play-music-001", "--yes"]
    assert run_command(pin) == 2
    said = capsys.readouterr().err
    assert "`agent.py`" in said and "1 case was not run" in said and "Nothing was pinned" in said
    assert (tmp_path / "answered.log").read_text() == "xxx"
