"""Conversations, and judging by a model: criteria, rubrics, how far the judge can be relied on."""
