"""Importers of traces from providers and frameworks: a file for each, one line here."""

from collections.abc import Mapping
from types import MappingProxyType

from evaltui.traces.importers import (
    adk_events,
    anthropic,
    anthropic_events,
    autogen,
    crewai,
    foundry,
    langgraph,
    openai,
    openai_agents,
    otlp,
    semantic_kernel,
    vertex,
)
from evaltui.traces.importers.importer import Importer

PROVIDERS: Mapping[str, Importer] = MappingProxyType(
    {
        "otlp": Importer(otlp.claims, otlp.read, otlp.KEYS, otlp.gather, is_required=False),
        "anthropic": Importer(
            anthropic.claims, anthropic.read, anthropic.KEYS, anthropic_events.gather
        ),
        "vertex": Importer(vertex.claims, vertex.read, vertex.KEYS, vertex.gather),
        "foundry": Importer(foundry.claims, foundry.read, foundry.KEYS),
        "openai": Importer(openai.claims, openai.read, openai.KEYS, openai.gather),
    }
)
"""In the order in which they are asked whether a record is theirs; the last takes the rest."""
FRAMEWORKS: Mapping[str, Importer] = MappingProxyType(
    {
        "semantic_kernel": Importer(
            semantic_kernel.claims, semantic_kernel.read, semantic_kernel.KEYS
        ),
        "adk": Importer(
            adk_events.claims,
            adk_events.read,
            adk_events.KEYS,
            adk_events.gather,
            is_required=False,
        ),
        "crewai": Importer(crewai.claims, crewai.read, crewai.KEYS),
        "autogen": Importer(autogen.claims, autogen.read, autogen.KEYS),
        "openai_agents": Importer(
            openai_agents.claims, openai_agents.read, openai_agents.KEYS, openai_agents.gather
        ),
        "langgraph": Importer(langgraph.claims, langgraph.read, langgraph.KEYS, langgraph.gather),
    }
)
"""Likewise."""
