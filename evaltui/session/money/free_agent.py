"""Whether an agent is free: what its answers told goes before what it was taken for."""

from evaltui.core.agent import Agent
from evaltui.store.board import Board
from evaltui.store.row import Row


def is_free(agent: Agent, board: Board) -> bool:
    """Whether asking it costs nothing, as far as anybody knows: one that nobody said is free costs
    money once one of the answers on its board told a price."""
    traits = agent.traits
    if not (traits.is_free and traits.is_taken_free):
        return traits.is_free
    return not any(_told_price(row) for row in board.rows.values())


def _told_price(row: Row) -> bool:
    """Of its answer alone, whatever a model was paid for judging it."""
    result = row.result
    if result is None:
        return False
    if result.response is not None:
        usage = result.response.usage
        return usage is not None and bool(usage.cost_usd)
    return bool(result.known_cost_usd) and not row.case.takes_model
