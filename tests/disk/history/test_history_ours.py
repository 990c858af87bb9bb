"""A history that a project brings along is read only where nothing but our tables is in it."""

import sqlite3
from pathlib import Path

import pytest

from evaltui.core.errors import Problem
from evaltui.disk.history import history_schema
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.history.history import History
from evaltui.disk.history.history_ours import require_ours
from evaltui.disk.history.history_schema import FILE, ForeignError

# With an end, so that who reads it after all fails instead of hanging.
QUERY = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 1000) SELECT x FROM c"
FORGED = "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql='{}' WHERE name='{}'"
CREATED = (
    "DROP TABLE {0}; CREATE VIEW {0} AS " + QUERY,
    f"CREATE TRIGGER t AFTER INSERT ON {{0}} BEGIN DELETE FROM {{0}} WHERE 1 IN ({QUERY}); END",
)
FOREIGN = [made.format(name) for name in history_schema.TABLES for made in CREATED] + [
    "CREATE VIEW other AS " + QUERY,
    "CREATE TABLE other(x)",
    "CREATE INDEX other ON runs(hex(zeroblob(number)))",
    "ALTER TABLE runs ADD COLUMN other AS (zeroblob(1000000000))",
    FORGED.format("CREATE VIEW runs AS " + QUERY, "runs"),
    FORGED.format(CREATED[1].format("runs"), "latest_at"),
]


@pytest.fixture
def made() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    history_schema.create(connection)
    return connection


def test_what_we_make_is_ours(made: sqlite3.Connection) -> None:
    require_ours(made)
    require_ours(sqlite3.connect(":memory:"))


def test_what_the_first_version_made_is_ours() -> None:
    path = Path(__file__).parents[1] / "golden" / "first" / "state" / FILE
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    require_ours(connection)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() > (5,)
    connection.close()


@pytest.mark.parametrize("script", FOREIGN)
def test_all_else_is_foreign(made: sqlite3.Connection, script: str) -> None:
    made.executescript(script)
    with pytest.raises(ForeignError, match="which evaltui did not make"):
        require_ours(made)


def test_a_later_version_is_not_judged(made: sqlite3.Connection) -> None:
    made.executescript(f"CREATE TABLE other(x); PRAGMA user_version={history_schema.VERSION + 1}")
    require_ours(made)


def test_it_is_set_aside_and_made_anew(tmp_path: Path) -> None:
    folder, results = tmp_path / ".evaltui", tmp_path / "results"
    history = History.open(folder, results)
    assert history.next_number() == 1
    history.close()
    connection = sqlite3.connect(folder / FILE)
    connection.executescript("PRAGMA journal_mode=DELETE;" + CREATED[0].format("counters"))
    connection.close()
    problems: list[Problem] = []
    history = History.open(folder, results, problems.append)
    assert history.next_number() == 1
    history.close()
    (problem,) = problems
    assert problem.code == "set-aside"
    assert "'counters', which evaltui did not make" in problem.what
    assert (folder / f"{FILE}.damaged").is_file()


def test_the_first_frame_does_not_read_it(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    history_schema.create(connection)
    connection.execute("INSERT INTO runs VALUES(1, 'run-1', 1, 'embedded', '', 'completed', 1, 1)")
    connection.execute("INSERT INTO cases VALUES(1, 'embedded', 'suite', 'case')")
    connection.execute(
        "INSERT INTO latest VALUES(1, 1, 1, 'P', 'P', 1, 1, 1, '', '', '', 1, 1, NULL)"
    )
    assert read_first_results(tmp_path) is not None
    connection.execute("CREATE VIEW other AS SELECT 1")
    connection.close()
    assert read_first_results(tmp_path) is None
