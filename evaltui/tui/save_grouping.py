"""Whether the cases are grouped by what the last save did."""

from evaltui.core.comparison import Effect
from evaltui.store.board import Board
from evaltui.store.save_view import SaveView
from evaltui.tui.arrangement import Arrangement

_NEWS = (Effect.WORSE, Effect.BETTER, Effect.ERROR, Effect.CALLS_DIFFER)


class SaveGrouping:
    """Has an arrangement group its lines; who shows them has it put them in order."""

    def __init__(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        self._save: SaveView | None = None
        """The one that the lines are grouped by, or were last."""
        self.is_fresh = False
        """Whether the lines were not put in order since they are grouped by it."""
        self.is_opened = False
        """Whether what came out as before was unfolded for it."""
        self._ungrouped: dict[str, SaveView | None] = {}
        """By agent, the save by which somebody wants them grouped no longer."""

    def is_other(self, board: Board) -> bool:
        """Whether another save came since."""
        return board.headline.save is not self._save

    def is_save_new(self, board: Board) -> bool:
        """Whether another save came since the lines were grouped by one."""
        return self._arrangement.is_by_save and self.is_other(board)

    def group(self, board: Board) -> None:
        """Group by what the last save did, or a key that ran several again with news, or by what
        differs between two points that are compared, if the header has something to say of it, else
        no longer."""
        save, arrangement = board.headline.save, self._arrangement
        effects = board.counts.all.by_effect
        is_saved = save is not None and bool(save.trigger or arrangement.compared)
        is_told = is_saved or (_has_rerun_several(board) and any(effects[one] for one in _NEWS))
        is_fresh = is_told and any(effects.values())
        arrangement.is_of_key = not is_saved
        self._save = save
        arrangement.is_by_save = is_fresh and self._ungrouped.get(board.agent) is not save
        if self.is_opened:
            arrangement.fold_as_before()
        self.is_fresh, self.is_opened = True, False

    def ungroup(self, board: Board) -> None:
        """Group by this save no longer."""
        self._arrangement.is_by_save = False
        self._ungrouped[board.agent] = board.headline.save

    def unfold(self) -> bool:
        """Unfold what came out as before where a save that is fresh leaves nothing else in sight;
        False when it does not."""
        is_unfolded = self.is_fresh and self._arrangement.unfold_as_before()
        self.is_opened |= is_unfolded
        return is_unfolded


def _has_rerun_several(board: Board) -> bool:
    """Whether more than one case ran that had a result before, as a first run has not."""
    save, rows = board.headline.save, board.rows
    keys = save.keys if save is not None else ()
    return sum(rows[key].before is not None for key in keys if key in rows) > 1
