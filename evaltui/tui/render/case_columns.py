"""How a case row's width is shared out: the id and the reason come first."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from evaltui.tui.render.agent_columns import NO_COLUMNS, AgentColumns, lay_out_agents

LEAD = 7
"""Cells before the id: cursor or chosen, phase or pinned, status, due, mark of two, blank."""
REASON = 40
"""Cells that a reason keeps before any other column but the id has one."""
AGE = 4
"""Cells that a short age has behind it, while the case runs or is due."""
AGENTS_HEADING = 16
"""Cells of what stands above the ids where there are several agents: `2 agents, @ next`."""
SHORTEST_NAME, SHORTEST_SUITE, SHORTEST_STRIP = 18, 6, 2
"""Cells below which a name is not shortened, and the other columns are left out."""
LONGEST_SUITE, OF_SUITE = 20, 0.75
"""Cells of the longest name of a suite, and the part of it below which its column is left out: of
`calen…` the reason has more, and the title of the detail says the name."""
GOOD_STRIP = 5
"""Verdicts of the past that are shown before the suite is; more come after its whole name."""
DESCRIPTION, SHORT_DESCRIPTION, SHORT_REASON = 16, 12, 26
"""Cells that a description has at least behind a reason of `REASON` cells, and behind a short
one of so many."""


class Needs(Struct, frozen=True):
    """What the rows have to show, in cells; 0 for a column that none of them needs."""

    id: int = 0
    suite: int = 0
    """Where no heading says it."""
    recent: int = 0
    """From two verdicts on: a single one repeats the glyph beside it."""


class Columns(Struct, frozen=True):
    """Widths in cells, without the blank before each; 0 leaves a column out."""

    id: int
    suite: int
    recent: int
    note: int
    """The reason, and behind it what it leaves room for: the description, a time."""
    description: int = 0
    """Of those of `note`, the last."""
    agents: AgentColumns = NO_COLUMNS
    """When there are several."""

    @property
    def air(self) -> int:
        """Cells behind all other text, so that it does not touch the border; a reason that has no
        more room than it needs takes that too."""
        return int(self.note >= REASON)


def lay_out_compared(width: int, needs: Needs, names: Sequence[str], shown: int) -> Columns:
    """Share out `width` cells where there is a column for each agent.

    After the id come the agents, as wide as leaves the reason its room; what is known of the shown
    one alone gets the rest.
    """
    room = width - LEAD
    ident = min(needs.id, 24, max(8, room - 10))
    agents = lay_out_agents(room - ident, names, shown, REASON + 2)
    lacking = REASON + 2 - (room - ident - agents.cells)
    ident -= max(0, min(lacking, ident - SHORTEST_NAME))
    spare = room - ident - agents.cells - 2 - REASON
    ident += max(0, min(AGENTS_HEADING - ident, spare))
    rest = room - ident - agents.cells
    if rest < 6:
        return Columns(ident + rest, 0, 0, 0, 0, agents)
    return _share_rest(rest - 2, Columns(ident, 0, 0, 0, 0, agents), needs)


def lay_out(width: int, needs: Needs) -> Columns:
    """Share out `width` cells: the id and `REASON` cells of the reason come first.

    Behind a reason that leaves room for it stands what few rows have to show, so that no column
    changes its place because of them.
    """
    room = width - LEAD
    wanted = max(SHORTEST_NAME, room - REASON - 2)
    ident = max(0, min(needs.id, wanted, max(14, room * 6 // 10), room))
    note = room - ident - 2
    if note < 10:
        return Columns(room, 0, 0, 0)
    return _share_rest(note, Columns(ident, 0, 0, 0), needs)


def _share_rest(note: int, columns: Columns, needs: Needs) -> Columns:
    """Give the other columns what of `note` cells the reason need not have, and the reason the
    rest."""

    def take(cells: int, least: int) -> int:
        nonlocal note
        cells = min(cells, note - REASON - AGE - 2)
        if cells < least:
            return 0
        note -= cells + 2
        return cells

    whole = min(needs.suite, LONGEST_SUITE)
    least = max(int(whole * OF_SUITE), min(whole, SHORTEST_SUITE))
    good, spare = min(needs.recent, GOOD_STRIP), note - REASON - AGE

    def is_room(strip: int, suite: int) -> bool:
        return strip + 2 + (suite + 2 if suite else 0) <= spare

    is_long = is_room(needs.recent, whole) or not is_room(good, least)
    strip = needs.recent if is_long else good
    recent = take(strip, SHORTEST_STRIP)
    suite = take(whole, least or 1)
    description = min(40, max(DESCRIPTION, (note - REASON) * 2 // 3), note - SHORT_REASON - 2)
    if description < SHORT_DESCRIPTION:
        description = 0
    return replace(columns, suite=suite, recent=recent, note=note, description=description)
