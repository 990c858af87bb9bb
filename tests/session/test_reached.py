"""Which edits of tools make results due: those that can shape the answer, each said by its name."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.staleness import Degree
from evaltui.session import Session
from tests.projects import TOOLS, make_project, write_tools
from tests.session.test_session import all_keys, opened

BARRED = {
    "name": "bake_bread",
    "description": "Bakes bread in an oven.",
    "version": "1.0.0",
    "parameters": {"type": "object", "properties": {}},
}
REGISTRY = (*TOOLS, BARRED)
Edit = Mapping[str, Mapping[str, Any]]
ORDERS_MOVE: Edit = {"find_order": {"description": "Finds an order by number."}}


def edited(edit: Edit) -> list[dict[str, Any]]:
    return [{**tool, **edit.get(str(tool["name"]), {})} for tool in REGISTRY]


async def run_all(root: Path, profile: str = "") -> None:
    make_project(root)
    write_tools(root, REGISTRY)
    if profile:
        (root / "mine.py").write_text("def answer(message, **_):\n    return 'done'\n")
        settings = f'agent = "mine"\n[agents.mine]\ntype = "python"\n{profile}\n'
        (root / "evaltui.toml").write_text(f'{settings}function = "mine.py:answer"\n')
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert due(session) == {}


def due(session: Session) -> dict[str, tuple[Degree, tuple[str, ...]]]:
    queue = session._queues.by_name[session.agents[0]]
    return {case.key.case: (case.degree, case.reasons) for case in queue.due.cases}


async def due_after(root: Path, edit: Edit) -> dict[str, tuple[Degree, tuple[str, ...]]]:
    """In a session after the one that ran everything."""
    write_tools(root, edited(edit))
    async with opened(root) as (session, _):
        return due(session)


async def test_each_case_names_the_tool_that_reaches_it_after_a_restart_too(tmp_path: Path) -> None:
    await run_all(tmp_path)
    both = {**ORDERS_MOVE, "bake_bread": {"description": "Bakes a song in an oven."}}
    assert await due_after(tmp_path, both) == {
        "gs-find-order-001": (Degree.AFFECTED, ("find_order.description changed",)),
        "gs-find-order-002": (Degree.AFFECTED, ("find_order.description changed",)),
        "gs-play-music-001": (Degree.POSSIBLY, ("bake_bread.description changed",)),
    }


@pytest.mark.parametrize(
    "edit",
    [
        {"version": "9.9.9"},
        {"category": "kitchen"},
        {"status": "deprecated"},
        {"description": "Bakes cake."},
    ],
)
async def test_what_no_message_sees_reruns_nothing(tmp_path: Path, edit: dict[str, Any]) -> None:
    await run_all(tmp_path)
    assert await due_after(tmp_path, {"bake_bread": edit}) == {}


async def test_other_words_that_no_message_says_rerun_nothing(tmp_path: Path) -> None:
    await run_all(tmp_path)
    same = {
        str(tool["name"]): {"description": f"And the {str(tool['description']).upper()}"}
        for tool in REGISTRY
    }
    assert await due_after(tmp_path, same) == {}
    both = {**same, **ORDERS_MOVE}
    assert {*await due_after(tmp_path, both)} == {"gs-find-order-001", "gs-find-order-002"}
    for kept in (tmp_path / ".evaltui" / "tool_prints").iterdir():
        kept.unlink()
    assert await due_after(tmp_path, same) == {}


async def test_a_tool_that_is_mentioned_and_not_weighed_reruns_nothing(tmp_path: Path) -> None:
    make_project(tmp_path)
    suite = tmp_path / "evals" / "play_music.golden.json"
    document = json.loads(suite.read_text())
    document["cases"][0]["expect"] = {"toolsNotCalled": ["bake_bread"]}
    suite.write_text(json.dumps(document))
    write_tools(tmp_path, REGISTRY)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
    assert await due_after(tmp_path, {"bake_bread": {"description": "Bakes cake."}}) == {}
    found = await due_after(tmp_path, {"bake_bread": {"description": "Plays with bread."}})
    assert found["gs-play-music-001"] == (Degree.AFFECTED, ("bake_bread.description changed",))


async def test_without_the_tools_of_then_what_would_be_weighed_now_is_still_known(
    tmp_path: Path,
) -> None:
    await run_all(tmp_path)
    for kept in (tmp_path / ".evaltui" / "tool_prints").iterdir():
        kept.unlink()
    oven = {"bake_bread": {"description": "Bakes a song in an oven."}}
    (found,) = (await due_after(tmp_path, oven)).items()
    assert found[0] == "gs-play-music-001"
    assert found[1][0] is Degree.POSSIBLY
    assert found[1][1][0].startswith("bake_bread ")


@pytest.mark.parametrize(
    ("profile", "edit", "expected"),
    [
        ("", {"description": "Bakes cake."}, {"bake_bread.description changed"}),
        ("", {"version": "9.9.9"}, set()),
        ("", {"status": "removed"}, {"bake_bread.status changed"}),
        ("reads_registry = false", {"description": "Bakes cake."}, set()),
    ],
)
async def test_an_agent_that_cannot_tell_may_depend_on_any_tool_that_it_is_given(
    tmp_path: Path, profile: str, edit: dict[str, Any], expected: set[str]
) -> None:
    await run_all(tmp_path, profile or "is_free = false")
    found = await due_after(tmp_path, {"bake_bread": edit})
    assert {reason for _, reasons in found.values() for reason in reasons} == expected
    assert {degree for degree, _ in found.values()} <= {Degree.POSSIBLY}


async def test_who_says_not_to_read_the_tools_is_not_asked_again_for_any(tmp_path: Path) -> None:
    await run_all(tmp_path, "reads_registry = false")
    assert await due_after(tmp_path, ORDERS_MOVE) == {}


SCRIPT = """cat > /dev/null
echo '{"response": "%s", "toolCalls": []}'
"""


async def test_editing_the_script_of_a_command_makes_its_results_due(tmp_path: Path) -> None:
    make_project(tmp_path)
    script = tmp_path / "ag.sh"
    script.write_text(SCRIPT % "one")
    settings = 'agent = "mine"\n[agents.mine]\ntype = "command"\ncommand = ["sh", "ag.sh"]\n'
    (tmp_path / "evaltui.toml").write_text(settings)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        assert due(session) == {}
    async with opened(tmp_path) as (session, _):
        assert due(session) == {}
    script.write_text(SCRIPT % "two")
    async with opened(tmp_path) as (session, _):
        assert {found[1] for found in due(session).values()} == {("files of the agent changed",)}
        assert len(due(session)) == 3
