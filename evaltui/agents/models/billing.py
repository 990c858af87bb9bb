"""What the `usage` of an answer tells of its bill, whichever API it comes from."""

from collections.abc import Iterable, Mapping

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.reported_number import tokens, usd

_CHARGED = ("cost", "estimated_cost")
_FREE_TOOLS = frozenset(("web_fetch_requests",))
_SEARCHES = ("num_sources_used", "num_search_queries", "num_server_side_tools_used")


def are_odd(values: Iterable[Json]) -> bool:
    """Whether one is told that can be no number of tokens."""
    return any(value is not None and tokens(value) is None for value in values)


def charged_usd(usage: JsonObject) -> float | None:
    """US dollars that the API says it took, as gateways do; `None` where it says nothing of it."""
    cost = next((usage[key] for key in _CHARGED if usage.get(key) is not None), None)
    found = usd(cost.get("total_cost") if isinstance(cost, Mapping) else cost)
    if found is None or usage.get("is_byok") is not True:
        return found
    # With a key of one's own the gateway took its fee only, and the provider is paid besides.
    details = usage.get("cost_details")
    details = details if isinstance(details, Mapping) else {}
    beside = usd(details.get("upstream_inference_cost"))
    return None if beside is None else found + beside


def bills_beside(usage: JsonObject) -> bool:
    """Whether it tells of searches or other tools of the API's own, which no price of tokens
    covers."""
    tools = usage.get("server_tool_use")
    own = tools if isinstance(tools, Mapping) else {}
    used = [value for key, value in own.items() if key not in _FREE_TOOLS]
    return any(value not in (None, 0) for value in (*used, *map(usage.get, _SEARCHES)))
