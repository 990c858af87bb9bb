"""Results, history and baselines are in one folder, from the start of a session to its end."""

from pathlib import Path

from evaltui.core.errors import Severity
from evaltui.session import Session
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened, watched


def write_settings(root: Path, folder: str) -> None:
    (root / "evaltui.toml").write_text(f'# mine\noutput_dir = "{folder}"\n')


def folders(root: Path) -> set[str]:
    """Those with result files or pins, by the folder beside which both lie."""
    found = (*root.glob("*/results/*.json"), *root.glob("*/baselines/pins.json"))
    return {path.relative_to(root).parts[0] for path in found}


def said(session: Session) -> list[tuple[str, str, Severity]]:
    return [
        (one.place, one.what, one.severity)
        for one in session.store.problems.of_project
        if one.key == "output_dir"
    ]


async def test_a_folder_that_is_saved_meanwhile_is_that_of_the_next_start(tmp_path: Path) -> None:
    write_settings(make_project(tmp_path), "one/results")
    async with watched(tmp_path) as (session, ear):
        write_settings(tmp_path, "two/results")
        # A file may be read while it is empty: then the folder is the usual one for a moment.
        await ear.until(lambda: any("`two/results`" in what for _, what, _ in said(session)))
        ((place, what, severity),) = said(session)
        assert place.startswith("evaltui.toml:2")
        assert "results go to `two/results` from the next start on" in what
        assert severity is Severity.WARNING
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
        assert session.store.board(AGENT).standards.baselines
        key = all_keys(session)[0]
        row = session.store.board(AGENT).rows[key]
        assert row.result is not None
        whole = session.history.whole(key, row.result.run_id)
        assert whole is not None and whole.response is not None
        assert folders(tmp_path) == {"one"}
    async with opened(tmp_path) as (session, _):
        assert said(session) == []
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    assert folders(tmp_path) == {"one", "two"}


async def test_it_is_said_until_the_setting_is_what_it_was(tmp_path: Path) -> None:
    write_settings(make_project(tmp_path), "one/results")
    async with watched(tmp_path) as (session, ear):

        def is_said(folder: str) -> bool:
            return [what.split()[3] for _, what, _ in said(session)] == [f"`{folder}`"]

        write_settings(tmp_path, "two/results")
        await ear.until(lambda: is_said("two/results"))
        write_settings(tmp_path, "three/results")
        await ear.until(lambda: is_said("three/results"))
        write_settings(tmp_path, "one/results")
        await ear.until(lambda: said(session) == [])
        (tmp_path / "evaltui.toml").write_text("# mine\n")
        await ear.until(lambda: is_said("evals/results"))
        (tmp_path / "evaltui.toml").unlink()
        await ear.until(lambda: any(one.file == "" for one in session.store.problems.of_project))
