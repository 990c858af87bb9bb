"""The beginning of the last board, read before the project is: no lock, no repair, no writing."""

import sqlite3
from pathlib import Path

from evaltui.core.agent_name import settings_name
from evaltui.disk.history_queries import FirstResults, agents, first_results
from evaltui.disk.history_schema import FILE, VERSION, version_of


def read_first_results(folder: Path, agent: str = "", limit: int = 100) -> FirstResults | None:
    """From `folder/history.sqlite3`; without a name of the agent that ran last.

    An agent that results call by its version (`embedded/1`, `embedded/1:strict`) is found by its
    name in the settings (`embedded`, `strict`) too. `None` when nothing is known or readable now.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=0, uri=True)
    except sqlite3.Error:
        return None
    try:
        connection.execute("BEGIN")  # counts and results are of one moment
        if version_of(connection) != VERSION:
            return None
        known = agents(connection)
        found = next((name for name in known if agent in ("", name, settings_name(name))), None)
        return None if found is None else first_results(connection, found, limit)
    except (sqlite3.Error, ValueError, KeyError):
        return None
    finally:
        connection.close()
