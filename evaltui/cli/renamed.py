"""What is said of cases whose baseline is left behind under an old name."""

import sys
from collections.abc import Collection

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.project.left_behind import left_behind_problems
from evaltui.reporters.ansi import plain
from evaltui.session import Session


def tell_renamed(session: Session, agent: str, keys: Collection[CaseKey]) -> bool:
    """Say it on stderr, in the words of `evaltui check`, of those of the cases that are not muted.
    Returns whether there are any."""
    baselines = session.baselines
    counted = {key for key in keys if str(key) not in session.store.mutes}
    found = [
        replace(one, moves={old: new for old, new in one.moves.items() if new in counted})
        for one in baselines.find_left_behind(session.project)
        if (one.agent, one.name) == (agent, baselines.in_force(agent))
    ]
    problems = [*left_behind_problems(session.project, found)]
    for problem in problems:
        sys.stderr.write(f"{plain(str(problem))}\n")
    return bool(problems)
